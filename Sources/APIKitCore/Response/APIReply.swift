/// A model together with what came around it: status, headers, timing.
public struct APIReply<Model: Sendable>: Sendable {
    /// The model.
    public var model: Model
    /// Status, headers and final URL.
    public var head: HTTPResponse.Head
    /// When what happened, as far as the engine can tell.
    public var timing: HTTPResponse.Timing

    /// Makes a reply of its parts.
    public init(model: Model, head: HTTPResponse.Head, timing: HTTPResponse.Timing = HTTPResponse.Timing()) {
        self.model = model
        self.head = head
        self.timing = timing
    }
}
