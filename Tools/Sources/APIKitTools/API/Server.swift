/// A server of an API, with a URL that may have variables.
struct Server {
    /// A part of the URL that callers may choose.
    struct Variable {
        /// The name in the source.
        var name: String
        /// The value unless a caller chooses another one; nil if the source does not describe the variable.
        var defaultValue: String?
        /// The only possible values; empty if there are others.
        var values: [String] = []
    }

    /// A part of the URL.
    enum Part {
        case text(String)
        case variable(Variable)
    }

    /// The URL without a slash at its end.
    var parts: [Part]
    /// A description, such as "Sandbox".
    var documentation: String?
    /// Where it is.
    var place: Place

    /// The URL with the default values of the variables. A variable without one stays, as its name in braces.
    var url: String {
        let texts = parts.map { part in
            switch part {
            case .text(let text): text
            case .variable(let variable): variable.defaultValue ?? "{\(variable.name)}"
            }
        }
        return Self.withoutSlashes(texts.joined())
    }

    /// Whether the URL is absolute, with the scheme http or https.
    var isAbsolute: Bool { url.hasPrefix("http://") || url.hasPrefix("https://") }

    /// A URL without slashes at its end.
    static func withoutSlashes(_ url: String) -> String {
        var rest = url[...]
        while rest.hasSuffix("/") { rest.removeLast() }
        return String(rest)
    }
}
