#if os(Linux)
import APIKitCore
import APIKitCurl
import Foundation
import FoundationNetworking

/// What libcurl must know of a session. Sessions for which it is the same share a loop and its connections.
struct SessionEngine: Hashable {
    private let transferTimeout: Duration
    private let connectionsPerHost: Int
    private let pins: PublicKeyPins?
    private let proxy: Proxy

    /// The engines of the process, each of which has a thread only while it is used.
    private static let engines = Locked<[SessionEngine: CurlClient]>([:])

    /// Returns the engine for a configuration.
    static func shared(
        for configuration: URLSessionConfiguration, pins: PublicKeyPins? = nil, proxy: Proxy = .system
    ) -> CurlClient {
        let settings = SessionEngine(
            transferTimeout: .seconds(configuration.timeoutIntervalForResource.bounded),
            connectionsPerHost: max(1, configuration.httpMaximumConnectionsPerHost), pins: pins, proxy: proxy)
        return engines.withLock { engines in
            if let engine = engines[settings] { return engine }
            let engine = CurlClient(settings.configuration)
            engines[settings] = engine
            return engine
        }
    }

    private var configuration: CurlClient.Configuration {
        var configuration = CurlClient.Configuration()
        configuration.transferTimeout = transferTimeout
        configuration.connectionsPerHost = connectionsPerHost
        configuration.pins = pins
        configuration.proxy = proxy
        return configuration
    }
}

extension TimeInterval {
    /// A time that `Duration` holds.
    var bounded: TimeInterval { self > 0 ? min(self, 1e9) : 60 }
}
#endif
