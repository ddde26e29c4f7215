import APIKitCore

/// The tokens of a JSON text (RFC 8259, section 2), also of one that is cut off. It does not check the grammar.
struct JSONTokens: Sequence, IteratorProtocol {
    enum Kind {
        /// `{` or `[`.
        case open
        /// `}` or `]`.
        case close
        case colon, comma, string
        /// A number, `true`, `false` or `null`.
        case scalar
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> (kind: Kind, range: Range<Int>)? {
        while position < bytes.count, " \t\r\n\u{FEFF}".utf8.contains(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let kind: Kind =
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): .open
            case UInt8(ascii: "}"), UInt8(ascii: "]"): .close
            case UInt8(ascii: ":"): .colon
            case UInt8(ascii: ","): .comma
            case UInt8(ascii: "\""): .string
            default: .scalar
            }
        let start = position
        position += 1
        if kind == .string {
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
        } else if kind == .scalar {
            while position < bytes.count, !" \t\r\n,:{}[]\"".utf8.contains(bytes[position]) { position += 1 }
        }
        // A string without its end is not a token.
        return position <= bytes.count ? (kind, start..<position) : nil
    }

    // MARK: - Text

    /// Whether a text is JSON, nested up to 512 deep. Like `JSONDecoder` it allows what that does not read, such as
    /// half of a pair of surrogates in a string, so that the names of members still count.
    static func areValid(in data: Data) -> Bool {
        // The space, since `JSONDecoder` ends the process at a text whose last byte opens one array too many.
        (try? JSONDecoder().decode(Anything.self, from: data + [0x20])) != nil
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// The text of a string token; nil for an invalid escape, a control character, and invalid UTF-8.
    static func unescaped(_ token: ArraySlice<UInt8>) -> String? {
        try? JSONReader().decode(String.self, from: token)
    }
}
