/// Copies a text and masks the values of secret names: `name=value`, `"name": "value"`, `Name: value`, also in JSON
/// within JSON and in percent-encoding, `{"name": "password", "value": …}`, elements of XML, parts of forms, and
/// `Bearer value`. Leaves out the user information of URLs.
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
    /// Whether a `name` member of the object or tag being read names a secret, which its `value` is.
    private var isValueSecret = false
    /// Whether no closing tag follows.
    var hasNoClosingTag = false

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

    init(_ text: String, levels: Int = 4) {
        bytes = Array(text.utf8)
        self.levels = levels
        output.reserveCapacity(bytes.count)
    }

    mutating func masked() -> String {
        while let byte = byte(at: position) {
            if Self.name.contains(byte) {
                copyName()
            } else if let slashes = ["://", ":\\/\\/"].first(where: { bytes[position...].starts(with: $0.utf8) }) {
                copy(slashes.utf8.count)
                skipUserInformation()
                if position >= endOfPath { endOfPath = firstIndex(of: Self.afterPath, from: position) }
            } else {
                if Self.endOfObject.contains(byte) { isValueSecret = false }
                copy(1)
            }
        }
        return String(decoding: output, as: UTF8.self)
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
        let range = start..<end(of: Self.name, from: start)
        let name = text(range)
        if maskEncodedSecrets(after: name) { return }
        copy(range.count)
        guard let member = member(named: range) else {
            if Masking.isSecret(name), maskElement(named: range) { return }
            if Self.schemes.contains(where: name.equalsIgnoringASCIICase) { maskCredentials() }
            return
        }
        if isName(member, name) { isValueSecret = Masking.isSecret(text(word(at: member.value))) }
        if isSecret(member, name) {
            copy(member.value - position)
            maskValue(of: member, name)
        } else if isValueSecret, name.equalsIgnoringASCIICase("name") {
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
        let isPath = name.lowerBound < endOfPath || byte(at: name.lowerBound - 1) == UInt8(ascii: "/")
        if isPath, sign == UInt8(ascii: ":"), !isQuoted, value > next + 1 { return nil }
        next = value
        return next < bytes.count ? Member(name: name, sign: sign, isQuoted: isQuoted, value: next) : nil
    }

    /// Whether a member such as `"name": "password"` says what the `value` beside it is.
    private func isName(_ member: Member, _ name: String) -> Bool {
        name.equalsIgnoringASCIICase("name") || (member.isQuoted && name.equalsIgnoringASCIICase("key"))
    }

    private func isSecret(_ member: Member, _ name: String) -> Bool {
        if name.equalsIgnoringASCIICase("value") { return isValueSecret || isNameOfSecretBehind(member) }
        if name.equalsIgnoringASCIICase("code") { return !isReadableCode(member) }
        return Masking.isSecret(name)
    }

    /// Whether a `"name": "password"` follows a value within its object.
    private func isNameOfSecretBehind(_ member: Member) -> Bool {
        var index = endOfScalar(at: member.value)
        let limit = min(index + 200, bytes.count)
        while index < limit, !Self.endOfObject.contains(bytes[index]) {
            let range = index..<end(of: Self.name, from: index, limit: limit)
            if range.isEmpty {
                index += 1
                continue
            }
            if range.count <= 4, let member = self.member(named: range), isName(member, text(range)) {
                return Masking.isSecret(text(word(at: member.value)))
            }
            index = range.upperBound
        }
        return false
    }

    private func end(of set: ByteSet, from index: Int, limit: Int) -> Int {
        bytes[index..<limit].firstIndex { !set.contains($0) } ?? limit
    }

    /// The word at the start of a value, without its quotes.
    func word(at index: Int) -> Range<Int> {
        var start = end(of: Self.backslash, from: index)
        start = byte(at: start).map(Self.quotes.contains) ?? false ? start + 1 : index
        return start..<max(start, end(of: Self.name, from: start, limit: min(start + 200, bytes.count)))
    }

    /// After the name of an authentication scheme: masks a space and a token, not `realm="…"`.
    private mutating func maskCredentials() {
        let start = end(of: Self.space, from: position)
        let end = end(of: Self.token, from: start)
        let isParameter = byte(at: end - 1) == UInt8(ascii: "=") && (byte(at: end).map(Self.quotes.contains) ?? false)
        guard start > position, end > start, !isParameter else { return }
        copy(start - position)
        mask(to: end)
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
