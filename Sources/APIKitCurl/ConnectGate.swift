#if os(Linux)
/// Decides how many requests to a host libcurl gets, and how many of them may open a connection at the same time.
///
/// Over HTTP/2, requests share a connection. So the first request connects alone, and the others wait until it shows
/// whether the server supports HTTP/2. If it does, they use its connection. The same happens later, when a connection
/// carries as many requests as the server allows and another one is needed.
///
/// A transfer may start if neither of two limits is reached:
///
/// | Since the host was last idle | Transfers that connect | Transfers in all |
/// | --- | --- | --- |
/// | HTTP/2 is impossible | no limit | one for each connection |
/// | none has connected | ``connectingLimit`` | 16 for each if the last response came over HTTP/2, otherwise one |
/// | one has connected; no response yet, or the last one not over HTTP/2 | no limit | one for each connection |
/// | one has connected, and the last response came over HTTP/2 | ``connectingLimit`` | 16 for each connection |
///
/// Without a limit of those that connect, libcurl itself decides which requests wait for a connection that is being
/// opened.
///
/// A handshake may stall, so ``connectingLimit`` grows while others wait for it. After each event, transfers that wait
/// may be able to start:
///
/// | Event | ``connectingLimit`` | ``usesHTTP2`` |
/// | --- | --- | --- |
/// | a transfer has connected | 1 | |
/// | the head of a response has arrived | | whether it came over HTTP/2 |
/// | the last transfer has ended | 1 | |
/// | others have waited for 200 milliseconds | twice as many | |
struct ConnectGate {
    /// Whether requests to the host may use HTTP/2, and so share a connection.
    let mayUseHTTP2: Bool
    /// The most connections that libcurl opens to the host.
    private let connectionLimit: Int
    /// Whether the last response came over HTTP/2.
    private(set) var usesHTTP2 = false

    /// The number of transfers that libcurl has.
    private(set) var activeCount = 0
    /// How many of them have no connection yet.
    private var connectingCount = 0
    /// Whether a transfer has connected since the host last had no active transfers.
    private var hasConnection = false
    /// The wait of others for the connecting transfers; nil if none has waited since a transfer last connected.
    private var wait: Wait?

    /// The wait of transfers for others to connect.
    private struct Wait {
        /// How many may connect at once by now.
        let limit: Int
        /// When the limit is raised next.
        let nextRaise: ContinuousClock.Instant
    }

    /// How long transfers wait for others to connect before more may connect at once.
    static let patience = Duration.milliseconds(200)
    /// How many requests libcurl gets for each connection that it may open, if requests can share connections.
    static let requestsPerConnection = 16

    init(mayUseHTTP2: Bool, connectionLimit: Int) {
        self.mayUseHTTP2 = mayUseHTTP2
        self.connectionLimit = connectionLimit
    }

    // MARK: - Decisions

    /// Whether libcurl may get another transfer.
    var mayStart: Bool {
        if activeCount >= activeLimit { return false }
        return !limitsConnecting || connectingCount < connectingLimit
    }

    /// Whether the number of transfers that connect at once is limited: if requests may use HTTP/2, until a transfer
    /// has connected. After that only if the last response came over HTTP/2; otherwise the server may not support it.
    var limitsConnecting: Bool {
        let mayLackHTTP2 = hasConnection && !usesHTTP2
        return mayUseHTTP2 && !mayLackHTTP2
    }

    /// How many transfers may connect at once, if that is limited.
    private var connectingLimit: Int { wait?.limit ?? 1 }

    /// How many transfers libcurl may have at a time. libcurl itself limits the number of connections, which several
    /// transfers may share over HTTP/2.
    private var activeLimit: Int {
        usesHTTP2 ? connectionLimit * Self.requestsPerConnection : connectionLimit
    }

    // MARK: - Events

    /// Notes that a transfer was handed to libcurl.
    mutating func didStart() {
        activeCount += 1
        connectingCount += 1
    }

    /// Notes that a transfer has got its connection.
    mutating func didConnect() {
        connectingCount -= 1
        hasConnection = true
        wait = nil
    }

    /// Notes that the head of a response has arrived.
    mutating func didRespond(overHTTP2 usesHTTP2: Bool) {
        self.usesHTTP2 = usesHTTP2
    }

    /// Notes that a transfer has ended or was stopped.
    ///
    /// - Parameter hasConnected: Whether it had got its connection.
    mutating func didEnd(hasConnected: Bool) {
        activeCount -= 1
        if !hasConnected { connectingCount -= 1 }
        if activeCount == 0 {
            // The connection may be closed from now on.
            hasConnection = false
            wait = nil
        }
    }

    /// Doubles the number of transfers that may connect at once, if others have waited for that long enough. Called
    /// when a transfer begins to wait for the host, and again, as long as there is one, at each time that this returns.
    ///
    /// - Returns: When to call this again; nil if the waiting transfers do not wait for others to connect.
    @discardableResult
    mutating func raiseLimit(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard limitsConnecting, connectingCount > 0 else { return nil }
        guard let wait else {
            return beginWait(at: now, limit: 1)
        }
        if now < wait.nextRaise { return wait.nextRaise }
        return beginWait(at: now, limit: min(wait.limit * 2, activeLimit))
    }

    /// Begins to wait, with a limit that applies until the time that this returns.
    private mutating func beginWait(at now: ContinuousClock.Instant, limit: Int) -> ContinuousClock.Instant {
        let nextRaise = now + Self.patience
        wait = Wait(limit: limit, nextRaise: nextRaise)
        return nextRaise
    }
}
#endif
