/// A response without a body to read, such as a 204, or with a body that does not matter.
public struct NoContent: APIResponse, Hashable {
    /// Creates a value.
    public init() {}

    /// Ignores the body.
    public static func process(data: Data) throws -> NoContent {
        NoContent()
    }
}
