/// A webhook or a callback as it is written.
struct WebhookShape {
    let webhook: Webhook
    /// The name of the type of its payload, such as `OrderShippedEvent`.
    let name: String
}
