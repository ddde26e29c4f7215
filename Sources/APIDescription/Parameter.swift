import APIKitCore
import APIKitTesting

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    /// How the value of a parameter is written (OpenAPI 3.1, "Style Values").
    struct Style: RawRepresentable, Equatable, Sendable {
        let rawValue: String

        /// The style of a field that may have any.
        static let any = Style(rawValue: "")
        static let form = Style(rawValue: "form")
        static let simple = Style(rawValue: "simple")
        static let deepObject = Style(rawValue: "deepObject")
        static let pipeDelimited = Style(rawValue: "pipeDelimited")
        static let spaceDelimited = Style(rawValue: "spaceDelimited")

        /// What separates the elements of a list that is written as one item.
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
    /// Where the parameter is: `path`, `query`, `header`, `cookie` or, for a field, `body`.
    let location: String
    let schema: Node?
    let style: Style
    /// Whether each element of a list, or each member of an object, is an item of its own.
    let explodes: Bool

    /// What distinguishes parameters. The names of headers ignore case.
    var key: [String] {
        let isHeader = location == "header"
        return [location, isHeader ? name.lowercased() : name]
    }

    /// A parameter of an operation; nil without a name or a place, and for headers that a description has elsewhere.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        let isDescribedElsewhere = ["accept", "content-type", "authorization"].contains(name.lowercased())
        if location == "header", isDescribedElsewhere { return nil }

        self.node = node
        self.name = name
        self.location = location
        schema = node["schema"]
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

    /// A field of a form.
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
