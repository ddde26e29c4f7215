import APIKitCore
import APIKitTesting

/// Masks the secrets of one exchange, by their names and, once found, wherever else their values stand.
struct SecretMask {
    let vocabulary: SecretVocabulary
    /// The values that were masked so far and are long enough to be replaced anywhere.
    private var values = KnownValues()

    init(_ vocabulary: SecretVocabulary) {
        self.vocabulary = vocabulary
    }

    private mutating func remember(_ secrets: [String]) {
        for secret in secrets {
            values.insert(secret)
            values.insert(secret.removingPercentEncodingOfASCII)
        }
    }

    /// Any text, masked.
    mutating func text(_ text: String) -> String {
        // Known values first, of which a name may show only a part.
        let (masked, secrets) = Masking.masked(values.masked(in: text), vocabulary)
        if secrets.isEmpty { return masked }
        remember(secrets)
        return values.masked(in: masked)
    }

    // MARK: - Heads

    /// The URL of a request, masked.
    mutating func url(of request: HTTPRequest) -> String {
        remember(request.urlSecrets)
        return text(request.urlWithoutSecrets.absoluteString)
    }

    /// Headers, masked: of cookies their values, of other secrets everything.
    mutating func headers(_ headers: HTTPHeaders, secretNames: Set<String> = []) -> HTTPHeaders {
        let secretNames = Set(secretNames.map(HTTPHeaders.Name.init(rawValue:)))
        var masked: [HTTPHeaders.Field] = []
        for var field in headers {
            if field.name == .cookie {
                field.value = field.value.split(separator: ";").map { cookie($0) }.joined(separator: ";")
            } else if field.name == .setCookie {
                field.value = Self.cookies(in: field.value).map { setCookie($0) }.joined(separator: ",")
            } else if secretNames.contains(field.name) || vocabulary.contains(field.name.rawValue) {
                remember(secrets(inCredential: field.value))
                field.value = Masking.mask
            } else {
                field.value = text(field.value)
            }
            masked.append(field)
        }
        return HTTPHeaders(masked)
    }

