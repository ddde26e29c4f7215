import OpenAPIRules

/// A message that the API sends to a server of its users: a webhook, or a callback that an operation announces.
struct Webhook {
    /// The name in the source, such as `orderShipped`.
    var name: String
    /// The operation that announces a callback; nil for a webhook.
    var operation: String?
    /// A summary in one line.
    var summary: String?
    /// A longer description.
    var documentation: String?
    /// The payload, which is JSON.
    var schema: Schema
    /// Examples of the payload.
    var examples: [Node] = []
    /// Where it is.
    var place: Place
}
