/// The part of a request that has a parameter.
public enum ParameterLocation: Hashable, Sendable {
    /// A value in the path, such as `{id}`.
    case path
    /// An item of the query.
    case query
    /// A header.
    case header
    /// A cookie.
    case cookie
    /// A location that OpenAPI 3 does not have, such as the `formData` of older descriptions.
    case other(String)

    /// The location with a name.
    public init(_ name: String) {
        switch name {
        case "path": self = .path
        case "query": self = .query
        case "header": self = .header
        case "cookie": self = .cookie
        default: self = .other(name)
        }
    }

    /// Reads the location of a parameter. An encoding has none: the fields of a form are written like a query.
    public init(of node: Node) {
        self = node["in"]?.string.map(ParameterLocation.init) ?? .query
    }

    /// The name, as a description writes it.
    public var name: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .header: "header"
        case .cookie: "cookie"
        case .other(let name): name
        }
    }
}
