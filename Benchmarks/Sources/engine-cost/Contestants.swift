import APIKit
import APIKitCurl
import AsyncHTTPClient
import AsyncHTTPClientEngine
import BenchmarkSupport
import NIOCore
import NIOHTTP1
import NIOSSL

/// The clients, each with connections of its own; all but `URLSession`, which on Linux cannot be told what to trust,
/// accept the server's certificate.
struct Contestants: Sendable {
    private let libcurl: CurlByHand
    private let session = URLSession.byHand()
    private let asyncHTTPClient: HTTPClient
    private let curl: CurlClient
    private let engine: AsyncHTTPClientEngine

    /// Creates clients that trust the certificates of a file.
    init(roots: URL) {
        libcurl = CurlByHand(roots: roots)
        var curlConfiguration = CurlClient.Configuration()
        curlConfiguration.rootCertificates = roots
        curl = CurlClient(curlConfiguration)
        var configuration = HTTPClient.Configuration.api
        configuration.redirectConfiguration = .disallow
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(roots.path)
        configuration.tlsConfiguration = tls
        asyncHTTPClient = HTTPClient(configuration: configuration)
        engine = AsyncHTTPClientEngine(configuration: configuration)
    }

    /// Performs a request and decodes the response.
    func perform(_ request: SmallRequest, _ client: Client) async throws {
        let items =
            switch client {
            case .libcurl, .again:
                try reader.decode([Item].self, from: await libcurl.data(request.url, body: request.bytes))
            case .urlSession: try decoder.decode([Item].self, from: await session.bytes(request))
            case .asyncHTTPClient: try decoder.decode([Item].self, from: await asyncHTTPClient.bytes(request))
            case .send: try await curl.send(request)
            case .perform: try reader.decode([Item].self, from: await curl.bytes(request))
            case .asyncHTTPClientEngine: try await engine.send(request)
            }
        guard items.count == request.count else { throw URLError(.badServerResponse) }
    }

    func shutdown() async throws {
        try await asyncHTTPClient.shutdown()
    }
}

/// What `send` decodes with, for what is compared with it.
private let reader = JSONReader()
private let decoder = JSONDecoder()

extension APIClient {
    fileprivate func bytes(_ call: SmallRequest) async throws -> Data {
        let response = try await perform(call.request)
        guard 200..<300 ~= response.head.status else { throw URLError(.badServerResponse) }
        return response.body.data ?? Data()
    }
}

extension HTTPClient {
    fileprivate func bytes(_ call: SmallRequest) async throws -> Data {
        var request = HTTPClientRequest(url: call.url)
        request.headers.add(name: "Accept", value: "application/json")
        if let bytes = call.bytes {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(bytes)
        }
        let response = try await execute(request, timeout: .seconds(60))
        guard 200..<300 ~= response.status.code else { throw URLError(.badServerResponse) }
        let body = try await response.body.collect(upTo: 64 << 20)
        return Data(body.readableBytesView)
    }
}

extension URLSession {
    /// A session with neither cache nor cookies, and enough connections.
    static func byHand(delegate: (any URLSessionDelegate)? = nil) -> URLSession {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    fileprivate func bytes(_ call: SmallRequest) async throws -> Data {
        guard let url = URL(string: call.url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let bytes = call.bytes {
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = bytes
        }
        return try await withCheckedThrowingContinuation { continuation in
            dataTask(with: request) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                continuation.resume(
                    with: Result {
                        guard let data, 200..<300 ~= status else { throw error ?? URLError(.badServerResponse) }
                        return data
                    })
            }
            .resume()
        }
    }
}
