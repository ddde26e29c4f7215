/// Copies a text and masks the values of secret names: `name=value`, `"name": "value"`, `Name: value`, also in JSON
/// within JSON, in percent-encoding and in names with `\u` escapes, `{"name": "password", "value": …}`, elements of XML,
/// parts of forms, and `Bearer value`. Leaves out the user information of URLs.
///
/// It reads bytes, since a combining character would hide the sign before it, and never looks back or ahead further
/// than a limit or what it then masks: any text takes linear time.
struct SecretScanner {
    let bytes: [UInt8]
    var position = 0
    private(set) var output: [UInt8] = []

    /// How many levels of percent-encoding are still decoded.
    private let levels: Int
    /// The end of the path of the last URL.
    private var endOfPath = 0
    /// Up to here percent-encoding hides nothing.
    private var endOfDecoded = 0
    /// Whether a `name` member names a secret, which the `value` beside it is: in the text outside of all objects, and
    /// in each object being read.
    private var isValueSecretInObjects = [false]
    private var isValueSecretInTag = false
    private var isInTag = false
    /// The name of the element whose tag is being read, if it is a secret's.
    var secretElement: Range<Int>?
    /// The closing tags, once one was looked for.
    var closingTags: ClosingTags?

    static let name = ByteSet.unreserved.union("%[]+")
    private static let space = ByteSet(" \t")
    private static let anySpace = ByteSet(" \t\r\n")
    static let quotes = ByteSet("\"'")
    static let backslash = ByteSet("\\")
    private static let token = ByteSet.unreserved.union("+/=")
    static let endOfQueryValue = ByteSet(" \t\r\n&#\"")
    private static let endOfObject = ByteSet("{}<>")
    // An apostrophe may be part of a password (RFC 3986, section 3.2.1).
    private static let endOfAuthority = ByteSet("/?# \t\r\n\"<>\\")
    private static let afterPath = ByteSet("?# \t\r\n\"<>")
    private static let unescaped = ByteSet.unreserved.union("*/:,;@!$'()={}[]")
    static let schemes = ["bearer", "basic", "dpop"]
    /// Authentication schemes that are words of prose too: "the token expired".
    static let schemesInProse = ["token", "apikey"]

    init(_ text: String, levels: Int = 4) {
        bytes = Array(text.utf8)
        self.levels = levels
        output.reserveCapacity(bytes.count)
    }

