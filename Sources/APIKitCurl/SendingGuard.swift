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
    /// The connection that libcurl had chosen before it began to send the head; nil until it has chosen one. Only used
    /// before libcurl 7.80.
    private var chosenConnection: Int64?

    /// Whether libcurl calls back before each attempt to send a request (7.80 and newer). Older versions only call back
    /// after each step of a transfer.
    static let isAskedBeforeSending = CurlVersion.installed >= CurlVersion(7, 80)

    /// Notes that libcurl 7.80 or newer is about to send the head.
    ///
    /// - Returns: Whether libcurl may send it, which is so for the first attempt only.
    mutating func noteAttempt() -> Bool {
        let isFirstAttempt = !hasBegun
        hasBegun = true
        return isFirstAttempt
    }

    /// Notes a step of a transfer in a libcurl before 7.80, which reports at least one step between the choice of a
    /// connection and the sending of the head.
    ///
    /// - Returns: Whether the transfer may continue. Once libcurl has begun to send the head, a change of the
    ///   connection means that it is about to send the request again.
    mutating func noteStep(of easy: OpaquePointer) -> Bool {
        let connection = acurl_connection(easy)
        // libcurl sets this time when it begins to send for the first time, and keeps it for further attempts.
        let beginsToSend = acurl_get(easy, Int32(CURLINFO_PRETRANSFER_TIME_T)) != 0
        guard beginsToSend else {
            chosenConnection = connection
            return true
        }
        hasBegun = true
        return connection == chosenConnection
    }
}
#endif
