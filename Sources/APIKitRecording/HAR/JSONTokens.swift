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

    struct Token {
        let kind: Kind
        let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> Token? {
        // The bytes of a byte order mark are skipped like white space.
        skip { " \t\r\n\u{FEFF}".utf8.contains($0) }
        guard position < bytes.count else { return nil }
        let start = position
        let kind = Self.kind(ofFirst: bytes[position])
        position += 1
        switch kind {
        case .string: skipString()
        case .scalar: skip { !" \t\r\n,:{}[]\"".utf8.contains($0) }
        case .open, .close, .colon, .comma: break
        }
        // A string without its closing quote leaves the position past the end, and is not a token.
        guard position <= bytes.count else { return nil }
        return Token(kind: kind, range: start..<position)
    }

    private static func kind(ofFirst byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): .open
        case UInt8(ascii: "}"), UInt8(ascii: "]"): .close
        case UInt8(ascii: ":"): .colon
        case UInt8(ascii: ","): .comma
        case UInt8(ascii: "\""): .string
        default: .scalar
        }
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    /// Skips the rest of a string and its closing quote. If the quote is missing, the position is then past the end.
    private mutating func skipString() {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            let isEscape = bytes[position] == UInt8(ascii: "\\")
            // A backslash and the byte after it, such as a quote, are skipped together.
            position += isEscape ? 2 : 1
        }
        position += 1
    }

    // MARK: - Text

    /// Whether a text is JSON, nested up to 512 deep.
    ///
    /// A string may contain half of a surrogate pair, which `JSONDecoder` refuses only when it decodes that string. The
    /// names of members can still be found in such a text.
    static func areValid(in data: Data) -> Bool {
        // `JSONDecoder` ends the process if the last byte of a text opens an array beyond its limit of nesting. The
        // appended space avoids that.
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
