#if os(Linux)
extension CurlLoop {
    /// The transfers to an origin: how many are under way, and which ones wait.
    ///
    /// Over HTTP/2, requests share connections. So the first one connects alone, and the others wait to learn whether
    /// they can share its connection; later likewise, when a connection carries as many requests as the server allows.
    /// They wait a short time only, since a handshake may stall: then another one connects, then two, four and so on.
    final class Host {
        let origin: Substring
        /// Whether the loop finds it by its origin.
        @exclusivity(unchecked) var isRemembered = false
        /// The numbers of those that wait.
        @exclusivity(unchecked) var line: ArraySlice<Int> = []
        @exclusivity(unchecked) private(set) var activeCount = 0
        /// Whether the server speaks HTTP/2, which the last response has shown.
        var isShared = false

        private let connectionLimit: Int
        private let mayBeShared: Bool
        @exclusivity(unchecked) private var connecting = Connecting()
        @exclusivity(unchecked) private var hasConnection = false

        /// The transfers under way that have no connection yet.
        private struct Connecting {
            var count = 0
            /// How many there may be, and when there may be more.
            var limit = 1
            var nextRise: ContinuousClock.Instant?

            mutating func resetLimit() {
                limit = 1
                nextRise = nil
            }
        }

        /// How long transfers wait for others to connect.
        private static let patience = Duration.milliseconds(200)
        /// How many requests to a host libcurl gets for each connection that it may open, if they can share them.
        private static let requestsPerConnection = 16

        init(of transfer: CurlTransfer, _ configuration: CurlClient.Configuration) {
            origin = transfer.origin
            connectionLimit = configuration.boundedConnectionsPerHost
            mayBeShared = transfer.mayShareConnection
        }

        /// Whether the transfers that may start wait for each other, and not libcurl for them.
        var isGated: Bool {
            let mayWait = isShared || !hasConnection
            return mayBeShared && mayWait
        }

        /// How many transfers libcurl gets. It limits the connections, which several may share over HTTP/2.
        private var limit: Int {
            isShared ? connectionLimit * Self.requestsPerConnection : connectionLimit
        }

        var mayStart: Bool {
            if activeCount >= limit { return false }
            return !isGated || connecting.count < connecting.limit
        }

        func start() {
            activeCount += 1
            connecting.count += 1
        }

        /// A transfer has a connection.
        func connect() {
            connecting.count -= 1
            connecting.resetLimit()
            hasConnection = true
        }

        func end(isConnected: Bool) {
            activeCount -= 1
            if !isConnected { connecting.count -= 1 }
            if activeCount == 0 {
                connecting.resetLimit()
                hasConnection = false
            }
        }

        /// Raises the number of transfers that may connect at once, if the current ones have had their time.
        ///
        /// - Returns: When to ask again, nil if nothing waits for that.
        func rise(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            guard isGated, !line.isEmpty, connecting.count > 0 else { return nil }
            if let next = connecting.nextRise, next <= now {
                connecting.limit = min(connecting.limit * 2, limit)
                connecting.nextRise = nil
            }
            let next = connecting.nextRise ?? now + Self.patience
            connecting.nextRise = next
            return next
        }
    }
}
#endif
