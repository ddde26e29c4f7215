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
        request.options.timeout = min(request.options.effectiveTimeout, limit)
        engine(for: configuration).prepare(&request)
    }

    /// Sends the request of an exchange over libcurl, with this session's configuration: its timeouts, its
    /// `httpAdditionalHeaders`, its `httpMaximumConnectionsPerHost`, and its `httpCookieStorage` if
    /// `httpShouldSetCookies` and the policy allow. Its `urlCache` and its `urlCredentialStorage` are not asked, and
    /// its tasks, its delegate queue and its invalidation have nothing to do with the request: to cancel that, cancel
    /// the `Task` that sends it.
    ///
    /// A class in the configuration's `protocolClasses` that takes the request gets it instead, such as the mock of a
    /// test. Classes that are only registered with `URLProtocol.registerClass(_:)` are not asked.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` for a session with a delegate of its own, which libcurl
    ///   cannot ask, and for one with a background identifier.
    public func transmit(_ exchange: Exchange) async throws {
        let configuration = configuration
        if try await ProtocolTransfer.start(exchange, over: configuration.protocolClasses) { return }
        if let problem = problem(with: configuration) {
            throw TransportError(.unsupported, problem, request: exchange.request)
        }
        let cookies = await CookieJar.cookies(for: exchange.request, of: configuration)
        let transferTimeout = Duration.seconds(configuration.timeoutIntervalForResource.bounded)
        try engine(for: configuration).transmit(
            exchange, cookies: cookies ?? RequestCookies(), transferTimeout: transferTimeout)
    }

    private func engine(for configuration: URLSessionConfiguration) -> CurlClient {
        if let session = self as? APISession { return session.engine }
        return SessionEngine.shared(for: configuration)
    }

    private func problem(with configuration: URLSessionConfiguration) -> String? {
        if configuration.identifier != nil { return "background sessions cannot be awaited: use URLSession.api" }
        let wantsDelegate = (self as? APISession)?.wantsDelegate ?? false
        guard wantsDelegate || delegate != nil else { return nil }
        return "libcurl cannot ask this session's delegate: use URLSession.api, or a CurlClient, whose configuration "
            + "has certificates, pins and a proxy"
    }
}

/// A session that ``Foundation/URLSession/api(configuration:pins:proxy:delegate:)`` has created. It keeps its engine,
/// and with it the pins, when it is invalidated, which releases a delegate.
///
/// `@unchecked Sendable`: it has only constants.
final class APISession: URLSession, @unchecked Sendable {
    let engine: CurlClient
    /// Whether the caller wants a delegate to be asked, which libcurl cannot do.
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

    /// Returns the engine for a configuration: the one that others with the same settings use, if there is one.
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

/// The engines of the process: those that a session holds, and those that were used last.
private struct SessionEngines: Sendable {
    private struct Entry: Sendable {
        weak var engine: CurlClient?
    }

    private var entries: [SessionEngine: Entry] = [:]
    /// The engines that stay although no session holds them, the one that was used last at the end. Each has a thread
    /// and connections only while it is used.
    private var recent: [CurlClient] = []

    private static let limit = 8

    mutating func engine(for settings: SessionEngine) -> CurlClient {
        let engine = entries[settings]?.engine ?? makeEngine(for: settings)
        use(engine)
        return engine
    }

    private mutating func use(_ engine: CurlClient) {
        if recent.last === engine { return }
        recent.removeAll { $0 === engine }
        recent.append(engine)
        if recent.count > Self.limit { recent.removeFirst() }
    }

    private mutating func makeEngine(for settings: SessionEngine) -> CurlClient {
        entries = entries.filter { $0.value.engine != nil }
        let engine = settings.makeEngine()
        entries[settings] = Entry(engine: engine)
        return engine
    }
}

extension TimeInterval {
    /// A time that `Duration` holds; a minute for one that is not positive.
    var bounded: TimeInterval {
        self > 0 ? min(self, 1e9) : 60
    }
}
#endif
