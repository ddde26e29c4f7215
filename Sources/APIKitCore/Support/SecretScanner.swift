/// Finds the secrets in a text: the values of secret names, as in `name=value`, `"name": value` and `Name: value`,
/// credentials such as `Bearer abc`, and the user information of URLs.
///
/// It reads bytes, since a sign with a combining character is another `Character`. It reads each byte once, so that the
/// time is linear.
package struct SecretScanner {
    /// Bytes that are to be replaced.
    package struct Match {
        /// The indices of the bytes.
        package var range: Range<Int>
        /// Whether the bytes are the user information of a URL, which is removed instead of masked.
        package var isUserInformation = false
    }

    /// The maximum number of levels of percent-encoding that are decoded. A URL within a parameter of a URL adds one
    /// level; each further level costs another pass over the text.
    package static let maximumLevels = 4

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    /// The number of levels of percent-encoding that are decoded.
    private let levels: Int
    private var matches: [Match] = []
    /// The end of the text whose percent-encoding has been decoded, so that nothing is decoded twice.
    private var endOfDecoded = 0

    private static let name = ByteSet.unreserved.union("%$[]")
    private static let token = ByteSet.unreserved.union("+/=")
    private static let space = ByteSet(" \t")
    private static let jsonSpace = ByteSet(" \t\r\n")
    private static let endOfAuthority = ByteSet("/?# \t\r\n\"<>\\")
    private static let endOfValue = ByteSet("&\"<> \t\r\n\\#")
    private static let endOfJSONLeaf = ByteSet(",]} \t\r\n")
    private static let endOfLine = ByteSet("\r\n")
    private static let endOfQueryValue = ByteSet("&;\"' \t\r\n")

    /// Finds the secrets of a text.
    ///
    /// - Parameters:
    ///   - bytes: The text as UTF-8.
    ///   - levels: How many levels of percent-encoding are decoded to find secrets in a URL or a form within a value.
    ///   - isSecret: Whether a name is that of a secret.
    /// - Returns: The bytes to be replaced, in order and without overlaps.
    package static func matches(in bytes: [UInt8], levels: Int = maximumLevels, isSecret: (String) -> Bool) -> [Match] {
        withoutActuallyEscaping(isSecret) { isSecret in
            var scanner = SecretScanner(bytes: bytes, levels: levels, isSecret: isSecret)
            scanner.scan()
            return scanner.matches
        }
    }

    private init(bytes: [UInt8], levels: Int, isSecret: @escaping (String) -> Bool) {
        self.bytes = bytes
        self.levels = levels
        self.isSecret = isSecret
    }

    /// Looks for a name or a URL at each byte, and goes on after what was found there.
    private mutating func scan() {
        var index = 0
        while index < bytes.count {
            if Self.name.contains(bytes[index]) {
                index = scanName(from: index)
            } else if let authority = startOfAuthority(at: index) {
                index = scanAuthority(from: authority)
            } else {
                index += 1
            }
        }
    }

    // MARK: - URLs

    /// The end of the `://` that begins at an index; nil if none begins there. Some JSON escapes the slashes.
    private func startOfAuthority(at index: Int) -> Int? {
        guard bytes[index] == UInt8(ascii: ":") else { return nil }
        let rest = bytes[(index + 1)...]
        let slashes = ["//", #"\/\/"#].first { rest.starts(with: $0.utf8) }
        guard let slashes else { return nil }
        return index + 1 + slashes.utf8.count
    }

    /// Removes user information, and returns where to continue.
    private mutating func scanAuthority(from start: Int) -> Int {
        let end = firstIndex(in: Self.endOfAuthority, from: start)
        guard let sign = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return start }
        matches.append(Match(range: start..<sign + 1, isUserInformation: true))
        return sign + 1
    }

    // MARK: - Names

    /// Masks the secret that belongs to a name, if there is one, and returns where to continue.
    private mutating func scanName(from start: Int) -> Int {
        let name = start..<firstIndex(notIn: Self.name, from: start)
        let count = matches.count
        let next = scanValue(of: name)
        let hasFoundSecret = matches.count > count
        if !hasFoundSecret, let end = scanEncoded(from: name) { return end }
        return next
    }

    /// Masks the value of a secret name, and returns where to continue.
    private mutating func scanValue(of name: Range<Int>) -> Int {
        let closingQuote = quote(at: name.upperBound)
        let isQuotedName = closingQuote != nil
        let endOfName = closingQuote?.end ?? name.upperBound
        let space = isQuotedName ? Self.jsonSpace : Self.space
        let separator = firstIndex(notIn: space, from: endOfName)
        guard separator < bytes.count, "=:".utf8.contains(bytes[separator]) else {
            let isFollowedBySpace = separator > endOfName
            guard isFollowedBySpace, !isQuotedName else { return name.upperBound }
            return scanCredential(after: name, at: separator)
        }
        let isAssignment = bytes[separator] == UInt8(ascii: "=")
        let isCode = isAssignment && isAuthorizationCode(name, before: separator + 1)
        guard isCode || isSecret(text(name)) else { return name.upperBound }
        let start = firstIndex(notIn: space, from: separator + 1)
        if !isAssignment {
            let isScheme = bytes[start...].starts(with: "//".utf8)
            // As in `/token: 404`.
            let isEndOfURL = isPath(name) && start > separator + 1
            if isScheme || isEndOfURL { return name.upperBound }
        }
        let value = rangeOfValue(from: start, isAssignment: isAssignment, isQuotedName: isQuotedName)
        guard start < value.upperBound else { return name.upperBound }
        // Literals of JSON are not masked: they reveal nothing, and error texts stay readable.
        let isJSONLeaf = isQuotedName && !isAssignment && value.lowerBound == start
        let isLiteral = isJSONLeaf && ["true", "false", "null"].contains(text(value))
        if !isLiteral { matches.append(Match(range: value)) }
        return value.upperBound
    }

    /// Whether a name is that of an authorization code (RFC 6749, section 4.1.2). In `Code=-1001` it is that of an
    /// error code.
    private func isAuthorizationCode(_ name: Range<Int>, before value: Int) -> Bool {
        let spelling = text(name)
        guard spelling.lowercased() == "code" else { return false }
        // OAuth writes the name in lower case. Error texts often capitalize it and have a number as the value.
        if spelling == "code" { return true }
        guard value < bytes.count else { return false }
        let isNumber = bytes[value] == UInt8(ascii: "-") || bytes[value].isDigit
        return !isNumber
    }

    /// Masks the token after the name of an authentication scheme (RFC 9110, section 11.4), unless it is prose, and
    /// returns where to continue.
    private mutating func scanCredential(after scheme: Range<Int>, at start: Int) -> Int {
        let name = text(scheme).lowercased()
        let isWordOfProse = ["token", "apikey"].contains(name)
        let isScheme = isWordOfProse || ["bearer", "basic", "dpop"].contains(name)
        guard isScheme, !isPath(scheme) else { return scheme.upperBound }
        let end = firstIndex(notIn: Self.token, from: start)
        let token = bytes[start..<end]
        guard let first = token.first, first != UInt8(ascii: "/") else { return scheme.upperBound }
        // As in `Basic realm="x"`.
        let isParameter = token.last == UInt8(ascii: "=") && quote(at: end) != nil
        let isProse = isWordOfProse && !isUnlikelyInProse(token)
        if isParameter || isProse { return start }
        matches.append(Match(range: start..<end))
        return end
    }

    /// Whether a text after the word "token" is rather a secret than the next word of a sentence: few words have 20
    /// letters, or as many as 7 characters with a digit among them.
    private func isUnlikelyInProse(_ token: ArraySlice<UInt8>) -> Bool {
        if token.count >= 20 { return true }
        return token.count >= 7 && token.contains(where: \.isDigit)
    }

    // MARK: - Percent-encoding

    /// Masks a value as a whole if its percent-encoding hides a secret.
    ///
    /// - Returns: The end of the masked value; nil if it hides no secret.
    private mutating func scanEncoded(from start: Range<Int>) -> Int? {
        let isDecoded = start.lowerBound < endOfDecoded
        guard levels > 0, !isDecoded, bytes[start].contains(UInt8(ascii: "%")) else { return nil }
        let value = start.lowerBound..<firstIndex(in: Self.endOfQueryValue, from: start.lowerBound)
        endOfDecoded = value.upperBound
        guard hidesSecret(in: value) else { return nil }
        matches.append(Match(range: value))
        return value.upperBound
    }

    /// Whether a value has a secret that is found only in the decoded text.
    ///
    /// A secret that is also found in the text as it is written, as in `a%20b?token=abc`, does not count: it is masked
    /// without the text before it.
    private func hidesSecret(in value: Range<Int>) -> Bool {
        let visible = Masking.replacing(in: text(value), levels: 0, isSecret: isSecret) { _ in Masking.mask }
        let decoded = visible.removingPercentEncodingOfASCII
        guard decoded.utf8.count < visible.utf8.count else { return false }
        let bytes = Array(decoded.utf8)
        let matches = Self.matches(in: bytes, levels: levels - 1, isSecret: isSecret)
        return matches.contains { !bytes[$0.range].elementsEqual(Masking.mask.utf8) }
    }

    // MARK: - Values

    /// The bytes of the value at an index, without the quote before it.
    private func rangeOfValue(from start: Int, isAssignment: Bool, isQuotedName: Bool) -> Range<Int> {
        if let quote = quote(at: start) { return quote.end..<endOfString(after: quote) }
        if isAssignment { return start..<firstIndex(in: Self.endOfValue, from: start) }
        // After the name of a header, or an unquoted name in a text, the rest of the line may belong to the value.
        guard isQuotedName else { return start..<firstIndex(in: Self.endOfLine, from: start) }
        let isContainer = start < bytes.count && "[{".utf8.contains(bytes[start])
        if isContainer { return start..<endOfContainer(from: start) }
        return start..<firstIndex(in: Self.endOfJSONLeaf, from: start)
    }

    /// The end of a list or an object; brackets within strings do not count.
    private func endOfContainer(from start: Int) -> Int {
        var index = start
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                index = endOfString(after: Quote(sign: bytes[index], backslashes: 0, end: index + 1))
            default: break
            }
            index += 1
            if depth == 0 { return index }
        }
        return bytes.count
    }

    /// The quote before or after a string. In JSON that is itself within a string, there are backslashes before it.
    private struct Quote {
        /// `"` or `'`.
        let sign: UInt8
        let backslashes: Int
        /// The index after the quote.
        let end: Int
    }

    private func quote(at index: Int) -> Quote? {
        var sign = index
        while sign < bytes.count, bytes[sign] == UInt8(ascii: "\\") { sign += 1 }
        guard sign < bytes.count, "\"'".utf8.contains(bytes[sign]) else { return nil }
        return Quote(sign: bytes[sign], backslashes: sign - index, end: sign + 1)
    }

    /// The end of the string after a quote: the same sign with as many backslashes, or with fewer if the outer string
    /// ends first.
    private func endOfString(after quote: Quote) -> Int {
        var backslashes = 0
        for index in quote.end..<max(quote.end, bytes.count) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\") {
                backslashes += 1
                continue
            }
            if byte == quote.sign {
                // Each level of nesting doubles the backslashes of the string and adds one before its quotes.
                let level = quote.backslashes + 1
                let isEscaped = !((backslashes - quote.backslashes) / level).isMultiple(of: 2)
                let isOfOuterString = backslashes < quote.backslashes
                if isOfOuterString || !isEscaped { return index - min(quote.backslashes, backslashes) }
            }
            backslashes = 0
        }
        return bytes.count
    }

    /// Whether a name is the end of a URL's path, after which a colon begins prose.
    private func isPath(_ name: Range<Int>) -> Bool {
        name.lowerBound > 0 && bytes[name.lowerBound - 1] == UInt8(ascii: "/")
    }

    /// The index of the first byte that is not in a set, or else the end of the text.
    private func firstIndex(notIn set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix(while: set.contains).count
    }

    /// The index of the first byte that is in a set, or else the end of the text.
    private func firstIndex(in set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix { !set.contains($0) }.count
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
