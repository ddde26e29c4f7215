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
        @exclusivity(unchecked) var isListed = false
        /// The numbers of those that wait.
        @exclusivity(unchecked) var line: ArraySlice<Int> = []
        @exclusivity(unchecked) private(set) var activeCount = 0
        /// Whether the server speaks HTTP/2, which the last response has shown.
        var isShared = false

        private let connectionLimit: Int
        private let mayBeShared: Bool
        /// Those under way that have no connection yet, how many there may be, and when there may be more.
        @exclusivity(unchecked) private var connectingCount = 0
        @exclusivity(unchecked) private var connectingLimit = 1
        @exclusivity(unchecked) private var nextRise: ContinuousClock.Instant?
        @exclusivity(unchecked) private var hasConnection = false

        private static let patience = Duration.milliseconds(200)

        init(of transfer: CurlTransfer, _ configuration: CurlClient.Configuration) {
            origin = transfer.origin
            connectionLimit = configuration.boundedConnectionsPerHost
            mayBeShared = transfer.mayShareConnection
        }

        /// Whether the transfers that may start wait for each other, and not libcurl for them.
        var isGated: Bool { mayBeShared && (isShared || !hasConnection) }

        /// How many transfers libcurl gets. It limits the connections, which several may share over HTTP/2.
        private var limit: Int { isShared ? connectionLimit * 16 : connectionLimit }
        var mayStart: Bool { activeCount < limit && (!isGated || connectingCount < connectingLimit) }

        func start() {
            activeCount += 1
            connectingCount += 1
        }

        /// A transfer has a connection.
        func connect() {
            connectingCount -= 1
            (hasConnection, connectingLimit, nextRise) = (true, 1, nil)
        }

        func end(isConnected: Bool) {
            activeCount -= 1
            if !isConnected { connectingCount -= 1 }
            if activeCount == 0 { (hasConnection, connectingLimit, nextRise) = (false, 1, nil) }
        }

        /// Lets more transfers connect once those that do have had their time.
        ///
        /// - Returns: When to ask again, nil if nothing waits for that.
        func rise(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            guard isGated, !line.isEmpty, connectingCount > 0 else { return nil }
            if let next = nextRise, next <= now {
                connectingLimit = min(connectingLimit * 2, limit)
                nextRise = nil
            }
            let next = nextRise ?? now + Self.patience
            nextRise = next
            return next
        }
    }
}
#endif
