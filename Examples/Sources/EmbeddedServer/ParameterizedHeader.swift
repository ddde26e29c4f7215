/// A header value with parameters, such as `form-data; name="photo"; filename="cat.jpg"`.
struct ParameterizedHeader {
    /// The text before the first semicolon, in lowercase.
    let value: String

    /// The parameters without quotes, by their lowercase names; the first of a repeated one is used.
    let parameters: [String: String]

    /// Reads a header value.
    ///
    /// A backslash in quotes is literal: form data escapes with percent signs (WHATWG's HTML standard,
    /// section 4.10.21.8), and a boundary needs no escapes (RFC 2046, section 5.1.1).
    init(_ text: String) {
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ";"), !isQuoted {
                pieces.append([])
            } else {
                pieces[pieces.count - 1].append(byte)
            }
        }
        value = Self.trimmed(pieces[0][...]).lowercased()
        parameters = pieces.dropFirst().reduce(into: [:]) { parameters, piece in
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return }
            let name = Self.trimmed(piece[..<equals]).lowercased()
            let value = Self.trimmed(piece[(equals + 1)...])
            if parameters[name] == nil { parameters[name] = Self.unquoted(value) }
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let start = bytes.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }

    private static func unquoted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return text }
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
