public import APIKitCore
public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// An engine over async-http-client: streams hold the server back, and headers arrive as they were sent.
///
/// ```swift
/// let client = AsyncHTTPClientEngine()
/// let users = try await client.send(UsersRequest())
/// ```
///
/// Make one and keep it: it owns its connections, and closes them when the last reference to it goes away.
public final class AsyncHTTPClientEngine: APIClient {
    private let client: HTTPClient
    /// Keeps no connection, and so never meets one that the server has closed.
    private let repeating: HTTPClient
    private let watch: SilenceWatch

    /// Makes an engine. Whatever the configuration says, redirects are handed out: `send` follows them.
    public init(configuration: HTTPClient.Configuration = .api) {
        var configuration = configuration
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(configuration: configuration)
        configuration.maximumUsesPerConnection = 1
        repeating = HTTPClient(configuration: configuration)
        watch = SilenceWatch(on: client.eventLoopGroup.any())
    }

    deinit {
        client.shutdown { _ in }
        repeating.shutdown { _ in }
    }

    /// Performs one request. Redirects are not followed.
    ///
    /// An idempotent request whose connection breaks before an answer is sent once more, since the server may have closed a
    /// kept connection just then (RFC 9110, section 9.2.2).
    ///
    /// - Throws: `TransportError` if no complete response arrives, `RequestError` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        guard [.data, .stream, .file].contains(request.delivery) else {
            throw TransportError(.unsupported, "no body is delivered as \(request.delivery.rawValue)", request: request)
        }
        let exchange = Exchange(of: request, watchedBy: watch, sorting: TransportError.Code.init(of:))
        return try await exchange.run { [self] in
            let response = try await execute(HTTPClientRequest(request, sending: exchange.upload), of: request)
            // The engine is kept, since its end is that of its connections.
            let bytes = response.body.map { [self] piece in
                _ = self
                return Data(piece.readableBytesView)
            }
            return try await exchange.receive(HTTPResponse.Head(response, to: request), bytes)
        }
    }

    private func execute(_ outgoing: HTTPClientRequest, of request: HTTPRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(outgoing, deadline: .distantFuture)
        } catch let error where mayRepeat(request, after: error) {
            try Task.checkCancellation()
            return try await repeating.execute(outgoing, deadline: .distantFuture)
        }
    }

    private func mayRepeat(_ request: HTTPRequest, after error: any Error) -> Bool {
        let idempotent: Set<APIKitCore.HTTPMethod> = [.get, .head, .put, .delete, .options, "TRACE"]
        return TransportError.Code(of: error) == .connectionLost && idempotent.contains(request.method)
    }
}

extension HTTPClient.Configuration {
    /// A configuration for API calls: compressed answers, enough connections to a host, no retries, and no limits of time
    /// but a request's own.
    public static var api: HTTPClient.Configuration {
        // Without a limit, since what is decompressed counts for the request's.
        var configuration = HTTPClient.Configuration(decompression: .enabled(limit: .none))
        configuration.timeout.connect = .hours(1)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

// MARK: - Requests and heads

extension HTTPClientRequest {
    fileprivate init(_ request: HTTPRequest, sending upload: ByteStream?) {
        self.init(url: request.url.absoluteString)
        method = .init(rawValue: request.method.rawValue)
        for field in request.headers { headers.add(name: field.name.rawValue, value: field.value) }
        if request.headers[.acceptEncoding] == nil { headers.add(name: "Accept-Encoding", value: "gzip, deflate") }
        if let upload {
            let length = request.body?.length.map { Body.Length.known(Int64($0)) }
            body = .stream(upload.map { ByteBuffer(bytes: $0) }, length: length ?? .unknown)
        } else if let data = request.body?.data {
            body = .bytes(ByteBuffer(bytes: data))
        }
    }
}

extension HTTPResponse.Head {
    fileprivate init(_ response: HTTPClientResponse, to request: HTTPRequest) {
        let fields = response.headers.map { field in
            APIKitCore.HTTPHeaders.Field(name: .init(rawValue: field.name), value: field.value)
        }
        self.init(status: Int(response.status.code), headers: .init(fields), url: request.url)
    }
}

// MARK: - Errors

extension TransportError.Code {
    fileprivate init(of error: any Error) {
        self =
            switch error {
            case let error as HTTPClientError: Self.codes.first { $0.value.contains(error) }?.key ?? .clientFailed
            case let error as NIOConnectionError: error.connectionErrors.isEmpty ? .nameNotResolved : .cannotConnect
            case let error as IOError:
                [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) ? .cannotConnect : .connectionLost
            case HTTPParserError.invalidEOFState, NIOSSLError.uncleanShutdown, is ChannelError: .connectionLost
            case is HTTPParserError, is NIOHTTPDecompression.DecompressionError: .badResponse
            case is NIOHTTPDecompression.ExtraDecompressionError: .badResponse
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
            default: .clientFailed
            }
    }

    private static let codes: [Self: [HTTPClientError]] = [
        .timedOut: [
            .connectTimeout, .tlsHandshakeTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout,
            .getConnectionFromPoolTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
        ],
        .connectionLost: [.remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled, .cancelled],
        .cannotConnect: [.invalidProxyResponse, .proxyAuthenticationRequired, .invalidLocalAddress],
        .bodyUnavailable: [.bodyLengthMismatch],
        .unsupported: [.invalidURL, .emptyHost, .emptyScheme],
    ]
}
