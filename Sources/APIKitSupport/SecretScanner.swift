/// Finds the secrets in a text: the values of secret names, as in `name=value`, `"name": value` and `Name: value`,
/// credentials such as `Bearer abc`, and the user information of URLs.
///
/// It reads bytes, since a sign with a combining character is another `Character`. It reads each byte once, so that the
/// time is linear.
struct SecretScanner {
    /// Bytes that are to be replaced.
    struct Match {
        /// The indices of the bytes.
        var range: Range<Int>
        /// Whether the bytes are the user information of a URL, which is removed instead of masked.
        var isUserInformation = false
    }

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
    ///   - isSecret: Whether a name belongs to a secret.
    /// - Returns: The bytes to be replaced, in order and without overlaps.
    static func matches(in bytes: [UInt8], levels: Int, isSecret: (String) -> Bool) -> [Match] {
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

    /// Adds all matches. Each step handles a name, the beginning of a URL, or one other byte.
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

    /// Returns the end of the `://` that begins at an index; nil if none begins there. Some JSON escapes the slashes,
    /// and a URL that is a segment of a path has a colon before two encoded ones.
    private func startOfAuthority(at index: Int) -> Int? {
        guard bytes[index] == UInt8(ascii: ":") else { return nil }
        let rest = bytes[(index + 1)...]
        let slashes = ["//", #"\/\/"#, "%2F%2F", "%2f%2f"].first { rest.starts(with: $0.utf8) }
        guard let slashes else { return nil }
        return index + 1 + slashes.utf8.count
    }

    /// Removes the user information of a URL, such as `ann:pass@` in `https://ann:pass@api.example`, and returns where
    /// to continue.
    private mutating func scanAuthority(from start: Int) -> Int {
        let end = firstIndex(in: Self.endOfAuthority, from: start)
        var authority = bytes[start..<end]
        // If the slashes before it are encoded, so is the one after it.
        let encodedSlash = ["%2F", "%2f"].first { bytes[..<start].suffix(3).elementsEqual($0.utf8) }
        if let encodedSlash, let slash = authority.firstRange(of: Array(encodedSlash.utf8)) {
            authority = authority[..<slash.lowerBound]
        }
        guard let atSign = authority.lastIndex(of: UInt8(ascii: "@")) else { return start }
        matches.append(Match(range: start..<(atSign + 1), isUserInformation: true))
        return atSign + 1
    }

    // MARK: - Names

    /// Masks the secret that belongs to a name, if there is one, and returns where to continue: the value after the
    /// name or, if that is not secret, a percent-encoded text that begins here and hides one.
    private mutating func scanName(from start: Int) -> Int {
        let name = start..<firstIndex(notIn: Self.name, from: start)
        let count = matches.count
        let next = scanValue(of: name)
        let hasFoundSecret = matches.count > count
        if hasFoundSecret { return next }
        return scanEncoded(from: name) ?? next
    }

    /// Masks the value after a name, if the name is secret, and returns where to continue. A name without a sign after
    /// it may be that of an authentication scheme, as in `Bearer abc`.
    private mutating func scanValue(of name: Range<Int>) -> Int {
        guard let separator = separator(after: name) else { return scanCredential(after: name) }
        guard isSecret(name, before: separator), !isPartOfURL(name, before: separator) else { return name.upperBound }
        let value = rangeOfValue(after: separator)
        let isMissing = value.upperBound <= separator.startOfValue
        if isMissing { return name.upperBound }
        if !isLiteral(value, after: separator) { matches.append(Match(range: value)) }
        return value.upperBound
    }

    /// The sign between a name and its value, as in `name=value` and `"name": value`.
    private struct Separator {
        /// The index of the sign.
        let index: Int
        /// Whether it is an equals sign, and not a colon.
        let isAssignment: Bool
        /// Whether the name before it is in quotes, as in JSON.
        let isNameQuoted: Bool
        /// The index of the value, which follows after white space.
        let startOfValue: Int
    }

    /// Returns the sign that follows a name, after its closing quote and white space; nil if there is none.
    private func separator(after name: Range<Int>) -> Separator? {
        let closingQuote = quote(at: name.upperBound)
        let isNameQuoted = closingQuote != nil
        let space = isNameQuoted ? Self.jsonSpace : Self.space
        let index = firstIndex(notIn: space, from: closingQuote?.end ?? name.upperBound)
        guard index < bytes.count, "=:".utf8.contains(bytes[index]) else { return nil }
        return Separator(
            index: index, isAssignment: bytes[index] == UInt8(ascii: "="), isNameQuoted: isNameQuoted,
            startOfValue: firstIndex(notIn: space, from: index + 1))
    }

    private func isSecret(_ name: Range<Int>, before separator: Separator) -> Bool {
        let isCode = separator.isAssignment && isAuthorizationCode(name, before: separator.index + 1)
        return isCode || isSecret(text(name))
    }

    /// Whether a colon belongs to a URL, or follows one: `token://host` is a scheme, and in `/token: 404` the name is
    /// the end of a path.
    private func isPartOfURL(_ name: Range<Int>, before separator: Separator) -> Bool {
        if separator.isAssignment { return false }
        let isScheme = bytes[separator.startOfValue...].starts(with: "//".utf8)
        let isFollowedBySpace = separator.startOfValue > separator.index + 1
        return isScheme || (isPath(name) && isFollowedBySpace)
    }

    /// Whether a value is `true`, `false` or `null` in JSON. These reveal nothing, and error texts stay readable.
    private func isLiteral(_ value: Range<Int>, after separator: Separator) -> Bool {
        let isQuoted = value.lowerBound > separator.startOfValue
        let isInJSON = separator.isNameQuoted && !separator.isAssignment
        return isInJSON && !isQuoted && ["true", "false", "null"].contains(text(value))
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

    /// Masks the token after the name of an authentication scheme (RFC 9110, section 11.4), as in `Bearer abc`, unless
    /// it is prose. Returns where to continue.
    private mutating func scanCredential(after scheme: Range<Int>) -> Int {
        let start = firstIndex(notIn: Self.space, from: scheme.upperBound)
        let isFollowedBySpace = start > scheme.upperBound
        guard isFollowedBySpace, !isPath(scheme) else { return scheme.upperBound }
        let name = text(scheme).lowercased()
        let isWordOfProse = ["token", "apikey"].contains(name)
        let isScheme = isWordOfProse || ["bearer", "basic", "dpop"].contains(name)
        guard isScheme else { return scheme.upperBound }
        let end = firstIndex(notIn: Self.token, from: start)
        let token = bytes[start..<end]
        // A text that begins with a slash is a path.
        guard let first = token.first, first != UInt8(ascii: "/") else { return scheme.upperBound }
        // As in `Basic realm="x"`, where the token is only the name of a parameter.
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

    /// Masks a value as a whole if its percent-encoding hides a secret: `next=%3Ftoken%3Dabc` becomes `next=***`.
    ///
    /// The value is not decoded if it was decoded before, as a part of a longer one, or if no level is left.
    ///
    /// - Parameter name: The characters of a name that the value begins with, such as `%3Ftoken%3Dabc`.
    /// - Returns: The end of the masked value; nil if it hides no secret.
    private mutating func scanEncoded(from name: Range<Int>) -> Int? {
        let isDecoded = name.lowerBound < endOfDecoded
        guard levels > 0, !isDecoded, bytes[name].contains(UInt8(ascii: "%")) else { return nil }
        let value = name.lowerBound..<firstIndex(in: Self.endOfQueryValue, from: name.lowerBound)
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
        // The secrets that are visible as written are masked first, and found again after decoding as `***`.
        let visible = Masking.replacing(in: text(value), levels: 0, isSecret: isSecret) { _ in Masking.mask }
        let decoded = visible.removingPercentEncodingOfASCII
        let hasEncoding = decoded.utf8.count < visible.utf8.count
        guard hasEncoding else { return false }
        let decodedBytes = Array(decoded.utf8)
        let secrets = Self.matches(in: decodedBytes, levels: levels - 1, isSecret: isSecret)
        return secrets.contains { !decodedBytes[$0.range].elementsEqual(Masking.mask.utf8) }
    }

    // MARK: - Values

    /// Returns the bytes of the value after a sign, without the quotes around it.
    ///
    /// | The value | It ends |
    /// | --- | --- |
    /// | is in quotes | at the closing one |
    /// | follows an equals sign, as in a query | at `&`, white space and the like |
    /// | follows an unquoted name and a colon, as in a header | at the end of the line |
    /// | is a list or an object of JSON | at its closing bracket |
    /// | is any other value of JSON | at a comma, a closing bracket or white space |
    private func rangeOfValue(after separator: Separator) -> Range<Int> {
        let start = separator.startOfValue
        if let quote = quote(at: start) { return quote.end..<endOfString(after: quote) }
        if separator.isAssignment { return start..<firstIndex(in: Self.endOfValue, from: start) }
        // After the name of a header, or an unquoted name in a text, the rest of the line may belong to the value.
        if !separator.isNameQuoted { return start..<firstIndex(in: Self.endOfLine, from: start) }
        let isContainer = start < bytes.count && "[{".utf8.contains(bytes[start])
        if isContainer { return start..<endOfContainer(from: start) }
        return start..<firstIndex(in: Self.endOfJSONLeaf, from: start)
    }

    /// Returns the end of a list or an object; brackets within strings do not count.
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

    /// Returns the quote that begins at an index, with its backslashes; nil if none begins there.
    private func quote(at index: Int) -> Quote? {
        var sign = index
        while sign < bytes.count, bytes[sign] == UInt8(ascii: "\\") { sign += 1 }
        guard sign < bytes.count, "\"'".utf8.contains(bytes[sign]) else { return nil }
        return Quote(sign: bytes[sign], backslashes: sign - index, end: sign + 1)
    }

    /// Returns the end of the string after a quote, without the backslashes before the quote that ends it; the end of
    /// the text if the string is cut off.
    private func endOfString(after quote: Quote) -> Int {
        var backslashes = 0
        for index in quote.end..<max(quote.end, bytes.count) {
            if bytes[index] == UInt8(ascii: "\\") {
                backslashes += 1
                continue
            }
            if bytes[index] == quote.sign, Self.isEnd(ofStringAfter: quote, backslashes: backslashes) {
                return index - min(quote.backslashes, backslashes)
            }
            backslashes = 0
        }
        return bytes.count
    }

    /// Whether a sign with some backslashes before it ends a string, and is not an escaped quote within it.
    ///
    /// Each level of nesting doubles the backslashes of a string and adds one before its quotes. So quotes have 0
    /// backslashes in JSON, 1 in JSON that is in a string, 3 in JSON within that, and so on: a string after `\"` ends
    /// at the next `\"`, but not at `\\\"`. With fewer backslashes than before the string, the quote ends an outer
    /// string, and this one with it.
    private static func isEnd(ofStringAfter quote: Quote, backslashes: Int) -> Bool {
        let isOfOuterString = backslashes < quote.backslashes
        if isOfOuterString { return true }
        let level = quote.backslashes + 1
        let escapes = (backslashes - quote.backslashes) / level
        return escapes.isMultiple(of: 2)
    }

    /// Whether a name is the end of a URL's path, after which a colon begins prose.
    private func isPath(_ name: Range<Int>) -> Bool {
        name.lowerBound > 0 && bytes[name.lowerBound - 1] == UInt8(ascii: "/")
    }

    /// Returns the index of the first byte that is not in a set, or else the end of the text.
    private func firstIndex(notIn set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix(while: set.contains).count
    }

    /// Returns the index of the first byte that is in a set, or else the end of the text.
    private func firstIndex(in set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix { !set.contains($0) }.count
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
