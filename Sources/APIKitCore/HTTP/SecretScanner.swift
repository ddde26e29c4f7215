/// Copies a text and replaces what stands behind secret names: `name=value`, `"name": "value"`, `Name: value`, also in
/// JSON within JSON, and `Bearer value`. Leaves out the user information of URLs.
struct SecretScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    private static let name = ByteSet.unreserved.union("%[]+")
    private static let space = ByteSet(" \t")
    private static let anySpace = ByteSet(" \t\r\n")
    private static let quotes = ByteSet("\"'")
    private static let token = ByteSet.unreserved.union("+/=")
    private static let endOfWord = ByteSet(" \t\r\n&,;)}]>\"'#")
    private static let endOfQueryValue = ByteSet(" \t\r\n&#\"")
    private static let endOfLine = ByteSet("\r\n")
    private static let endOfAuthority = ByteSet("/?# \t\r\n\"'<>\\")
    private static let schemes = ["bearer", "basic"]

    init(_ text: String) {
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
    }

    mutating func masked() -> String {
        while let byte = byte(at: position) {
            if Self.name.contains(byte) {
                copyName()
            } else if let slashes = ["://", ":\\/\\/"].first(where: { bytes[position...].starts(with: $0.utf8) }) {
                copy(slashes.utf8.count)
                skipUserInformation()
            } else {
                copy(1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private func byte(at index: Int) -> UInt8? {
        index >= 0 && index < bytes.count ? bytes[index] : nil
    }

    private func end(of set: ByteSet, from index: Int) -> Int {
        bytes[min(index, bytes.count)...].firstIndex { !set.contains($0) } ?? bytes.count
    }

    private func firstIndex(of set: ByteSet, from index: Int) -> Int {
        bytes[min(index, bytes.count)...].firstIndex(where: set.contains) ?? bytes.count
    }

    private mutating func copy(_ count: Int) {
        output += bytes[position..<(position + count)]
        position += count
    }

    private mutating func mask(to end: Int) {
        output += Masking.mask.utf8
        position = max(position, end)
    }

    private mutating func skipUserInformation() {
        let end = firstIndex(of: Self.endOfAuthority, from: position)
        if let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) { position = at + 1 }
    }
}

// MARK: - Names and what stands behind them

extension SecretScanner {
    /// Copies a name and, where it is a secret's, what separates it from its value; masks the value.
    private mutating func copyName() {
        let start = position
        let end = end(of: Self.name, from: start)
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        copy(end - start)
        if Masking.isSecret(name), let value = startOfValue() {
            let separator = bytes[end..<value]
            copy(value - end)
            let introducer = byte(at: start - 1)
            let isInQuery =
                (introducer == UInt8(ascii: "?") || introducer == UInt8(ascii: "&"))
                && separator.elementsEqual("=".utf8)
            maskValue(of: name, isInQuery: isInQuery, behind: introducer)
        } else if Self.schemes.contains(where: name.equalsIgnoringASCIICase) {
            maskCredentials()
        }
    }

    /// Where the value of the name that was just read begins: behind `=` or `:`.
    private func startOfValue() -> Int? {
        var next = end(of: ByteSet("\\"), from: position)
        let isQuoted = byte(at: next).map(Self.quotes.contains) ?? false
        if isQuoted { next += 1 } else { next = position }
        let space = isQuoted ? Self.anySpace : Self.space
        next = end(of: space, from: next)
        guard let sign = byte(at: next), sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else { return nil }
        next = end(of: space, from: next + 1)
        return next < bytes.count ? next : nil
    }

    private mutating func maskValue(of name: String, isInQuery: Bool, behind introducer: UInt8?) {
        if isInQuery { return mask(to: firstIndex(of: Self.endOfQueryValue, from: position)) }
        let afterBackslashes = end(of: ByteSet("\\"), from: position)
        if let quote = byte(at: afterBackslashes), Self.quotes.contains(quote) {
            let depth = afterBackslashes - position
            copy(depth + 1)
            return mask(to: endOfQuoted(by: quote, depth: depth))
        }
        switch bytes[position] {
        case UInt8(ascii: "["): mask(to: endOfBrackets(UInt8(ascii: "["), UInt8(ascii: "]")))
        case UInt8(ascii: "{"): mask(to: endOfBrackets(UInt8(ascii: "{"), UInt8(ascii: "}")))
        default:
            let name = name.lowercased()
            if name.hasSuffix("authorization") || name.hasSuffix("cookie") {
                mask(to: endOfHeader(behind: introducer))
            } else {
                mask(to: endOfWords())
            }
        }
    }

    /// Behind the name of an authentication scheme: masks a space and a token, not `realm="…"`.
    private mutating func maskCredentials() {
        let start = end(of: Self.space, from: position)
        let end = end(of: Self.token, from: start)
        let isParameter = byte(at: end - 1) == UInt8(ascii: "=") && (byte(at: end).map(Self.quotes.contains) ?? false)
        guard start > position, end > start, !isParameter else { return }
        copy(start - position)
        mask(to: end)
    }
}

// MARK: - Where values end

extension SecretScanner {
    /// Where a quoted value ends whose opening quote has `depth` backslashes before it: each level of JSON within JSON
    /// doubles them and adds one.
    private func endOfQuoted(by quote: UInt8, depth: Int) -> Int {
        var backslashes = 0
        for index in position..<bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                backslashes += 1
                continue
            }
            let isEnd = backslashes < depth || (backslashes - depth) / (depth + 1) % 2 == 0
            if bytes[index] == quote, isEnd { return index - min(depth, backslashes) }
            backslashes = 0
        }
        return bytes.count
    }

    private func endOfBrackets(_ open: UInt8, _ close: UInt8) -> Int {
        var depth = 0
        for index in position..<bytes.count {
            if bytes[index] == open { depth += 1 }
            if bytes[index] == close { depth -= 1 }
            if depth == 0 { return index + 1 }
        }
        return bytes.count
    }

    /// The end of the line or, for a header within quotes, the closing one.
    private func endOfHeader(behind introducer: UInt8?) -> Int {
        let end = firstIndex(of: Self.endOfLine, from: position)
        guard let quote = introducer, Self.quotes.contains(quote) else { return end }
        return bytes[position..<end].firstIndex(of: quote) ?? end
    }

    /// The end of a word; behind the name of an authentication scheme, the end of the next word.
    private func endOfWords() -> Int {
        let end = firstIndex(of: Self.endOfWord, from: position)
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        guard Self.schemes.contains(where: word.equalsIgnoringASCIICase) else { return end }
        return firstIndex(of: Self.endOfWord, from: self.end(of: Self.space, from: end))
    }
}
