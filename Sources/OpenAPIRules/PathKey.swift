/// A key of the object `paths`, which names the operations of one path.
///
/// Some descriptions append a query or a fragment, to distinguish operations that have the same path. The key
/// `/search?type=code#files` has the path `/search` and the query item `type`; the fragment is ignored.
public struct PathKey: Hashable, Sendable {
    /// The path, with the names of its values in braces: `/users/{id}`.
    public let path: String
    /// The items of the query.
    public let query: [QueryItem]

    /// The members of a path item that describe an operation, by the name of the method.
    public static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// Splits a key.
    public init(_ key: String) {
        let pathAndQuery = key.prefix { $0 != "#" }
        let path = pathAndQuery.prefix { $0 != "?" }
        self.path = String(path)
        query = QueryItem.items(of: pathAndQuery.dropFirst(path.count + 1))
    }
}