    mutating func masked() -> String {
        while let byte = byte(at: position) {
            if Self.name.contains(byte) || escapedByte(at: position) != nil {
                copyName()
            } else if let slashes = ["://", ":\\/\\/"].first(where: { bytes[position...].starts(with: $0.utf8) }) {
                copy(slashes.utf8.count)
                skipUserInformation()
                if position >= endOfPath { endOfPath = firstIndex(of: Self.afterPath, from: position) }
            } else {
                copy(1)
                if Self.endOfObject.contains(byte) { passBracket(byte) }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Keeps track of objects and tags, behind a brace or an angle bracket.
    private mutating func passBracket(_ bracket: UInt8) {
        let element = secretElement.take()
        (isInTag, isValueSecretInTag) = (bracket == UInt8(ascii: "<"), false)
        switch bracket {
        case UInt8(ascii: "{"): isValueSecretInObjects.append(false)
        case UInt8(ascii: "}"):
            isValueSecretInObjects.removeLast()
            if isValueSecretInObjects.isEmpty { isValueSecretInObjects = [false] }
        case UInt8(ascii: ">"):
            guard let element, byte(at: position - 2) != UInt8(ascii: "/") else { break }
            mask(to: endOfElement(element))
        default: break
        }
    }

    func byte(at index: Int) -> UInt8? {
        index >= 0 && index < bytes.count ? bytes[index] : nil
    }

    func end(of set: ByteSet, from index: Int) -> Int {
        bytes[min(index, bytes.count)...].firstIndex { !set.contains($0) } ?? bytes.count
    }

    /// The first byte of a set, or the end, or the byte at the limit.
    func firstIndex(of set: ByteSet, from index: Int, limit: Int = .max) -> Int {
        let start = min(index, bytes.count)
        let end = bytes.count - start > limit ? start + limit : bytes.count
        return bytes[start..<end].firstIndex(where: set.contains) ?? end
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    mutating func copy(_ count: Int) {
        output += bytes[position..<(position + count)]
        position += count
    }

    mutating func mask(to end: Int) {
        output += Masking.mask.utf8
        position = max(position, end)
    }

    /// Writes other text for what stands up to an end.
    mutating func replace(to end: Int, by text: String) {
        output += text.utf8
        position = end
    }

    private mutating func skipUserInformation() {
        let end = firstIndex(of: Self.endOfAuthority, from: position)
        if let at = bytes[position..<end].lastIndex(of: UInt8(ascii: "@")) { position = at + 1 }
    }
}

// MARK: - Names

extension SecretScanner {
    /// Copies a name and, if it is a secret's, what separates it from its value; masks the value.
    private mutating func copyName() {
        let start = position
        let range = start..<endOfName(from: start)
        let name = nameText(range)
        if maskEncodedSecrets(after: name) { return }
        copy(range.count)
        guard let member = member(named: range) else {
            if Masking.isSecret(name), beginElement(named: range) { return }
            if Self.schemes.contains(where: name.equalsIgnoringASCIICase) { maskCredentials() }
            if Self.schemesInProse.contains(where: name.equalsIgnoringASCIICase), !isPath(range) {
                maskCredentials(where: Self.isUnlikelyInProse)
            }
            return
        }
        let namesSecret = isName(member, name) && Masking.isSecret(nameText(word(at: member.value)))
        if isName(member, name) {
            if isInTag, !member.isQuoted {
                isValueSecretInTag = namesSecret
            } else {
                isValueSecretInObjects[isValueSecretInObjects.count - 1] = namesSecret
            }
        }
        if isSecret(member, name) {
            copy(member.value - position)
            maskValue(of: member, name)
        } else if namesSecret, name.equalsIgnoringASCIICase("name") {
            copy(member.value - position)
            maskPart(of: member)
        } else if Self.schemes.contains(where: name.equalsIgnoringASCIICase) {
            maskCredentials()
        }
    }

    /// What a value belongs to: where its name, the sign after it and it itself are.
    struct Member {
        let name: Range<Int>
        let sign: UInt8
        let isQuoted: Bool
        let value: Int
    }

    /// The member that a name begins: `=` or `:` and a value follow.
    func member(named name: Range<Int>) -> Member? {
        var next = end(of: Self.backslash, from: name.upperBound)
        let isQuoted = byte(at: next).map(Self.quotes.contains) ?? false
        if isQuoted { next += 1 } else { next = name.upperBound }
        let space = isQuoted ? Self.anySpace : Self.space
        next = end(of: space, from: next)
        guard let sign = byte(at: next), sign == UInt8(ascii: "=") || sign == UInt8(ascii: ":") else { return nil }
        let value = end(of: space, from: next + 1)
        // In `https://h/token: 404` it is the end of a URL.
        if isPath(name), sign == UInt8(ascii: ":"), !isQuoted, value > next + 1 { return nil }
        next = value
        return next < bytes.count ? Member(name: name, sign: sign, isQuoted: isQuoted, value: next) : nil
    }

    private func isPath(_ name: Range<Int>) -> Bool {
        name.lowerBound < endOfPath || byte(at: name.lowerBound - 1) == UInt8(ascii: "/")
    }

    /// Whether a member such as `"name": "password"` says what the `value` beside it is.
    private func isName(_ member: Member, _ name: String) -> Bool {
        if name.equalsIgnoringASCIICase("name") { return true }
        return name.equalsIgnoringASCIICase("key") && (member.isQuoted || isInTag && member.sign == UInt8(ascii: "="))
    }

    private func isSecret(_ member: Member, _ name: String) -> Bool {
        if secretElement != nil, member.sign == UInt8(ascii: "=") { return true }
        if name.equalsIgnoringASCIICase("value") {
            return isValueSecretInTag || isValueSecretInObjects.last == true || isNameOfSecretBehind(member)
        }
        if name.equalsIgnoringASCIICase("code") { return !isReadableCode(member) }
        return Masking.isSecret(name)
    }

    /// Whether a `"name": "password"` follows a value within its object or tag.
    private func isNameOfSecretBehind(_ member: Member) -> Bool {
        var index = endOfScalar(at: member.value)
        var depth = 0
        let limit = min(index + 200, bytes.count)
        while index < limit {
            let range = index..<endOfName(from: index, limit: limit)
            if range.isEmpty {
                switch bytes[index] {
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: "<"), UInt8(ascii: ">"):
                    // The end of a tag; within JSON it is a part of a string.
                    if !member.isQuoted { return false }
                default: break
                }
                if depth < 0 { return false }
                index += 1
                continue
            }
            if depth == 0, range.count <= 24, let member = self.member(named: range), isName(member, nameText(range)) {
                return Masking.isSecret(nameText(word(at: member.value)))
            }
            index = range.upperBound
        }
        return false
    }

    /// After the name of an authentication scheme: masks a token after a space, not `realm="…"`.
    private mutating func maskCredentials(where isToken: (ArraySlice<UInt8>) -> Bool = { _ in true }) {
        let start = end(of: Self.space, from: position)
        let end = end(of: Self.token, from: start)
        let isParameter = byte(at: end - 1) == UInt8(ascii: "=") && (byte(at: end).map(Self.quotes.contains) ?? false)
        guard start > position, end > start, !isParameter, isToken(bytes[start..<end]) else { return }
        copy(start - position)
        mask(to: end)
    }

    /// Whether a word is more likely a credential than prose: it has a digit and is not short, or is very long.
    private static func isUnlikelyInProse(_ word: ArraySlice<UInt8>) -> Bool {
        let hasDigit = word.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return word.first != UInt8(ascii: "/") && (word.count >= 20 || hasDigit && word.count >= 7)
    }

    /// Masks what percent-encoding hides, such as a URL, a form or JSON within a query value: if the decoded text holds
    /// a secret, writes it masked and encoded again.
    private mutating func maskEncodedSecrets(after name: String) -> Bool {
        guard levels > 0, position >= endOfDecoded, name.utf8.contains(UInt8(ascii: "%")) else { return false }
        let plain = name.removingPercentEncodingOfASCII
        guard plain.utf8.contains(where: { !Self.name.contains($0) || $0 == UInt8(ascii: "%") }) else { return false }
        let end = firstIndex(of: Self.endOfQueryValue, from: position)
        let decoded = text(position..<end).removingPercentEncodingOfASCII
        var scanner = SecretScanner(decoded, levels: levels - 1)
        let masked = scanner.masked()
        guard !masked.utf8.elementsEqual(decoded.utf8) else {
            endOfDecoded = end
            return false
        }
        var encoded: [UInt8] = []
        encoded.append(masked, percentEncodingAllBut: Self.unescaped)
        replace(to: end, by: String(decoding: encoded, as: UTF8.self))
        return true
    }
}
