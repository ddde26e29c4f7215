#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Keeps libcurl from sending a request more than once: it would do so by itself over a kept connection that breaks,
/// and whether that is right is for the exchange to decide.
struct SendingGuard {
    /// How often the head has been sent, or would have been.
    private(set) var timesSent = 0
    /// Whether the server has refused the request without processing it (RFC 9113, section 8.7).
    var isRefused = false
    /// The connection that the request is sent over, as far as it is known.
    private var connection: Int64 = 0

    /// Whether libcurl asks before it sends a request, and so before it sends one again (7.80).
    static let isAsked = CurlVersion.installed >= CurlVersion(7, 80)

    /// Called before the request is sent.
    ///
    /// - Returns: Whether it may be.
    mutating func willSend() -> Bool {
        timesSent += 1
        return timesSent == 1
    }

    /// Called after each step of a transfer by a libcurl that does not ask: also between the choice of a connection and
    /// the sending of the head.
    ///
    /// - Returns: Whether the transfer may continue: not over another connection once the head has been sent.
    mutating func mayContinue(_ easy: OpaquePointer) -> Bool {
        let connection = acurl_connection(easy)
        if acurl_get(easy, Int32(CURLINFO_PRETRANSFER_TIME_T)) == 0 {
            self.connection = connection
        } else if timesSent == 0 {
            timesSent = 1
        }
        return timesSent == 0 || connection == self.connection
    }
}
#endif
