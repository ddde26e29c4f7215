#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Keeps libcurl from sending a request a second time.
///
/// If a kept connection breaks, libcurl sends the request again over another connection. Whether a request may be
/// repeated is the decision of the exchange, so this guard makes libcurl fail instead.
struct SendingGuard {
    /// Whether libcurl has begun to send the head of the request.
    private(set) var hasBegun = false
    /// Whether the server has refused the request without processing it (RFC 9113, section 8.7).
    var isRefused = false
    /// Whether the first connection that libcurl has chosen for the request was a kept one; nil before that.
    ///
    /// It is noted before sending, since libcurl opens another connection before it would send a second time.
    private(set) var isConnectionReused: Bool?
    /// The connection that libcurl had chosen before it began to send the head; nil until it has chosen one. Only used
    /// by ``noteStep(of:)``.
    private var chosenConnection: Connection?

    /// What an event means for the request.
    struct Verdict {
        /// Whether libcurl begins to send the head, for the first time.
        let beginsNow: Bool
        /// Whether the transfer may continue: false if libcurl is about to send the request again.
        let mayContinue: Bool
    }

    /// Notes that libcurl is about to send the head, if it calls back before that. It may send the head once.
    ///
    /// - Parameter openedCount: The number of connections that libcurl has opened for the transfer.
    /// - Returns: Whether it may do so now.
    mutating func noteAttempt(openedCount: Int64) -> Verdict {
        let isFirstAttempt = !hasBegun
        hasBegun = true
        if isFirstAttempt { isConnectionReused = openedCount == 0 }
        return Verdict(beginsNow: isFirstAttempt, mayContinue: isFirstAttempt)
    }

    /// Notes a step of a transfer, if libcurl does not call back before it sends; see
    /// ``CurlVersion/callsBackBeforeSending``. Detects a second attempt: once sending has begun, the transfer has
    /// another connection than the chosen one.
    ///
    /// Such a libcurl reports at least one step between choosing a connection and sending the head. So the connection
    /// that was seen last before sending is the chosen one.
    mutating func noteStep(of easy: OpaquePointer) -> Verdict {
        let connection = Connection(of: easy)
        // libcurl sets this time when it begins to send for the first time, and keeps it for further attempts.
        let hasBegunToSend = acurl_get(easy, Int32(CURLINFO_PRETRANSFER_TIME_T)) != 0
        if !hasBegunToSend {
            chosenConnection = connection
            isConnectionReused = connection.openedCount == 0
            return Verdict(beginsNow: false, mayContinue: true)
        }
        let beginsNow = !hasBegun
        hasBegun = true
        return Verdict(beginsNow: beginsNow, mayContinue: connection == chosenConnection)
    }

    /// What libcurl reports about the connection of a transfer. Each value differs in some cases in which the
    /// connection does, and all of them are the same as long as it is the same connection.
    private struct Connection: Equatable {
        /// The number of connections that were opened for the transfer.
        fileprivate let openedCount: Int64
        // The port and the address identify a connection that other transfers use as well.
        let localPort: Int64
        let address: String
        /// The time of the name look-up, which grows each time that libcurl chooses a connection that is idle.
        let nameLookup: Int64

        init(of easy: OpaquePointer) {
            openedCount = acurl_get(easy, Int32(CURLINFO_NUM_CONNECTS))
            localPort = acurl_get(easy, Int32(CURLINFO_LOCAL_PORT))
            address = acurl_get_text(easy, Int32(CURLINFO_PRIMARY_IP)).map { String(cString: $0) } ?? ""
            nameLookup = acurl_get(easy, Int32(CURLINFO_NAMELOOKUP_TIME_T))
        }
    }
}
#endif
