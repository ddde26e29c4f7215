#if os(Linux)
extension CurlLoop {
    /// The transfers to an origin: how many libcurl has, and which ones wait.
    ///
    /// Over HTTP/2, requests share connections. So the first request connects alone, and the others wait until it shows
    /// whether the server supports HTTP/2. If it does, they use its connection. The same happens later, when a
    /// connection carries as many requests as the server allows and another one is needed.
    ///
    /// A handshake may stall, so the other requests wait for a short time only. After that, twice as many may connect
    /// at once: two, then four, and so on.
    final class Host {
        /// The scheme, host and port of the URLs.
        let origin: Substring
        let isSecure: Bool
        /// Whether requests to this host may use HTTP/2, and so share a connection.
        let mayUseHTTP2: Bool
        /// Whether the host is in the loop's ``HostTable``, which sets this.
        @exclusivity(unchecked) var isRemembered = false
        /// The numbers of the transfers that wait for this host, in the order in which they came; see
        /// ``WaitingTransfers``.
        @exclusivity(unchecked) var waitingNumbers: ArraySlice<Int> = []
        /// The number of transfers that libcurl has.
        @exclusivity(unchecked) private(set) var activeCount = 0
        /// Whether the last response came over HTTP/2.
        var usesHTTP2 = false

        private let connectionLimit: Int
        @exclusivity(unchecked) private var connecting = Connecting()
        /// Whether a transfer has got a connection since the host last had no active transfers.
        @exclusivity(unchecked) private var hasConnection = false

        /// The active transfers that have no connection yet.
        private struct Connecting {
            var count = 0
            /// How many there may be, while the host is gated.
            var limit = 1
            /// When the limit is raised next, nil if no transfers wait for that.
            var nextRaise: ContinuousClock.Instant?

            mutating func resetLimit() {
                limit = 1
                nextRaise = nil
            }
        }

        /// How long transfers wait for others to connect before more may connect at once.
        private static let patience = Duration.milliseconds(200)
        /// How many requests libcurl gets for each connection that it may open, if requests can share connections.
        private static let requestsPerConnection = 16

        init(_ origin: Substring, _ configuration: CurlClient.Configuration) {
            self.origin = origin
            isSecure = origin.hasPrefix("https:")
            mayUseHTTP2 = isSecure && configuration.httpVersion == .http2
            connectionLimit = configuration.boundedConnectionsPerHost
        }

        /// Returns everything before the path and the query: `https://example.com:8443` for
        /// `https://example.com:8443/users` and for `https://example.com:8443?page=2`.
        static func origin(of url: String) -> Substring {
            var text = url
            let endOfOrigin = text.withUTF8 { bytes in
                // Skips the slashes of "https://". "http://" is one byte shorter, so the first byte of its host is
                // skipped too, which is not a slash.
                bytes.dropFirst("https://".utf8.count).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            }
            guard let endOfOrigin else { return url[...] }
            return url[..<url.utf8.index(url.startIndex, offsetBy: endOfOrigin)]
        }

        /// Whether this host is gated: it limits how many transfers may connect at once. It does so for HTTP/2, until a
        /// connection has shown that the server does not support it.
        var isGated: Bool {
            let isKnownToLackHTTP2 = hasConnection && !usesHTTP2
            return mayUseHTTP2 && !isKnownToLackHTTP2
        }

        /// How many transfers libcurl may have at a time. libcurl itself limits the number of connections, which
        /// several transfers may share over HTTP/2.
        private var activeLimit: Int {
            usesHTTP2 ? connectionLimit * Self.requestsPerConnection : connectionLimit
        }

        /// Whether libcurl may get another transfer.
        var mayStart: Bool {
            if activeCount >= activeLimit { return false }
            if isGated { return connecting.count < connecting.limit }
            return true
        }

        /// Notes that a transfer was handed to libcurl.
        func didStart() {
            activeCount += 1
            connecting.count += 1
        }

        /// Notes that a transfer has got its connection.
        func didConnect() {
            connecting.count -= 1
            connecting.resetLimit()
            hasConnection = true
        }

        /// Notes that a transfer has ended or was stopped.
        ///
        /// - Parameter hasConnected: Whether it had got its connection.
        func didEnd(hasConnected: Bool) {
            activeCount -= 1
            if !hasConnected { connecting.count -= 1 }
            if activeCount == 0 {
                // The connection may be closed from now on. While a host has none, one transfer connects alone, and
                // the others wait for it.
                connecting.resetLimit()
                hasConnection = false
            }
        }

        /// Doubles the number of transfers that may connect at once, if transfers have waited for that long enough.
        ///
        /// The loop calls this when a transfer begins to wait, and again at each time that this returns. Once a
        /// transfer has connected, the waiting time starts again; see ``didConnect()``.
        ///
        /// - Returns: When to call this again, nil if no transfers wait for others to connect.
        func raiseConnectingLimitIfDue(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            guard hasTransfersWaitingForOthersToConnect else { return nil }
            guard let dueTime = connecting.nextRaise else {
                // The wait begins now.
                return planRaise(after: now)
            }
            if now < dueTime { return dueTime }
            connecting.limit = min(connecting.limit * 2, activeLimit)
            return planRaise(after: now)
        }

        /// Whether transfers wait because this host limits how many may connect at once, and others are connecting.
        private var hasTransfersWaitingForOthersToConnect: Bool {
            isGated && !waitingNumbers.isEmpty && connecting.count > 0
        }

        /// Sets the time of the next raise, and returns it.
        private func planRaise(after now: ContinuousClock.Instant) -> ContinuousClock.Instant {
            let nextRaise = now + Self.patience
            connecting.nextRaise = nextRaise
            return nextRaise
        }
    }
}
#endif
