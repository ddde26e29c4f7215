#if os(Linux)
public import APIKitCore
import APIKitCurl
import Foundation
public import FoundationNetworking

extension URLSession: APIEngine {
    /// Adds the configuration's `httpAdditionalHeaders`, and limits the timeout by its `timeoutIntervalForRequest`.
    public func prepare(_ request: inout HTTPRequest) {
        let configuration = configuration
        request.headers.addMissing(from: HTTPHeaders(sorting: configuration.httpAdditionalHeaders ?? [:]))
        let limit = Duration.seconds(configuration.timeoutIntervalForRequest.bounded)
        request.options.timeout = .after(min(request.options.effectiveTimeout, limit))
        engine(for: configuration).prepare(&request)
    }

    /// Performs one request. Redirects are not followed here; `send` follows them.
    ///
    /// A response that sets cookies is returned once they are in the session's `httpCookieStorage`. This takes at most
    /// five seconds, ends at the request's timeout or deadline, and never fails.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the request cannot be sent,
    ///   `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        prepare(&request)
        let cookies = SessionCookies()
        let response = try await Exchange.response(to: request, in: call) { exchange in
            try await transmit(exchange, cookies)
        }
        try await cookies.waitUntilStored(within: CookieJar.longestWrite.limited(by: request, in: call))
        return response
    }

    /// Sends the request of an exchange over libcurl, with this session's configuration: its timeouts, its
    /// `httpAdditionalHeaders`, its `httpMaximumConnectionsPerHost`, and its `httpCookieStorage` if
    /// `httpShouldSetCookies` and the policy allow it. Its `urlCache` and its `urlCredentialStorage` are not used. Its
    /// tasks, its delegate queue and its invalidation do not affect the request; to cancel the request, cancel the
    /// `Task` that sends it.
    ///
    /// If a class in the configuration's `protocolClasses` accepts the request, such as the mock of a test, this class
    /// loads it instead of libcurl. Classes that are only registered with `URLProtocol.registerClass(_:)` are not used.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for a session with a delegate, which libcurl cannot
    ///   call, and for a background session.
    public func transmit(_ exchange: Exchange) async throws {
        try await transmit(exchange, SessionCookies())
    }

    /// Sends the request of an exchange with the cookies of the session.
    private func transmit(_ exchange: Exchange, _ sessionCookies: SessionCookies) async throws {
        let configuration = configuration
        if try await ProtocolTransfer.start(exchange, over: configuration.protocolClasses) { return }
        if let problem = problem(with: configuration) {
            throw TransportError(.unsupported, problem, request: exchange.request)
        }
        let cookies = try await sessionCookies.cookies(for: exchange, of: configuration)
        let transferTimeout = Duration.seconds(configuration.timeoutIntervalForResource.bounded)
        try engine(for: configuration).transmit(
            exchange, cookies: cookies, transferTimeout: transferTimeout)
    }

    /// Returns the engine of this session. One that `api(configuration:pins:proxy:delegate:)` has created has its own.
    private func engine(for configuration: URLSessionConfiguration) -> CurlClient {
        if let session = self as? APISession { return session.engine }
        return SessionEngine.shared(for: configuration)
    }

    /// Returns why a session with the configuration cannot send requests over libcurl; nil if it can.
    private func problem(with configuration: URLSessionConfiguration) -> String? {
        if configuration.identifier != nil { return "background sessions cannot be awaited: use URLSession.api" }
        // An `APISession` has no delegate itself, even if the caller has passed one.
        let wantsDelegate = (self as? APISession)?.wantsDelegate ?? false
        let hasDelegate = wantsDelegate || delegate != nil
        guard hasDelegate else { return nil }
        return "libcurl cannot ask this session's delegate: use URLSession.api, or a CurlClient, whose configuration "
            + "has certificates, pins and a proxy"
    }
}

/// A session that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` has created.
///
/// The engine, and with it the pins, belongs to the session itself and not to a delegate: an invalidated session
/// releases its delegate, and must not send requests without the pins.
///
/// `@unchecked Sendable`: all properties are constants.
final class APISession: URLSession, @unchecked Sendable {
    let engine: CurlClient
    /// Whether the caller has passed a delegate, which libcurl cannot call.
    let wantsDelegate: Bool

    init(_ configuration: URLSessionConfiguration, pins: PublicKeyPins?, proxy: Proxy, wantsDelegate: Bool) {
        engine = SessionEngine.shared(for: configuration, pins: pins, proxy: proxy)
        self.wantsDelegate = wantsDelegate
        super.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }
}

/// The settings that decide which engine a session uses. Sessions with the same settings share a loop and its
/// connections.
struct SessionEngine: Hashable {
    private let connectionsPerHost: Int
    private let pins: PublicKeyPins?
    private let proxy: Proxy

    /// Returns the engine for a configuration. Sessions with the same settings get the same engine.
    static func shared(
        for configuration: URLSessionConfiguration, pins: PublicKeyPins? = nil, proxy: Proxy = .system
    ) -> CurlClient {
        let settings = SessionEngine(
            connectionsPerHost: max(1, configuration.httpMaximumConnectionsPerHost), pins: pins, proxy: proxy)
        return engines.withLock { $0.engine(for: settings) }
    }

    private static let engines = Locked(SessionEngines())

    fileprivate func makeEngine() -> CurlClient {
        var configuration = CurlClient.Configuration()
        configuration.connectionsPerHost = connectionsPerHost
        configuration.pins = pins
        configuration.proxy = proxy
        return CurlClient(configuration)
    }
}

/// The engines of the process: those that a session retains, and the recently used ones.
private struct SessionEngines: Sendable {
    private struct Entry: Sendable {
        weak var engine: CurlClient?
    }

    private var entries: [SessionEngine: Entry] = [:]
    /// The recently used engines, which exist even if no session retains them; the last one is at the end.
    private var recent: [CurlClient] = []

    /// The most engines in `recent`. An unused engine costs little, since it has no thread and no connections.
    private static let limit = 8

    /// Returns the engine with some settings, which is created if it does not exist.
    mutating func engine(for settings: SessionEngine) -> CurlClient {
        let engine = entries[settings]?.engine ?? makeEngine(for: settings)
        moveToEndOfRecent(engine)
        return engine
    }

    /// Makes an engine the most recently used one, and releases the one that was not used for the longest time if there
    /// are too many.
    private mutating func moveToEndOfRecent(_ engine: CurlClient) {
        if recent.last === engine { return }
        recent.removeAll { $0 === engine }
        recent.append(engine)
        if recent.count > Self.limit { recent.removeFirst() }
    }

    /// Creates an engine, and removes the entries of engines that no longer exist.
    private mutating func makeEngine(for settings: SessionEngine) -> CurlClient {
        entries = entries.filter { $0.value.engine != nil }
        let engine = settings.makeEngine()
        entries[settings] = Entry(engine: engine)
        return engine
    }
}

extension TimeInterval {
    /// The time, limited to what a `Duration` can hold. An invalid time, which is not positive, becomes a minute: the
    /// default of `timeoutIntervalForRequest`.
    var bounded: TimeInterval {
        let longest = 1e9
        return self > 0 ? min(self, longest) : 60
    }
}
#endif
