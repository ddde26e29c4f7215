/// A model together with the status, headers, timing and source of its response.
public struct APIReply<Model: Sendable>: Sendable {
    /// The model.
    public var model: Model
    /// The status, the headers and the final URL.
    public var head: HTTPResponse.Head
    /// Timestamps of each step that the engine reports.
    public var timing: HTTPResponse.Timing
    /// Whether the response comes from the network or from a cache.
    public var source: HTTPResponse.Source

    /// Creates a reply.
    public init(
        model: Model,
        head: HTTPResponse.Head,
        timing: HTTPResponse.Timing = HTTPResponse.Timing(),
        source: HTTPResponse.Source = .network
    ) {
        self.model = model
        self.head = head
        self.timing = timing
        self.source = source
    }
}
