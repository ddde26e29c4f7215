/// What the clients of a call say before its engine sends a request again.
struct ResendRule: Sendable {
    /// Whether all clients allow to send the request again.
    let allows: @Sendable (Call.Resend) -> Bool
    /// Called right before the request is sent again.
    let willResend: @Sendable (Call.Resend) -> Void
}
