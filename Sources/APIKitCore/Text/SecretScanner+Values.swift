extension SecretScanner {
    static let endOfQueryValue = ByteSet(" \t\r\n&#\"")
    private static let endOfWord = ByteSet(" \t\r\n&,;)}]>\"'#")
    private static let headers = ["authorization", "cookie", "authentication"]
    private static let literals = ["true", "false", "null", "nil"]

    /// The value of a secret member, without its quotes; nil for `true`, `false` and `null`, which are not secrets:
    /// `"two_factor_authentication": true`.
    func rangeOfValue(of member: Member) -> Range<Int>? {
        let start = member.value
        if isInQuery(member) { return start..<firstIndex(of: Self.endOfQueryValue, from: start) }
        if let quote = quote(at: start) { return quote.end..<endOfString(openedBy: quote) }
        if let bracket = bracket(openedBy: member) {
            return start..<endOfBrackets(from: bracket)
        }
        let word = text(start..<firstIndex(of: Self.endOfWord, from: start, limit: 10)).lowercased()
        if !member.isAssignment, Self.literals.contains(word) { return nil }
        let name = member.name.text.lowercased()
        if Self.headers.contains(where: name.hasSuffix) { return start..<endOfHeader(member) }
        let end = firstIndex(of: Self.endOfWord, from: start)
        guard (Self.schemes + Self.schemesInProse).contains(word) else { return start..<end }
        return start..<firstIndex(of: Self.endOfWord, from: self.end(of: Self.space, from: end))
    }

    /// The value of a member whose name may follow. One without a near end reaches up to that name.
    func rangeOfValue(pendingIn member: Member) -> Range<Int> {
        if let quote = quote(at: member.value) { return quote.end..<endOfString(openedBy: quote) }
        let isList = bracket(openedBy: member) != nil
        let ends = isInQuery(member) ? Self.endOfQueryValue : Self.endOfWord
        let end = firstIndex(of: ends, from: member.value, limit: 200)
        return member.value..<(isList || end == member.value + 200 ? .max : end)
    }

    /// The bracket that opens a list, an object or, after the name of a type, a Swift value: `Optional("x")`.
    private func bracket(openedBy member: Member) -> Int? {
        let index = end(of: .unreserved, from: member.value)
        switch sign(at: index) {
        case "[", "{": return index == member.value ? index : nil
        case "(": return isInForm(member) ? nil : index
        default: return nil
        }
    }

    private func isInQuery(_ member: Member) -> Bool {
        let introducer = sign(at: member.name.start - 1)
        return member.isAssignment && !member.isQuoted && member.value == member.name.end + 1
            && (introducer == "?" || introducer == "&")
    }

    private func isInForm(_ member: Member) -> Bool {
        sign(at: firstIndex(of: Self.endOfQueryValue, from: member.value, limit: 200)) == "&"
    }

    /// Whether a `code` says what went wrong: a number, or words such as `not_found`, `NoSuchKey` and `P2002`. One in a
    /// query or a form, or of mixed letters and digits, may be OAuth's (RFC 6749, section 4.1.2) or a one-time code.
    func isReadableCode(_ member: Member) -> Bool {
        if member.isAssignment, isInQuery(member) || isInForm(member) { return false }
        let quote = quote(at: member.value)
        let start = quote?.end ?? member.value
        let value = bytes[start..<firstIndex(of: Self.endOfWord, from: start, limit: 64)]
            .prefix { $0 != UInt8(ascii: "\\") }
        guard value.count < 64 else { return false }
        if let first = value.first, "[{".utf8.contains(first) { return true }
        let digits = value.count(where: \.isASCIIDigit)
        let letters = value.count(where: \.isASCIILetter)
        guard digits + letters + value.count(where: "_-.:/".utf8.contains) == value.count else { return false }
        if letters > 0 { return digits == 0 || digits <= 5 && letters <= 5 }
        // An error's number may have any length in JSON; `Code=-1001` is how Foundation writes one.
        return digits <= (quote != nil ? 3 : member.isAssignment ? 5 : 20)
    }

    // MARK: - Where values end

    /// Where the string ends that a quote opens.
    ///
    /// Each level of JSON within JSON doubles the backslashes and puts one before each quote. If there are `depth`
    /// backslashes before the opening quote, one backslash of the string is thus written as `depth + 1` of them. For
    /// example, a password of `x"y\` in JSON in JSON is `{"a":"{\"password\":\"x\\\"y\\\\\"}"}`. Its depth is 1, and
    /// these are the quotes after the opening one:
    ///
    ///     x\\\"     3 backslashes, less 1 for the quote, are 1 of the string: it escapes the quote
    ///     y\\\\\"   5 backslashes, less 1 for the quote, are 2 of the string: one escapes the other, so it ends here
    ///     }"        no backslash, less than the depth: the outer string ends, had this one not ended before
    func endOfString(openedBy quote: Quote) -> Int {
        var backslashes = 0
        for index in quote.end..<bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                backslashes += 1
                continue
            }
            let inString = (backslashes - quote.depth) / (quote.depth + 1)
            if bytes[index] == quote.sign, backslashes < quote.depth || inString.isMultiple(of: 2) {
                return index - min(quote.depth, backslashes)
            }
            backslashes = 0
        }
        return bytes.count
    }

    /// Where what a bracket opens ends, at most at the end of the string that it is in; brackets of the other kind and
    /// those within strings do not count.
    private func endOfBrackets(from start: Int) -> Int {
        let (opening, closing) = sign(at: start) == "(" ? ("(", ")") : ("[{", "]}")
        var level = 0
        var index = start
        let limit = min(scope.end, bytes.count)
        while index < limit {
            if opening.utf8.contains(bytes[index]) {
                level += 1
            } else if closing.utf8.contains(bytes[index]) {
                level -= 1
            } else if "([{,: \t\r\n".utf8.contains(bytes[index - 1]), let quote = quote(at: index) {
                // Not an apostrophe, as in `[it's]`.
                index = endOfString(openedBy: quote) + quote.depth
            }
            index += 1
            if level == 0 { return index }
        }
        return max(start, limit)
    }

    /// The end of the line or, for a header within quotes, the closing one.
    private func endOfHeader(_ member: Member) -> Int {
        let ends =
            switch sign(at: member.name.start - 1) {
            case "\"": ByteSet("\r\n\"")
            case "'": ByteSet("\r\n'")
            default: ByteSet("\r\n")
            }
        return firstIndex(of: ends, from: member.value)
    }
}
