/// What the clients of a call say before its engine sends a request again, after a sending that has failed.
package struct ResendRule: Sendable {
    /// A sending that has failed before a response.
    package struct Failure: Sendable {
        package let error: TransportError
        /// Whether the server has refused the request without processing it (RFC 9113, section 8.7). Otherwise, the
        /// server may have processed it.
        package let isRefused: Bool
    }

    /// Whether all clients allow to send the request again.
    package let allows: @Sendable (Failure) -> Bool
    /// Called right before the request is sent again.
    package let willResend: @Sendable (Failure) -> Void
}
