/// The location and the name of a parameter, by which OpenAPI tells the parameters of an operation apart.
///
/// Names of headers are case-insensitive: `X-Trace` and `x-trace` have the same key.
public struct ParameterKey: Hashable, Sendable {
    /// The location.
    public let location: ParameterLocation
    /// The name, in lower case for a header.
    public let name: String

    /// Creates a key.
    public init(location: ParameterLocation, name: String) {
        self.location = location
        self.name = location == .header ? name.lowercased() : name
    }

    /// Reads the key of a parameter; nil if the parameter has no location or no name.
    public init?(of parameter: Node) {
        guard let location = parameter["in"]?.string, let name = parameter["name"]?.string else { return nil }
        self.init(location: ParameterLocation(location), name: name)
    }

    /// Whether OpenAPI ignores the parameter (OpenAPI 3.1, 4.8.12): a header that other parts of a description state,
    /// as the content types of bodies and as security schemes.
    public var isIgnored: Bool {
        location == .header && ["accept", "content-type", "authorization"].contains(name)
    }
}
