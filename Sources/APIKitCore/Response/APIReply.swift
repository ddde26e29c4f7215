/// A model together with its status, headers and timing.
public struct APIReply<Model: Sendable>: Sendable {
    /// The model.
    public var model: Model
    /// The status, the headers and the final URL.
    public var head: HTTPResponse.Head
    /// Timestamps of each step that the engine reports.
    public var timing: HTTPResponse.Timing

    /// Creates a reply.
    public init(model: Model, head: HTTPResponse.Head, timing: HTTPResponse.Timing = HTTPResponse.Timing()) {
        self.model = model
        self.head = head
        self.timing = timing
    }
}
