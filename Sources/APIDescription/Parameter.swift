import APIKitCore
import APIKitTesting

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    /// How the value of a parameter is written (OpenAPI 3.1, "Style Values").
    struct Style: RawRepresentable, Equatable, Sendable {
        let rawValue: String

        /// The style of a field in a form whose encoding is not described. Any style is accepted.
        static let any = Style(rawValue: "")
        static let form = Style(rawValue: "form")
        static let simple = Style(rawValue: "simple")
        static let deepObject = Style(rawValue: "deepObject")
        static let pipeDelimited = Style(rawValue: "pipeDelimited")
        static let spaceDelimited = Style(rawValue: "spaceDelimited")

        /// The separator between the elements of a list that is sent as one item.
        var separator: String {
            switch self {
            case .pipeDelimited: "|"
            case .spaceDelimited: " "
            default: ","
            }
        }
    }

    let node: Node
    let name: String
    /// The location of the parameter: `path`, `query`, `header`, `cookie` or, for a field of a form, `body`.
    let location: String
    let schema: Node?
    let style: Style
    /// Whether each element of a list, or each member of an object, is sent as a separate item.
    let explodes: Bool

    /// The identity of the parameter within an operation: its location and name. Names of headers are case-insensitive.
    var key: [String] {
        let isHeader = location == "header"
        return [location, isHeader ? name.lowercased() : name]
    }

    /// Reads a parameter of an operation.
    ///
    /// Nil for a parameter without a name or a location, and for `Accept`, `Content-Type` and `Authorization`: OpenAPI
    /// ignores parameters of these names, since a description states them as content types and security schemes.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        let ignoredHeaders = ["accept", "content-type", "authorization"]
        if location == "header", ignoredHeaders.contains(name.lowercased()) { return nil }

        self.node = node
        self.name = name
        self.location = location
        schema = node["schema"]
        // The defaults are those of OpenAPI.
        if let style = node["style"]?.string {
            self.style = Style(rawValue: style)
        } else {
            self.style = ["query", "cookie"].contains(location) ? .form : .simple
        }
        if node["explode"] != nil {
            explodes = node.isTrue("explode")
        } else {
            explodes = style == .form
        }
    }

    /// Creates a field of a form from the schema of its value and from its encoding, if that is described.
    init(field name: String, _ schema: Node, encoding: Node?) {
        node = schema
        self.name = name
        location = "body"
        self.schema = schema
        let explode = encoding?["explode"]
        if let style = encoding?["style"]?.string {
            self.style = Style(rawValue: style)
        } else {
            style = explode == nil ? .any : .form
        }
        explodes = explode == nil || encoding?.isTrue("explode") == true
    }
}
