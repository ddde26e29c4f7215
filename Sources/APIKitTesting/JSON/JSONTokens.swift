import APIKitCore

/// The tokens of a JSON text (RFC 8259, section 2), also of one that is cut off. It does not check the grammar.
package struct JSONTokens: Sequence, IteratorProtocol {
    package enum Kind {
        /// `{` or `[`.
        case open
        /// `}` or `]`.
        case close
        case colon, comma, string
        /// A number, `true`, `false` or `null`.
        case scalar
    }

    package struct Token {
        package let kind: Kind
        package let range: Range<Int>
    }

    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func next() -> Token? {
        while position < bytes.count, " \t\r\n\u{FEFF}".utf8.contains(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return token(.open, to: position + 1)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return token(.close, to: position + 1)
        case UInt8(ascii: ":"): return token(.colon, to: position + 1)
        case UInt8(ascii: ","): return token(.comma, to: position + 1)
        case UInt8(ascii: "\""): return endOfString.map { token(.string, to: $0) }
        default:
            let end = bytes[position...].dropFirst().firstIndex { " \t\r\n,:{}[]\"".utf8.contains($0) }
            return token(.scalar, to: end ?? bytes.count)
        }
    }

    /// The index after the closing quote; nil if it is missing.
    private var endOfString: Int? {
        var index = position + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    private mutating func token(_ kind: Kind, to end: Int) -> Token {
        defer { position = end }
        return Token(kind: kind, range: position..<end)
    }
}

extension JSONTokens {
    /// A text whose strings and numbers are replaced, but not the names of members.
    package static func replacing(in bytes: [UInt8], string: (String) -> String, number: String?) -> String {
        let tokens = Array(JSONTokens(bytes))
        var output: [UInt8] = []
        var end = 0
        for (index, token) in tokens.enumerated() {
            output += bytes[end..<token.range.lowerBound]
            end = token.range.upperBound
            let isName = index + 1 < tokens.count && tokens[index + 1].kind == .colon
            let first = bytes[token.range.lowerBound]
            if token.kind == .string, !isName {
                let content = bytes[(token.range.lowerBound + 1)..<(end - 1)]
                output += "\"\(string(String(decoding: content, as: UTF8.self)))\"".utf8
            } else if token.kind == .scalar, let number, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) {
                output += number.utf8
            } else {
                output += bytes[token.range]
            }
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    /// Whether a text is valid JSON.
    package static func isValid(_ text: String) -> Bool {
        (try? JSONDecoder().decode(Anything.self, from: Data(text.utf8))) != nil
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }
}
