extension SecretScanner {
    static let name = ByteSet.unreserved.union("%[]+")
    static let space = ByteSet(" \t")
    private static let anySpace = ByteSet(" \t\r\n")
    private static let backslash = ByteSet("\\")

    /// A name, or a word of a value.
    struct Name {
        let start: Int
        let end: Int
        /// The name without its escapes.
        let text: String

        func equals(_ other: String) -> Bool {
            text.equalsIgnoringASCIICase(other)
        }
    }

    /// A name and the value after it.
    struct Member {
        let name: Name
        let isQuoted: Bool
        /// Whether the sign between them is `=` instead of `:`.
        let isAssignment: Bool
        /// Where the value begins, with its quotes.
        let value: Int
    }

    /// A quote with the backslashes before it, which JSON within JSON has.
    struct Quote {
        let sign: UInt8
        let depth: Int
        /// The index after the quote.
        let end: Int
    }

    /// The name at an index.
    func name(at start: Int, limit: Int = .max) -> Name? {
        var text: [UInt8] = []
        var index = start
        while index < bytes.count, index - start < limit {
            if Self.name.contains(bytes[index]) {
                text.append(bytes[index])
                index += 1
            } else if let escaped = escapedByte(at: index) {
                text.append(escaped.byte)
                index = escaped.end
            } else {
                break
            }
        }
        return text.isEmpty ? nil : Name(start: start, end: index, text: String(decoding: text, as: UTF8.self))
    }

    /// A letter, digit or sign of a name that JSON has escaped (RFC 8259, section 7), as in `pass\u0077ord`; each level
    /// of JSON within JSON doubles the backslashes.
    private func escapedByte(at start: Int) -> (byte: UInt8, end: Int)? {
        guard sign(at: start) == "\\" else { return nil }
        let index = bytes[start...].prefix(8).prefix { $0 == UInt8(ascii: "\\") }.endIndex
        guard sign(at: index) == "u", sign(at: index + 1) == "0", sign(at: index + 2) == "0", index + 5 <= bytes.count,
            let high = bytes[index + 3].hexValue, let low = bytes[index + 4].hexValue,
            ByteSet.unreserved.contains(high << 4 | low)
        else { return nil }
        return (high << 4 | low, index + 5)
    }

    /// The member that a name begins, if `=` or `:` and a value follow.
    func member(named name: Name) -> Member? {
        let closingQuote = quote(at: name.end)
        let space = closingQuote == nil ? Self.space : Self.anySpace
        let middle = end(of: space, from: closingQuote?.end ?? name.end)
        guard let sign = sign(at: middle), sign == "=" || sign == ":" else { return nil }
        let value = end(of: space, from: middle + 1)
        // `https://h/token: 404` is a URL and prose.
        if isPath(name), sign == ":", closingQuote == nil, value > middle + 1 { return nil }
        guard value < bytes.count else { return nil }
        return Member(name: name, isQuoted: closingQuote != nil, isAssignment: sign == "=", value: value)
    }

    /// The word at the start of a value, without its quotes.
    func word(at index: Int) -> String {
        name(at: quote(at: index)?.end ?? index, limit: 200)?.text ?? ""
    }

    func quote(at index: Int) -> Quote? {
        let end = end(of: Self.backslash, from: index)
        guard let sign = sign(at: end), sign == "\"" || sign == "'" else { return nil }
        return Quote(sign: bytes[end], depth: end - index, end: end + 1)
    }

    func sign(at index: Int) -> Unicode.Scalar? {
        bytes.indices.contains(index) ? Unicode.Scalar(bytes[index]) : nil
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func end(of set: ByteSet, from index: Int) -> Int {
        bytes[min(index, bytes.count)...].firstIndex { !set.contains($0) } ?? bytes.count
    }

    /// The first byte of a set, or the end, or the byte at the limit.
    func firstIndex(of set: ByteSet, from index: Int, limit: Int = .max) -> Int {
        let rest = bytes[min(index, bytes.count)...].prefix(limit)
        return rest.firstIndex(where: set.contains) ?? rest.endIndex
    }
}
