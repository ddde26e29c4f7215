/// How a list or an object is written as the value of a parameter, or of a field in a form.
///
/// OpenAPI states this by `style` and `explode` (OpenAPI 3.1, "Style Values"):
///
/// | Style | exploded | not exploded |
/// | --- | --- | --- |
/// | `form` | `ids=1&ids=2` | `ids=1,2` |
/// | `pipeDelimited` | `ids=1&ids=2` | `ids=1\|2` |
/// | `deepObject` | `user[name]=a` | |
public struct ParameterSerialization: Hashable, Sendable {
    /// The name of a style. Descriptions may use names that OpenAPI does not define.
    public struct Style: RawRepresentable, Hashable, Sendable {
        /// The name as it is written.
        public let rawValue: String

        /// Creates a style with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// `ids=1&ids=2`, the default in a query.
        public static let form = Style(rawValue: "form")
        /// `1,2`, the default in a path and in a header.
        public static let simple = Style(rawValue: "simple")
        /// `user[name]=a`
        public static let deepObject = Style(rawValue: "deepObject")
        /// `ids=1|2`
        public static let pipeDelimited = Style(rawValue: "pipeDelimited")
        /// `ids=1 2`
        public static let spaceDelimited = Style(rawValue: "spaceDelimited")
        /// `.1.2`, in a path.
        public static let label = Style(rawValue: "label")
        /// `;ids=1,2`, in a path.
        public static let matrix = Style(rawValue: "matrix")

        /// The separator between the elements of a list that is sent as one item.
        public var separator: String {
            switch self {
            case .pipeDelimited: "|"
            case .spaceDelimited: " "
            default: ","
            }
        }
    }

    /// The style.
    public let style: Style
    /// Whether each element of a list, or each member of an object, is sent as a separate item.
    public let explodes: Bool

    /// Creates the serialization that a description states, with OpenAPI's defaults for what it omits.
    ///
    /// - Parameters:
    ///   - style: The value of `style`; nil if there is none.
    ///   - explode: The value of `explode`; nil if there is none.
    ///   - location: The location of the parameter. The fields of a form are written like a `query`.
    public init(style: String?, explode: Bool?, location: ParameterLocation) {
        let isLikeQuery = location == .query || location == .cookie
        let defaultStyle: Style = isLikeQuery ? .form : .simple
        self.style = style.map(Style.init) ?? defaultStyle
        self.explodes = explode ?? (self.style == .form)
    }

    /// Reads the serialization of a parameter, or the encoding of a form's field.
    ///
    /// A `style` that is not a text counts as missing, and an `explode` that is not a Boolean as false.
    public init(of node: Node) {
        let explode = node["explode"].map { $0.bool == true }
        self.init(style: node["style"]?.string, explode: explode, location: ParameterLocation(of: node))
    }
}

extension ParameterLocation {
    /// The styles that OpenAPI has for a location; nil for a cookie and for unknown locations.
    public var styles: Set<ParameterSerialization.Style>? {
        switch self {
        case .path: [.simple, .label, .matrix]
        case .query: [.form, .spaceDelimited, .pipeDelimited, .deepObject]
        case .header: [.simple]
        case .cookie, .other: nil
        }
    }
}
