/// A model with the status, headers and timing of its response.
public struct APIReply<Model: Sendable>: Sendable {
    /// The model.
    public var model: Model
    /// The status, the headers and the final URL.
    public var head: HTTPResponse.Head
    /// Timestamps of each step, as far as the engine knows them.
    public var timing: HTTPResponse.Timing

    /// Creates a reply.
    public init(model: Model, head: HTTPResponse.Head, timing: HTTPResponse.Timing = HTTPResponse.Timing()) {
        self.model = model
        self.head = head
        self.timing = timing
    }
}
