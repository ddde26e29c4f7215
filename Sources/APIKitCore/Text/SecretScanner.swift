/// Masks the values of secret names in any text: `name=value`, `"name": "value"`, `Name: value`, `Bearer value`,
/// `{"name": "password", "value": …}`, elements of XML, parts of forms, and all of these in JSON within JSON or in
/// percent-encoding. Removes the user information of URLs.
///
/// It reads bytes, since a combining character would hide the sign before it. Any text takes linear time: nothing is
/// read again and again but what is shorter than a limit.
struct SecretScanner {
    let bytes: [UInt8]
    var position = 0
    var scopes = [Scope(kind: .string, end: .max)]
    /// The text that replaces some bytes, and the secrets in them unless they are one, by the index of the first byte.
    private var replacements: [Int: (end: Int, text: String, secrets: [String]?)] = [:]
    /// The end of the path of the last URL.
    private var endOfPath = 0
    /// Percent-encoding up to here has been decoded, and hides nothing.
    private var endOfDecoded = 0
    /// How many levels of percent-encoding are still decoded.
    private let levels: Int
    let vocabulary: SecretVocabulary
    /// The closing tags by name, the first one last; nil before they are needed.
    var closingTags: [[UInt8]: [Int]]?

    /// Where a `name` and a `value` belong together: in an object, a tag or a string, of which the text itself is one.
    struct Scope {
        enum Kind {
            case string
            case object
            case tag(element: Range<Int>, isSecret: Bool)
        }

        let kind: Kind
        /// Where the innermost string ends, and the scope with it.
        let end: Int
        /// Whether its `name` is that of a secret, as in `"name": "password"`.
        var namesSecret = false
        /// Its `value`, if its `name` may follow.
        var value: Range<Int>?
    }

    private static let token = ByteSet.unreserved.union("+/=")
    // An apostrophe may be part of a password (RFC 3986, section 3.2.1).
    private static let endOfAuthority = ByteSet("/?# \t\r\n\"<>\\")
    private static let afterPath = ByteSet("?# \t\r\n\"<>")
    private static let unescaped = ByteSet.unreserved.union("*/:,;@!$'()={}[]")
    static let schemes = ["bearer", "basic", "dpop"]
    /// Authentication schemes that are words of prose too: "the token expired".
    static let schemesInProse = ["token", "apikey"]

    init(_ text: String, levels: Int = 4, vocabulary: SecretVocabulary = .standard) {
        bytes = Array(text.utf8)
        self.levels = levels
        self.vocabulary = vocabulary
    }

    mutating func masked() -> String { maskedWithSecrets().text }

    /// The masked text, and the values that were masked in it.
    ///
    /// - Parameter replacing: Returns what replaces the value of a JSON member that is not a string.
    /// - Returns: The text and the values.
    mutating func maskedWithSecrets(replacing: ((String) -> String)? = nil) -> (text: String, secrets: [String]) {
        while position < bytes.count {
            while position >= scope.end { scopes.removeLast() }
            if let name = name(at: position) {
                pass(name)
            } else {
                passSign()
            }
        }
        var (output, secrets): ([UInt8], [String]) = ([], [])
        var end = 0
        for (start, change) in replacements.sorted(by: { $0.key < $1.key }) where start >= end {
            let secret = text(start..<change.end)
            secrets += change.secrets ?? [secret]
            let isBare = bytes[end..<start].last { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: ":")
            let isMask = change.text == Masking.mask
            output += bytes[end..<start] + (isMask && isBare ? replacing?(secret) ?? change.text : change.text).utf8
            end = change.end
        }
        return (String(decoding: output + bytes[end...], as: UTF8.self), secrets)
    }

    /// Replaces some bytes, and continues after them.
    mutating func replace(_ range: Range<Int>, by text: String = Masking.mask, secrets: [String]? = nil) {
        let end = max(range.upperBound, replacements[range.lowerBound]?.end ?? 0)
        replacements[range.lowerBound] = (end, text, secrets)
        position = max(position, end)
    }

    // MARK: - Signs

    var scope: Scope {
        get { scopes[scopes.count - 1] }
        set { scopes[scopes.count - 1] = newValue }
    }

    mutating func enter(_ kind: Scope.Kind, end: Int = .max) {
        scopes.append(Scope(kind: kind, end: min(end, scope.end)))
    }

    private mutating func passSign() {
        let sign = sign(at: position)
        position += 1
        switch sign {
        case "{": enter(.object)
        case "}":
            leaveTag()
            if case .object = scope.kind { scopes.removeLast() }
        case "<":
            leaveTag()
            enterTag()
        case ">":
            if let tag = leaveTag() { maskContent(after: tag) }
        case ":":
            let slashes = ["//", #"\/\/"#].first { bytes[position...].starts(with: $0.utf8) }
            if let slashes { passURL(after: slashes) }
        default: break
        }
    }

    private mutating func passURL(after slashes: String) {
        position += slashes.utf8.count
        let end = firstIndex(of: Self.endOfAuthority, from: position)
        if let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) { replace(position..<(at + 1), by: "") }
        if position >= endOfPath { endOfPath = firstIndex(of: Self.afterPath, from: position) }
    }

