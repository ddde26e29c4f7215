/// Copies a text and replaces what stands behind secret names.
struct SecretScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    private static let name = ByteSet.unreserved.union("%[]+")
    private static let endOfValue = ByteSet(" \t\r\n&,;)}]>\"'#")
    private static let endOfLine = ByteSet("\r\n\"'")
    private static let endOfAuthority = ByteSet("/?# \t\r\n\"'<>")
    private static let schemes = ["bearer", "basic"]
    private static let namesOfWholeLines = ["authorization", "cookie"]

    init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
    }

    mutating func masked() -> String {
        while position < bytes.count {
            if Self.name.contains(bytes[position]) {
                copyName()
            } else if bytes[position...].starts(with: "://".utf8) {
                copyAuthority()
            } else {
                copy(1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Copies a name; where it is a secret's, copies what separates it from its value and masks the value.
    private mutating func copyName() {
        let start = position
        while position < bytes.count, Self.name.contains(bytes[position]) { position += 1 }
        output += bytes[start..<position]
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        let isScheme = Self.schemes.contains { $0.equalsIgnoringASCIICase(name) }
        guard isScheme || Masking.isSecret(name), let value = startOfValue(afterScheme: isScheme) else { return }
        copy(value - position)
        let isWholeLine = Self.namesOfWholeLines.contains { name.lowercased().hasSuffix($0) }
        maskValue(toEndOfLine: isWholeLine)
    }

    /// Where the value of the name that was just read begins: behind `=`, `:` or `":`, or a space after a scheme.
    private func startOfValue(afterScheme isScheme: Bool) -> Int? {
        var next = position
        func skip(_ characters: String) {
            while next < bytes.count, characters.utf8.contains(bytes[next]) { next += 1 }
        }
        skip("\"'\\")
        let afterQuotes = next
        skip(" ")
        if next < bytes.count, bytes[next] == UInt8(ascii: "=") || bytes[next] == UInt8(ascii: ":") {
            next += 1
            skip(" ")
            return next < bytes.count ? next : nil
        }
        return isScheme && afterQuotes == position && next > position && next < bytes.count ? next : nil
    }

    private mutating func maskValue(toEndOfLine: Bool) {
        let isEscaped = bytes[position] == UInt8(ascii: "\\")
        if isEscaped { copy(1) }
        guard position < bytes.count else { return }
        let first = bytes[position]
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            copy(1)
            skipQuoted(by: first, isEscaped: isEscaped)
        } else if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return  // an object or a list: its own names decide
        } else {
            skipWords(until: toEndOfLine ? Self.endOfLine : Self.endOfValue)
        }
        output += Masking.mask.utf8
    }

    private mutating func skipQuoted(by quote: UInt8, isEscaped: Bool) {
        while position < bytes.count, bytes[position] != quote {
            if bytes[position] == UInt8(ascii: "\\") {
                if isEscaped { return }
                position += 1
            }
            position += 1
        }
        position = min(position, bytes.count)
    }

    /// Skips an unquoted value: a word, and behind the name of an authentication scheme the next word too.
    private mutating func skipWords(until end: ByteSet) {
        let start = position
        while position < bytes.count, !end.contains(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        guard Self.schemes.contains(where: { $0.equalsIgnoringASCIICase(word) }) else { return }
        while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
        while position < bytes.count, !Self.endOfValue.contains(bytes[position]) { position += 1 }
    }

    /// Copies `://` and leaves out the user information behind it.
    private mutating func copyAuthority() {
        copy(3)
        let rest = bytes[position...]
        let end = rest.firstIndex(where: Self.endOfAuthority.contains) ?? bytes.count
        if let at = rest[..<end].lastIndex(of: UInt8(ascii: "@")) { position = at + 1 }
    }

    private mutating func copy(_ count: Int) {
        output += bytes[position..<(position + count)]
        position += count
    }
}
