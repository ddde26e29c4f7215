/// For an endpoint whose answer has nothing to read: a 204, or a body that does not matter.
public struct NoContent: APIResponse, Hashable {
    /// Makes the one value there is.
    public init() {}

    /// Reads nothing.
    public static func process(data: Data) throws -> NoContent {
        NoContent()
    }
}