    // MARK: - Names

    /// Masks the value that follows a name, if the name is a secret's.
    private mutating func pass(_ name: Name) {
        if maskEncodedSecrets(from: name) { return }
        position = name.end
        guard let member = member(named: name) else { return maskCredentials(after: name) }
        // Attributes have no quotes around their names: a `<` in JSON was not a tag.
        if member.isQuoted { leaveTag() }
        if isName(member) { pairName(member) }
        if isSecret(member) {
            position = member.value
            if let range = rangeOfValue(of: member) { replace(range) }
            return
        }
        if name.equals("value") { scope.value = rangeOfValue(pendingIn: member) }
        if name.equals("name"), scope.namesSecret, member.isAssignment { maskPart(namedBy: member) }
        if let quote = quote(at: member.value), position < quote.end {
            position = quote.end
            enter(.string, end: endOfString(openedBy: quote))
        }
    }

    /// Whether a member such as `"name": "password"` says what the `value` beside it is.
    private func isName(_ member: Member) -> Bool {
        var isAttribute = false
        if case .tag = scope.kind { isAttribute = member.isAssignment }
        return member.name.equals("name") || member.name.equals("key") && (member.isQuoted || isAttribute)
    }

    /// Remembers whether a name is a secret's, and if so, masks a value that came before it.
    private mutating func pairName(_ member: Member) {
        scope.namesSecret = vocabulary.contains(word(at: member.value))
        guard scope.namesSecret, let value = scope.value.take() else { return }
        let start = member.name.start
        let comma = bytes[value.lowerBound..<start].suffix(100).lastIndex(of: UInt8(ascii: ","))
        replace(value.lowerBound..<min(value.upperBound, comma ?? start))
    }

    private func isSecret(_ member: Member) -> Bool {
        if case .tag(_, isSecret: true) = scope.kind, member.isAssignment { return true }
        if member.name.equals("value") { return scope.namesSecret }
        if member.name.equals("code") { return !isReadableCode(member) }
        return vocabulary.contains(member.name.text)
    }

    /// Whether a name is the end of a URL's path, after which a colon begins prose.
    func isPath(_ name: Name) -> Bool {
        name.start < endOfPath || sign(at: name.start - 1) == "/"
    }

    /// Masks the token after the name of an authentication scheme, but not the parameter of `Basic realm="x"`.
    private mutating func maskCredentials(after scheme: Name) {
        let isProse = Self.schemesInProse.contains(where: scheme.equals)
        let start = end(of: Self.space, from: position)
        guard start > position, isProse && !isPath(scheme) || Self.schemes.contains(where: scheme.equals) else {
            return
        }
        let end = end(of: Self.token, from: start)
        let isParameter = sign(at: end - 1) == "=" && quote(at: end) != nil
        guard end > start, !isParameter, !isProse || isUnlikelyInProse(bytes[start..<end]) else { return }
        replace(start..<end)
    }

    /// Whether a word is more likely a credential than prose: it has a digit and is not short, or is very long.
    private func isUnlikelyInProse(_ word: ArraySlice<UInt8>) -> Bool {
        word.first != UInt8(ascii: "/") && (word.count >= 20 || word.count >= 7 && word.contains(where: \.isASCIIDigit))
    }

    /// Masks what percent-encoding hides, such as a URL, a form or JSON within a query value: if the decoded text holds
    /// a secret, replaces the text by the masked one, encoded again.
    private mutating func maskEncodedSecrets(from name: Name) -> Bool {
        guard levels > 0, position >= endOfDecoded, name.text.utf8.contains(UInt8(ascii: "%")) else { return false }
        let plain = name.text.removingPercentEncodingOfASCII
        guard plain.utf8.contains(where: { !Self.name.contains($0) || $0 == UInt8(ascii: "%") }) else { return false }
        let range = position..<firstIndex(of: Self.endOfQueryValue, from: position)
        let decoded = text(range).removingPercentEncodingOfASCII
        var scanner = SecretScanner(decoded, levels: levels - 1, vocabulary: vocabulary)
        let (masked, secrets) = scanner.maskedWithSecrets()
        guard !masked.utf8.elementsEqual(decoded.utf8) else {
            endOfDecoded = range.upperBound
            return false
        }
        var encoded: [UInt8] = []
        encoded.append(masked, percentEncodingAllBut: Self.unescaped)
        replace(range, by: String(decoding: encoded, as: UTF8.self), secrets: secrets)
        return true
    }
}
