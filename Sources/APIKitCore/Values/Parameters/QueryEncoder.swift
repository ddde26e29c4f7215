import APIKitSupport

/// Writes parameters as `name=value&name=value`, for a query (RFC 3986) or a form (WHATWG URL).
package struct QueryEncoder {
    package enum Encoding {
        /// A space is `%20`; only unreserved characters are not encoded.
        case query
        /// A space is `+`, `*` is kept and `~` is encoded.
        case form
    }

    package private(set) var bytes: [UInt8]
    private let style: ParameterStyle
    private let encoding: Encoding
    private let percentEncoding: PercentEncoding
    /// The byte to write before the next pair; nil if none is needed.
    private var separator: UInt8?

    /// Creates an encoder that appends its pairs to `bytes`.
    package init(_ encoding: Encoding, style: ParameterStyle, bytes: [UInt8] = [], separator: UInt8? = nil) {
        self.encoding = encoding
        percentEncoding = encoding == .query ? .query : .form
        self.style = style
        self.bytes = bytes
        self.separator = separator
    }

    /// Appends a pair for each value of the parameters. A list that is written as one value is left out if it is empty.
    ///
    /// - Throws: ``RequestError`` for a file, a number that is not finite, or a comma list of more than plain values.
    package mutating func append(_ parameters: Parameters) throws(RequestError) {
        try parameters.forEachLeaf(style: style) { name, value throws(RequestError) in
            switch value {
            case .text(let text):
                append(name: name)
                append(text)
            case .joined(let texts, let delimiter):
                guard let first = texts.first else { return }
                append(name: name)
                append(first)
                for text in texts.dropFirst() {
                    append(delimiter)
                    append(text)
                }
            case .flag:
                appendOnly(name: name)
            case .file:
                throw RequestError(
                    .parameters, "the file \(name.debugDescription) fits neither a query nor a plain form")
            }
        }
    }

    private mutating func append(name: String) {
        appendOnly(name: name)
        bytes.append(UInt8(ascii: "="))
    }

    /// Appends a name without the `=` of a value.
    private mutating func appendOnly(name: String) {
        if let separator { bytes.append(separator) }
        separator = UInt8(ascii: "&")
        append(name)
    }

    /// Appends what separates the values of a list that is written as one value.
    private mutating func append(_ delimiter: Parameters.Separator) {
        // In a query, a comma that separates stays as it is, so that it differs from a comma within a value, which is
        // encoded. A form has no such difference.
        if delimiter == .comma, encoding == .query {
            bytes.append(UInt8(ascii: ","))
        } else {
            append(delimiter.rawValue)
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(text, percentEncoded: percentEncoding)
    }
}
