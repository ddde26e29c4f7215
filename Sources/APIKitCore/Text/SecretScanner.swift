/// Finds the secrets in a text: the values of secret names, as in `name=value`, `"name": value` and `Name: value`,
/// credentials such as `Bearer abc`, and the user information of URLs.
///
/// It reads bytes, since a combining character would hide the sign before it, and each of them once.
package struct SecretScanner {
    /// Bytes that are to be replaced.
    package struct Match {
        /// The place of the bytes.
        package var range: Range<Int>
        /// Whether they are removed instead of masked.
        package var isUserInformation = false
    }

    /// The levels of percent-encoding that are decoded.
    package static let maximumLevels = 4

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool
    /// The number of levels of percent-encoding that are decoded.
    private let levels: Int
    private var matches: [Match] = []
    /// Percent-encoding up to here has been decoded, and hides nothing.
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
    /// - Returns: What is to be replaced, in order and without overlaps.
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

    private mutating func scan() {
        var index = 0
        while index < bytes.count {
            if Self.name.contains(bytes[index]) {
                let end = end(of: Self.name, from: index)
                let count = matches.count
                let next = scanValue(of: index..<end)
                index = matches.count == count ? scanEncoded(index..<end) ?? next : next
            } else if bytes[index] == UInt8(ascii: ":"),
                let slashes = ["//", #"\/\/"#].first(where: { bytes[(index + 1)...].starts(with: $0.utf8) })
            {
                index = scanAuthority(from: index + 1 + slashes.utf8.count)
            } else {
                index += 1
            }
        }
    }

    private mutating func scanAuthority(from start: Int) -> Int {
        let end = start + bytes[start...].prefix { !Self.endOfAuthority.contains($0) }.count
        guard let sign = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { return start }
        matches.append(Match(range: start..<sign + 1, isUserInformation: true))
        return sign + 1
    }

    /// Masks the whole of a value that hides a secret in percent-encoding, and returns where it ends.
    private mutating func scanEncoded(_ start: Range<Int>) -> Int? {
        guard levels > 0, start.lowerBound >= endOfDecoded, bytes[start].contains(UInt8(ascii: "%")) else { return nil }
        let value = start.lowerBound..<firstIndex(of: Self.endOfQueryValue, from: start.lowerBound)
        endOfDecoded = value.upperBound
        guard hidesSecret(in: value) else { return nil }
        matches.append(Match(range: value))
        return value.upperBound
    }

    /// Whether a value has a secret that is found only in the decoded text.
    ///
    /// A secret that is also found in the text as it is written, as in `a%20b?token=abc`, does not count: it is masked
    /// by itself, and what is before it stays.
    private func hidesSecret(in value: Range<Int>) -> Bool {
        let visible = Masking.replacing(in: text(value), levels: 0, isSecret: isSecret) { _ in Masking.mask }
        let decoded = visible.removingPercentEncodingOfASCII
        guard decoded.utf8.count < visible.utf8.count else { return false }
        let bytes = Array(decoded.utf8)
        let matches = Self.matches(in: bytes, levels: levels - 1, isSecret: isSecret)
        return matches.contains { !bytes[$0.range].elementsEqual(Masking.mask.utf8) }
    }

    /// Returns where to continue after a name: at the end of its value, if that is a secret.
    private mutating func scanValue(of name: Range<Int>) -> Int {
        var index = name.upperBound
        let quote = quote(at: index)
        if let quote { index = quote.end }
        let space = quote == nil ? Self.space : Self.jsonSpace
        let afterSpace = end(of: space, from: index)
        guard afterSpace < bytes.count, "=:".utf8.contains(bytes[afterSpace]) else {
            return quote == nil && afterSpace > index ? scanCredential(after: name, at: afterSpace) : name.upperBound
        }
        let isAssignment = bytes[afterSpace] == UInt8(ascii: "=")
        guard isSecret(text(name)) || isAssignment && isCode(name, before: afterSpace + 1) else {
            return name.upperBound
        }
        let start = end(of: space, from: afterSpace + 1)
        let isScheme = bytes[start...].starts(with: "//".utf8)
        let isEndOfURL = isPath(name) && start > afterSpace + 1  // as in `/token: 404`
        guard isAssignment || !isScheme && !isEndOfURL else { return name.upperBound }
        let end = endOfValue(from: start, isAssignment: isAssignment, isQuotedName: quote != nil)
        guard start < end.value else { return name.upperBound }
        let isLeaf = quote != nil && !isAssignment && end.start == start
        // These reveal nothing, and keep error texts readable.
        if isLeaf, ["true", "false", "null"].contains(text(start..<end.value)) { return end.value }
        matches.append(Match(range: end.start..<end.value))
        return end.value
    }

    /// Masks the token after the name of an authentication scheme (RFC 9110, section 11.4), unless it is prose.
    private mutating func scanCredential(after scheme: Range<Int>, at start: Int) -> Int {
        let name = text(scheme).lowercased()
        let isWordOfProse = ["token", "apikey"].contains(name)
        let end = end(of: Self.token, from: start)
        let token = bytes[start..<end]
        guard isWordOfProse || ["bearer", "basic", "dpop"].contains(name), !isPath(scheme),
            token.first != UInt8(ascii: "/"), !token.isEmpty
        else { return scheme.upperBound }
        // `Basic realm="x"` has a parameter.
        guard token.last != UInt8(ascii: "=") || quote(at: end) == nil else { return start }
        let isUnlikelyInProse = token.count >= 20 || token.count >= 7 && token.contains(where: \.isDigit)
        guard !isWordOfProse || isUnlikelyInProse else { return start }
        matches.append(Match(range: start..<end))
        return end
    }

    /// Whether a name is that of an authorization code (RFC 6749, section 4.1.2), and not `Code=-1001` of an error.
    private func isCode(_ name: Range<Int>, before value: Int) -> Bool {
        guard text(name).lowercased() == "code" else { return false }
        return text(name) == "code"
            || bytes[min(value, bytes.count)...].first.map { $0 != 0x2D && !$0.isDigit } ?? false
    }

    private func endOfValue(from start: Int, isAssignment: Bool, isQuotedName: Bool) -> (start: Int, value: Int) {
        if let quote = quote(at: start) { return (quote.end, endOfString(from: quote)) }
        if isAssignment { return (start, firstIndex(of: Self.endOfValue, from: start)) }
        guard isQuotedName else { return (start, firstIndex(of: Self.endOfLine, from: start)) }
        guard start < bytes.count, "[{".utf8.contains(bytes[start]) else {
            return (start, firstIndex(of: Self.endOfJSONLeaf, from: start))
        }
        return (start, endOfContainer(from: start))
    }

    /// The end of a list or an object; brackets within strings do not count.
    private func endOfContainer(from start: Int) -> Int {
        var (index, level) = (start, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): level += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
            case let sign where "\"'".utf8.contains(sign): index = endOfString(from: (index + 1, 0, sign))
            default: break
            }
            index += 1
            if level == 0 { return index }
        }
        return bytes.count
    }

    /// A quote, which in JSON within a string has backslashes before it.
    private func quote(at index: Int) -> (end: Int, depth: Int, sign: UInt8)? {
        let sign = index + (index < bytes.count ? bytes[index...].prefix { $0 == UInt8(ascii: "\\") }.count : 0)
        guard sign < bytes.count, "\"'".utf8.contains(bytes[sign]) else { return nil }
        return (sign + 1, sign - index, bytes[sign])
    }

    /// The end of the string after a quote: at the same sign with as many backslashes, or fewer.
    private func endOfString(from quote: (end: Int, depth: Int, sign: UInt8)) -> Int {
        var backslashes = 0
        for index in quote.end..<max(quote.end, bytes.count) {
            if bytes[index] == UInt8(ascii: "\\") {
                backslashes += 1
                continue
            }
            // Each level of nesting doubles the backslashes of the string and adds one before its quotes.
            let isEscaped = !((backslashes - quote.depth) / (quote.depth + 1)).isMultiple(of: 2)
            if bytes[index] == quote.sign, backslashes < quote.depth || !isEscaped {
                return index - min(quote.depth, backslashes)
            }
            backslashes = 0
        }
        return bytes.count
    }

    /// Whether a name is the end of a URL's path, after which a colon begins prose.
    private func isPath(_ name: Range<Int>) -> Bool {
        name.lowerBound > 0 && bytes[name.lowerBound - 1] == UInt8(ascii: "/")
    }

    private func end(of set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix(while: set.contains).count
    }

    private func firstIndex(of set: ByteSet, from start: Int) -> Int {
        start + bytes[min(start, bytes.count)...].prefix { !set.contains($0) }.count
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
