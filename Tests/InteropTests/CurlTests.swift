#if os(Linux)
import APIKit
import EngineConformance
import Testing

/// What a `CurlClient` can be configured with, against nginx, in `make interop`.
@Suite(.enabled(if: EngineCheck.hasSecureServer), .timeLimit(.minutes(1))) struct CurlTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = URL(filePath: environment["APIKIT_NGINX_FOLDER"] ?? "/")

    /// The server with a good certificate, and the one that wants a certificate of the client's.
    private static let (good, suspicious) = (url(0), url(5))

    private static func url(_ index: Int) -> URL {
        let ports = (environment["APIKIT_NGINX_PORTS"] ?? "").split(separator: " ")
        return URL(string: "https://127.0.0.1:\(ports.count > index ? ports[index] : "1")/")!  // a port is digits
    }

    private func perform(
        _ url: URL, method: HTTPMethod = .get, _ change: (inout CurlClient.Configuration) -> Void
    ) async throws -> HTTPResponse {
        var configuration = CurlClient.Configuration()
        change(&configuration)
        return try await CurlClient(configuration).perform(HTTPRequest(method: method, url: url))
    }

    private func text(_ response: HTTPResponse) -> String {
        String(decoding: response.body.data ?? Data(), as: UTF8.self)
    }

    @Test func rootCertificatesReplaceThoseOfTheSystem() async throws {
        let response = try await perform(Self.good) { $0.rootCertificates = Self.folder.appending(path: "root.crt") }
        #expect(response.head.status == 200)
        let error = await #expect(throws: TransportError.self) {
            try await perform(Self.good) { $0.rootCertificates = Self.folder.appending(path: "self.crt") }
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    @Test func serverMustHaveAPinnedKey() async throws {
        let file = try String(contentsOf: Self.folder.appending(path: "pin"), encoding: .utf8)
        let pin = file.trimmingCharacters(in: .whitespacesAndNewlines)
        let other = Data(count: 32).base64EncodedString()
        for pins in [PublicKeyPins(pin, backup: other), PublicKeyPins(other, backup: pin)] {
            try #require(pins != nil)
            #expect(try await perform(Self.good) { $0.pins = pins }.head.status == 200)
        }
        let error = await #expect(throws: TransportError.self) {
            try await perform(Self.good) { $0.pins = PublicKeyPins(other, backup: other) }
        }
        #expect(error?.code == .secureConnectionFailed)
        let client = URLSession.api(pins: PublicKeyPins(other, backup: other))
        await #expect(throws: TransportError.self) { try await client.perform(HTTPRequest(url: Self.good)) }
    }

    @Test func clientPresentsItsCertificate() async throws {
        let response = try await perform(Self.suspicious) {
            $0.clientCertificate = CurlClient.ClientCertificate(
                certificate: Self.folder.appending(path: "good.crt"), key: Self.folder.appending(path: "good.key"))
        }
        #expect(response.head.status == 200)
        #expect(try await perform(Self.suspicious) { _ in }.head.status == 400)
        let error = await #expect(throws: TransportError.self) {
            try await perform(Self.suspicious) {
                let nowhere = Self.folder.appending(path: "nowhere")
                $0.clientCertificate = CurlClient.ClientCertificate(certificate: nowhere, key: nowhere)
            }
        }
        #expect(error?.code == .secureConnectionFailed)
    }

    @Test func versionsAreChosen() async throws {
        #expect(text(try await perform(Self.good) { $0.minimumTLSVersion = .v1_3 }).hasPrefix("TLSv1.3 HTTP/2.0"))
        #expect(text(try await perform(Self.good) { $0.httpVersion = .http1 }).hasPrefix("TLSv1.3 HTTP/1.1"))
    }

    @Test func socketReplacesTheHost() async throws {
        let url = try #require(URL(string: "http://internal.example/"))
        let response = try await perform(url) { $0.unixSocket = Self.folder.appending(path: "socket").path }
        #expect(text(response) == "socket internal.example")
    }

    @Test(arguments: [CurlClient.HTTPVersion.http1, .http2])
    func postsOfWhichAThirdIsCancelledEndOnceEach(version: CurlClient.HTTPVersion) async throws {
        var configuration = CurlClient.Configuration()
        configuration.httpVersion = version
        let client = CurlClient(configuration)
        let body = RequestBody.data(Data(count: 300), contentType: nil)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<(EngineCheck.isSoaking ? 10_000 : 600) {
                if index >= 32 { await group.next() }
                group.addTask {
                    let request = HTTPRequest(method: .post, url: Self.good, body: body)
                    let task = Task { try await client.perform(request).head.status }
                    if index % 3 == 0 {
                        for _ in 0..<(index * 7919 % 400) { await Task.yield() }
                        task.cancel()
                    }
                    switch await task.result {
                    case .success(let status): #expect(status == 200)
                    case .failure(is CancellationError): #expect(index % 3 == 0)
                    case .failure(let error as TransportError): #expect(error.code == .connectionLost)
                    case .failure(let error): Issue.record(error)
                    }
                }
            }
        }
    }

    @Test(arguments: [CurlClient.HTTPVersion.http1, .http2])
    func postUsesAKeptConnection(version: CurlClient.HTTPVersion) async throws {
        var configuration = CurlClient.Configuration()
        configuration.httpVersion = version
        let client = CurlClient(configuration)
        var connections: Set<String> = []
        for count in 0..<20 {
            let response = try await client.perform(HTTPRequest(method: .post, url: Self.good))
            connections.insert(text(response))
            let connection = try #require(response.timing.connection)
            #expect(connection.isReused == (count > 0))
            #expect((connection.secureHandshake == nil) == (count > 0))
        }
        #expect(connections.count == 1)
    }
}
#endif