    /// The cookies of a `Set-Cookie`, several of which Foundation joins by commas, as a date contains one too.
    private static func cookies(in value: String) -> [String] {
        var cookies: [String] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let hasValue = part[name.endIndex...].first == "="
            let beginsCookie = hasValue && !name.trimmingSpaces().contains(" ")
            if beginsCookie || cookies.isEmpty {
                cookies.append(String(part))
            } else {
                cookies[cookies.count - 1] += ",\(part)"
            }
        }
        return cookies
    }

    /// A cookie with its attributes, which are not secret.
    private mutating func setCookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        var masked = [cookie(parts[0])]
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }.trimmingSpaces().lowercased()
            let isAttribute = Self.cookieAttributes.contains(name)
            masked.append(isAttribute ? text(String(part)) : cookie(part))
        }
        return masked.joined(separator: ";")
    }

    private static let cookieAttributes: Set<String> = [
        "", "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    /// A pair of name and value with its value masked; without a name, all of it.
    private mutating func cookie(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        remember([String(pair.dropFirst(name.count + 1))])
        let hasValue = name.count < pair.count
        let kept = hasValue ? "\(name)=" : String(pair.prefix { $0 == " " })
        return kept + Masking.mask
    }

    /// A credential with and without its scheme, and the password of one of the scheme `Basic` (RFC 7617).
    private func secrets(inCredential value: String) -> [String] {
        let token = value.afterFirstSpace
        var secrets = [value, String(token)]
        if let login = Data(base64Encoded: token) {
            let password = String(decoding: login, as: UTF8.self).drop { $0 != ":" }.dropFirst()
            secrets.append(String(password))
        }
        return secrets
    }

    // MARK: - Bodies

    /// A body, masked if it is text. Bytes without secrets stay as they are.
    mutating func body(_ data: Data, type: MIMEType?) -> Data {
        let count = values.count
        let masked = maskedOnce(data, type: type)
        // A value may also stand before the name that shows it to be a secret.
        return values.count > count ? maskedOnce(masked, type: type) : masked
    }

    private mutating func maskedOnce(_ data: Data, type: MIMEType?) -> Data {
        let text = String(decoding: data, as: UTF8.self)
        if text.utf8.elementsEqual(data) { return Data(masked(text).utf8) }
        guard type?.isTextual ?? true else { return data }
        // Byte for byte: the text around a secret is in another charset, or the fields of a form around a file.
        let latin = String(String.UnicodeScalarView(data.map(Unicode.Scalar.init)))
        return Data(masked(latin).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    private mutating func masked(_ text: String) -> String {
        if text.hasPrefix("--") { return multipart(text) }
        let first = text.utf8.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return mayBeJSON ? json(text) : self.text(text)
    }

    /// JSON, or JSON in lines, masked so that it stays valid, and numbers stay numbers.
    private mutating func json(_ text: String) -> String {
        if JSONTokens.areValid(in: Data(text.utf8)) { return maskingMembers(of: text) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let areJSON = lines.allSatisfy { line in
            let isBlank = line.allSatisfy(" \t\r".utf8.contains)
            return isBlank || JSONTokens.areValid(in: Data(line))
        }
        guard areJSON else { return self.text(text) }
        return lines.map { maskingMembers(of: String(Substring($0))) }.joined(separator: "\n")
    }

    /// JSON with the strings and numbers masked that are values of secret names, at any depth, and secrets within other
    /// strings.
    private mutating func maskingMembers(of json: String) -> String {
        let bytes = Array(json.utf8)
        let tokens = Array(JSONTokens(bytes))
        var output: [UInt8] = []
        var end = 0
        var scope = SecretScope()
        for (index, token) in tokens.enumerated() {
            // What is between tokens stays.
            output += bytes[end..<token.range.lowerBound]
            end = token.range.upperBound
            var content = bytes[token.range]
            switch token.kind {
            case .string:
                let isName = index + 1 < tokens.count && tokens[index + 1].kind == .colon
                if isName {
                    scope.beginMember(isSecret: vocabulary.contains(Self.text(of: content)))
                } else {
                    content = string(content, isSecret: scope.isSecret)
                }
            case .scalar:
                if scope.isSecret, Self.isNumber(content) { content = [UInt8(ascii: "0")] }
            case .open: scope.open()
            case .close: scope.close()
            case .comma: scope.endMember()
            case .colon: break
            }
            output += content
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    private static func isNumber(_ scalar: ArraySlice<UInt8>) -> Bool {
        !["true", "false", "null"].contains(String(decoding: scalar, as: UTF8.self))
    }

    /// A string of JSON, masked; without secrets, it stays as it is written.
    private mutating func string(_ token: ArraySlice<UInt8>, isSecret: Bool) -> ArraySlice<UInt8> {
        let text = Self.text(of: token)
        let masked: String
        if isSecret {
            // Another text may contain it with its escapes.
            let escaped = String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
            remember([text, escaped])
            masked = Masking.mask
        } else {
            masked = self.text(text)
        }
        return masked == text ? token : Array(JSONValue.string(masked).text().utf8)[...]
    }

    private static func text(of token: ArraySlice<UInt8>) -> String {
        JSONTokens.unescaped(token) ?? String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    }

    /// A form with files (RFC 7578), with the bodies of secret parts masked.
    private mutating func multipart(_ text: String) -> String {
        let boundary = text.components(separatedBy: "\r\n")[0]
        let parts = text.components(separatedBy: boundary).map { part($0) }
        return parts.joined(separator: boundary)
    }

    private mutating func part(_ part: String) -> String {
        let head = part.components(separatedBy: "\r\n\r\n")[0]
        let body = part.dropFirst(head.count)
        guard !body.isEmpty, let name = Self.name(inHead: head), vocabulary.contains(name) else {
            return text(part)
        }
        remember(body.split(whereSeparator: \.isNewline).map(String.init))
        return "\(head)\r\n\r\n\(Masking.mask)\r\n"
    }

    /// The name of a part; nil if its head has none.
    private static func name(inHead head: String) -> Substring? {
        head.components(separatedBy: " name=\"").dropFirst().first?.prefix { $0 != "\"" }
    }
}

/// Whether the next value of a JSON text is secret: by its name, or by that of a list or object that it is in.
private struct SecretScope {
    private(set) var isSecret = false
    /// The same of the lists and objects that are open.
    private var outer: [Bool] = []

    mutating func open() {
        outer.append(isSecret)
    }

    mutating func close() {
        isSecret = outer.popLast() ?? false
    }

    mutating func beginMember(isSecret isNameSecret: Bool) {
        isSecret = isSecret || isNameSecret
    }

    mutating func endMember() {
        isSecret = outer.last ?? false
    }
}

extension MIMEType {
    /// Whether bytes of this type are text, in which secrets can be found.
    fileprivate var isTextual: Bool {
        ["text/", "json", "xml", "urlencoded", "javascript", "multipart/", "graphql", "yaml"]
            .contains(where: essence.contains)
    }
}

/// The names of secrets, with names of a caller's own, and without those that a caller knows to be harmless.
struct SecretVocabulary: Sendable {
    private let secret: Set<String>
    private let harmless: Set<String>

    /// Creates a vocabulary; names ignore case.
    init(secret: Set<String> = [], harmless: Set<String> = []) {
        self.secret = Set(secret.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    /// Whether a name is that of a secret.
    func contains(_ name: some StringProtocol) -> Bool {
        guard !secret.isEmpty || !harmless.isEmpty else { return SecretNames.contains(String(name)) }
        let name = name.removingPercentEncodingOfASCII.lowercased()
        if secret.contains(name) { return true }
        return !harmless.contains(name) && SecretNames.contains(name)
    }
}

extension Masking {
    /// A text with the values of secret names masked, and these values.
    static func masked(_ text: String, _ vocabulary: SecretVocabulary) -> (text: String, secrets: [String]) {
        var secrets: [String] = []
        let masked = replacing(in: text, isSecret: vocabulary.contains) { secret in
            // Of a URL or a form in percent-encoding, only the secrets within it are secret elsewhere.
            let decoded = secret.removingPercentEncodingOfASCII
            var inner: [String] = []
            if decoded != secret { inner = Self.masked(decoded, vocabulary).secrets }
            secrets += inner.isEmpty ? [secret] : inner
            return mask
        }
        return (masked, secrets)
    }
}
