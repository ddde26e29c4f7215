#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import FoundationNetworking

/// Sends one request of a session, which may take several attempts.
struct SessionTransfer {
    private let session: URLSession
    /// A copy, so that the session is asked only once.
    private let configuration: URLSessionConfiguration
    private let engine: CurlClient
    let cookies = SessionCookies()

    /// Finds the engine of a session. One that `api(configuration:pins:proxy:delegate:)` has created has its own.
    init(over session: URLSession) {
        self.session = session
        configuration = session.configuration
        engine = (session as? APISession)?.engine ?? SessionEngine.shared(for: configuration)
    }

    /// Adds the session's and the engine's headers, and limits the timeout by the session's.
    func prepare(_ request: inout HTTPRequest) {
        if let headers = configuration.httpAdditionalHeaders {
            request.headers.addMissing(from: HTTPHeaders(sorting: headers))
        }
        let limit = Duration.seconds(configuration.timeoutIntervalForRequest.bounded)
        request.options.timeout = .after(min(request.options.effectiveTimeout, limit))
        engine.prepare(&request)
    }

    /// Sends the request of an exchange: with the `URLProtocol` of a mock, or with the engine and the session's
    /// cookies.
    ///
    /// - Throws: `TransportError` with the code `unsupported` for a session that libcurl cannot stand in for.
    func transmit(_ exchange: Exchange) async throws {
        let isLoadedByProtocol = try await ProtocolTransfer.start(exchange, over: configuration.protocolClasses)
        if isLoadedByProtocol { return }
        if let problem {
            throw TransportError(.unsupported, problem, request: exchange.request)
        }
        let requestCookies = try await cookies.cookies(for: exchange, of: configuration)
        let transferTimeout = Duration.seconds(configuration.timeoutIntervalForResource.bounded)
        try engine.transmit(exchange, cookies: requestCookies, transferTimeout: transferTimeout)
    }

    /// Why the session cannot send requests over libcurl; nil if it can.
    private var problem: String? {
        if configuration.identifier != nil { return "background sessions cannot be awaited: use URLSession.api" }
        // An `APISession` has no delegate itself, even if the caller has passed one.
        let wantsDelegate = (session as? APISession)?.wantsDelegate ?? false
        let hasDelegate = wantsDelegate || session.delegate != nil
        guard hasDelegate else { return nil }
        return "libcurl cannot ask this session's delegate: use URLSession.api, or a CurlClient, whose configuration "
            + "has certificates, pins and a proxy"
    }
}
#endif
