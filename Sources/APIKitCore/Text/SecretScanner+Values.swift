extension SecretScanner {
    private static let endOfWord = ByteSet(" \t\r\n&,;)}]>\"'#")
    static let endOfLine = ByteSet("\r\n")
    private static let headers = ["authorization", "cookie", "authentication"]
    private static let literals = ["true", "false", "null", "nil"]

    /// Masks the value of a member, which is next.
    mutating func maskValue(of member: Member, _ name: String) {
        if isInQuery(member) { return mask(to: firstIndex(of: Self.endOfQueryValue, from: position)) }
        let afterBackslashes = end(of: Self.backslash, from: position)
        if let quote = byte(at: afterBackslashes), Self.quotes.contains(quote) {
            let depth = afterBackslashes - position
            copy(depth + 1)
            return mask(to: endOfQuoted(by: quote, depth: depth, from: position))
        }
        switch bytes[position] {
        case UInt8(ascii: "["), UInt8(ascii: "{"): mask(to: endOfBrackets())
        default:
            if member.sign == UInt8(ascii: ":"), isLiteral { return }
            let name = name.lowercased()
            if Self.headers.contains(where: name.hasSuffix) {
                mask(to: endOfHeader(behind: byte(at: member.name.lowerBound - 1)))
            } else {
                mask(to: endOfWords())
            }
        }
    }

    private func isInQuery(_ member: Member) -> Bool {
        let introducer = byte(at: member.name.lowerBound - 1)
        return member.sign == UInt8(ascii: "=") && !member.isQuoted && member.value == member.name.upperBound + 1
            && (introducer == UInt8(ascii: "?") || introducer == UInt8(ascii: "&"))
    }

    private func isInForm(_ member: Member) -> Bool {
        byte(at: firstIndex(of: Self.endOfQueryValue, from: member.value, limit: 200)) == UInt8(ascii: "&")
    }

    /// Whether the value is `true`, `false` or `null`, which are no secrets: `"two_factor_authentication": true`.
    private var isLiteral: Bool {
        let end = firstIndex(of: Self.endOfWord, from: position, limit: 6)
        return Self.literals.contains(text(position..<end))
    }

    /// Whether a `code` says what went wrong: a number, or words such as `not_found`, `NoSuchKey` and `P2002`. One in a
    /// query or a form, or of mixed letters and digits, may be OAuth's (RFC 6749, section 4.1.2) or a one-time code.
    func isReadableCode(_ member: Member) -> Bool {
        let sign = member.sign
        if sign == UInt8(ascii: "="), isInQuery(member) || isInForm(member) { return false }
        let start = end(of: Self.backslash, from: member.value)
        let isQuoted = byte(at: start).map(Self.quotes.contains) ?? false
        let first = isQuoted ? start + 1 : member.value
        let end = firstIndex(of: Self.endOfWord, from: first, limit: 64)
        let value = bytes[first..<end].prefix { $0 != UInt8(ascii: "\\") }
        guard value.count < 64 else { return false }
        if let first = value.first, "[{".utf8.contains(first) { return true }
        let digits = value.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let signs = value.count { "_-.:/".utf8.contains($0) }
        let letters = value.count { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0.lowercasedASCII }
        guard digits + signs + letters == value.count else { return false }
        // An error's number may have any length in JSON; `Code=-1001` is how Foundation writes one.
        if letters == 0 { return digits <= (isQuoted ? 3 : sign == UInt8(ascii: "=") ? 5 : 20) }
        return digits == 0 || (digits <= 5 && letters <= 5)
    }

    // MARK: - Where values end

    /// Where a quoted value ends whose opening quote has `depth` backslashes before it: each level of JSON within JSON
    /// doubles them and adds one.
    private func endOfQuoted(by quote: UInt8, depth: Int, from start: Int) -> Int {
        var backslashes = 0
        for index in start..<bytes.count {
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

    /// Where a list or an object ends; brackets within its strings do not count.
    private func endOfBrackets() -> Int {
        var level = 0
        var backslashes = 0
        var index = position
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): level += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard isStartOfString(index - backslashes) else { break }
                index = endOfQuoted(by: bytes[index], depth: backslashes, from: index + 1) + backslashes
            default: break
            }
            backslashes = byte(at: index) == UInt8(ascii: "\\") ? backslashes + 1 : 0
            index += 1
            if level == 0 { return min(index, bytes.count) }
        }
        return bytes.count
    }

    /// Whether a quote begins a string, as in `['a', 'b']`, and is no apostrophe.
    private func isStartOfString(_ index: Int) -> Bool {
        byte(at: index - 1).map { "[{,: \t\r\n".utf8.contains($0) } ?? false
    }

    /// Where a string or a word ends; one that is longer than a limit ends there.
    func endOfScalar(at index: Int) -> Int {
        let afterBackslashes = end(of: Self.backslash, from: index)
        if let quote = byte(at: afterBackslashes), Self.quotes.contains(quote) {
            let depth = afterBackslashes - index
            return min(endOfQuoted(by: quote, depth: depth, from: afterBackslashes + 1) + depth + 1, bytes.count)
        }
        return firstIndex(of: Self.endOfWord, from: index, limit: 200)
    }

    /// The end of the line or, for a header within quotes, the closing one.
    private func endOfHeader(behind introducer: UInt8?) -> Int {
        let quote = introducer.flatMap { Self.quotes.contains($0) ? $0 : nil }
        return bytes[position...].firstIndex { Self.endOfLine.contains($0) || $0 == quote } ?? bytes.count
    }

    /// The end of a word; after the name of an authentication scheme, the end of the next word.
    private func endOfWords() -> Int {
        let end = firstIndex(of: Self.endOfWord, from: position)
        guard end - position < 10, (Self.schemes + Self.schemesInProse).contains(text(position..<end).lowercased())
        else {
            return end
        }
        return firstIndex(of: Self.endOfWord, from: self.end(of: ByteSet(" \t"), from: end))
    }
}
