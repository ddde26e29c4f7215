extension SecretScanner {
    private static let endOfWord = ByteSet(" \t\r\n&,;)}]>\"'#")
    private static let endOfLine = ByteSet("\r\n")
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
        guard end - position < 10, Self.schemes.contains(where: text(position..<end).equalsIgnoringASCIICase) else {
            return end
        }
        return firstIndex(of: Self.endOfWord, from: self.end(of: ByteSet(" \t"), from: end))
    }
}

// MARK: - XML and forms

extension SecretScanner {
    /// Masks the content of an element of XML whose name was just read: `<password>x</password>`.
    mutating func maskElement(named name: Range<Int>) -> Bool {
        var open = name.lowerBound - 1
        if byte(at: open) == UInt8(ascii: ":") {
            // A prefix, as in `<soap:password>`.
            let prefix = bytes[max(0, open - 64)..<open].reversed().prefix(while: Self.name.contains)
            open -= prefix.count + 1
        }
        guard byte(at: open) == UInt8(ascii: "<") else { return false }
        let close = firstIndex(of: ByteSet("<>"), from: position, limit: 1_000)
        guard byte(at: close) == UInt8(ascii: ">"), byte(at: close - 1) != UInt8(ascii: "/") else { return false }
        var attributes = SecretScanner(text(position..<(close + 1)))
        replace(to: close + 1, by: attributes.masked())
        mask(to: endOfElement(Array("</".utf8) + bytes[(open + 1)..<name.upperBound]))
        return true
    }

    /// Where the closing tag begins or, if there is none, the next tag or line.
    private mutating func endOfElement(_ closingTag: [UInt8]) -> Int {
        if !hasNoClosingTag, let index = firstIndex(of: closingTag, from: position) { return index }
        // Looked for once: hostile text may hold any number of tags that are never closed.
        hasNoClosingTag = true
        return firstIndex(of: ByteSet("<\r\n"), from: position)
    }

    /// Masks the content of a part of a form that was just named (RFC 7578): what is between an empty line and the next
    /// boundary.
    mutating func maskPart(of member: Member) {
        guard member.sign == UInt8(ascii: "=") else { return }
        let end = endOfScalar(at: member.value)
        let head = bytes[end..<min(end + 1_000, bytes.count)]
        let lineEnds = ["\r\n\r\n", "\n\n"].map { Array($0.utf8) }
        // The rest of this line and further headers may stand between.
        guard let first = head.first, first == UInt8(ascii: ";") || Self.endOfLine.contains(first),
            let body = lineEnds.compactMap({ line in firstIndex(of: line, in: head).map { $0 + line.count } }).min()
        else { return }
        copy(body - position)
        mask(to: firstIndex(of: Array("\n--".utf8), from: position) ?? bytes.count)
    }

    private func firstIndex(of run: [UInt8], from start: Int) -> Int? {
        firstIndex(of: run, in: bytes[min(start, bytes.count)...])
    }

    private func firstIndex(of run: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        guard let first = run.first else { return nil }
        var rest = slice
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: run) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}
