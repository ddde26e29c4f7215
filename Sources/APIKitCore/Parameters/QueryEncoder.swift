/// Writes parameters as `name=value&name=value`, for a query (RFC 3986) or a form (WHATWG URL), straight into bytes.
struct QueryEncoder {
    enum Encoding {
        /// A space is `%20`, everything but unreserved characters is encoded.
        case query
        /// A space is `+`, `*` is kept and `~` is not.
        case form
    }

    var bytes: [UInt8] = []
    private let style: ParameterStyle
    private let encoding: Encoding
    private var isFirst = true

    init(style: ParameterStyle, encoding: Encoding) {
        self.style = style
        self.encoding = encoding
    }

    /// - Throws: ``RequestError`` for a file, a number that is not finite, or a comma list of more than plain values.
    mutating func append(_ parameters: Parameters) throws(RequestError) {
        for field in parameters {
            try append(field.name, field.value)
        }
    }

    private mutating func append(_ name: String, _ node: ParameterNode) throws(RequestError) {
        switch node.content {
        case .list(let nodes) where style.lists == .commas: try appendCommaList(name, nodes)
        case .list, .object:
            try node.forEachMember(of: name, style: style) { (name, node) throws(RequestError) in
                try append(name, node)
            }
        default: try appendPair(name, node)
        }
    }

    private mutating func appendPair(_ name: String, _ node: ParameterNode) throws(RequestError) {
        guard let text = try node.plainText(named: name, style: style) else {
            throw RequestError(.parameters, "the file \(name.debugDescription) fits neither a query nor a plain form")
        }
        appendName(name)
        appendText(text)
    }

    private mutating func appendCommaList(_ name: String, _ nodes: [ParameterNode]) throws(RequestError) {
        guard !nodes.isEmpty else { return }
        appendName(name)
        for (index, node) in nodes.enumerated() {
            if index > 0 {
                // A comma that separates stays a comma in a query; a form encodes every comma.
                if encoding == .query { bytes.append(UInt8(ascii: ",")) } else { appendText(",") }
            }
            guard node.isPlain, let text = try node.plainText(named: name, style: style) else {
                throw RequestError(.parameters, "the comma list \(name.debugDescription) holds more than plain values")
            }
            appendText(text)
        }
    }

    private mutating func appendName(_ name: String) {
        if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: "&")) }
        appendText(name)
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func appendText(_ text: String) {
        switch encoding {
        case .query: bytes.append(text, percentEncodingAllBut: .unreserved)
        case .form: bytes.append(text, percentEncodingAllBut: .form, spaceAsPlus: true)
        }
    }
}

extension ParameterNode {
    var isPlain: Bool {
        switch content {
        case .list, .object, .file: false
        case .null, .text, .number, .boolean, .date, .invalid: true
        }
    }

    /// Calls `visit` for each element of a list or member of an object, with the name it gets in a query or form.
    func forEachMember(
        of name: String,
        style: ParameterStyle,
        _ visit: (String, ParameterNode) throws(RequestError) -> Void
    ) throws(RequestError) {
        switch content {
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                switch style.lists {
                case .repeated, .commas: try visit(name, node)
                case .brackets: try visit("\(name)[]", node)
                case .indexed: try visit("\(name)[\(index)]", node)
                }
            }
        case .object(let members):
            for member in members {
                try visit(style.members == .dots ? "\(name).\(member.name)" : "\(name)[\(member.name)]", member.value)
            }
        case .null, .text, .number, .boolean, .date, .file, .invalid:
            try visit(name, self)
        }
    }

    /// The text of a plain value; nil for a file, a list or an object.
    func plainText(named name: String, style: ParameterStyle) throws(RequestError) -> String? {
        switch content {
        case .null: ""
        case .text(let text), .number(let text): text
        case .boolean(let value):
            switch style.booleans {
            case .words: value ? "true" : "false"
            case .digits: value ? "1" : "0"
            }
        case .date(let date, let own): try (own ?? style.dates).text(of: date, named: name)
        case .invalid(let problem): throw RequestError(.parameters, "\(name.debugDescription): \(problem)")
        case .list, .object, .file: nil
        }
    }
}
