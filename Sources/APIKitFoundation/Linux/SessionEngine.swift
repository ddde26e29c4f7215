#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitSupport
import Foundation
import FoundationNetworking

/// The settings that decide which engine a session uses. Sessions with the same settings share a loop and its
/// connections.
struct SessionEngine: Equatable {
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
///
/// `recent` is not a `RecencyList`, since it is short enough to be searched.
private struct SessionEngines: Sendable {
    private struct Entry: Sendable {
        let settings: SessionEngine
        weak var engine: CurlClient?
    }

    /// Few, since most programs have one or two different settings.
    private var entries: [Entry] = []
    /// The recently used engines, which exist even if no session retains them; the last one is at the end.
    private var recent: [CurlClient] = []

    /// The most engines in `recent`. An unused engine costs little, since it has no thread and no connections.
    private static let limit = 8

    /// Returns the engine with some settings, which is created if it does not exist.
    mutating func engine(for settings: SessionEngine) -> CurlClient {
        let engine = existingEngine(for: settings) ?? makeEngine(for: settings)
        moveToEndOfRecent(engine)
        return engine
    }

    private func existingEngine(for settings: SessionEngine) -> CurlClient? {
        for entry in entries where entry.settings == settings { return entry.engine }
        return nil
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
        entries.removeAll { $0.engine == nil }
        let engine = settings.makeEngine()
        entries.append(Entry(settings: settings, engine: engine))
        return engine
    }
}
#endif
