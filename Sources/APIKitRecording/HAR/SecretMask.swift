import APIKitCore
import APIKitTesting

/// Masks the secrets of one exchange.
///
/// A secret is recognized by its name, such as the name of a header or a query item. Its value is remembered, and is
/// then also masked wherever else it occurs in the exchange. So the order of the calls matters.
struct SecretMask {
    let vocabulary: SecretVocabulary
    /// The secrets found so far that are long enough to be masked without a name.
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

    /// Masks a text of any kind, and remembers the secrets in it.
    mutating func text(_ text: String) -> String {
        // Known values are masked before names are searched: a name may be followed by only a part of such a value.
        let (masked, secrets) = Masking.masked(values.masked(in: text), vocabulary)
        if secrets.isEmpty { return masked }
        remember(secrets)
        return values.masked(in: masked)
    }

    // MARK: - Heads

    /// Masks the URL of a request, and remembers the secrets in it.
    mutating func url(of request: HTTPRequest) -> String {
        remember(request.urlSecrets)
        return text(request.urlWithoutSecrets.absoluteString)
    }

    /// Remembers the secrets in headers, so that they are masked in the URL and the body.
    mutating func rememberSecrets(of headers: HTTPHeaders, secretNames: Set<String>) {
        _ = self.headers(headers, secretNames: secretNames)
    }

    /// Masks headers, and remembers the secrets in them. A cookie keeps its name; of any other secret header, the whole
    /// value is masked.
    mutating func headers(_ headers: HTTPHeaders, secretNames: Set<String> = []) -> HTTPHeaders {
        let secretNames = Set(secretNames.map(HTTPHeaders.Name.init(rawValue:)))
        var masked: [HTTPHeaders.Field] = []
        for var field in headers {
            if field.name == .cookie {
                field.value = field.value.split(separator: ";").map { maskedCookie($0) }.joined(separator: ";")
            } else if field.name == .setCookie {
                field.value = Self.cookies(in: field.value).map { maskedSetCookie($0) }.joined(separator: ",")
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

    /// Splits a `Set-Cookie` header into its cookies.
    ///
    /// Foundation joins several such headers with commas, but the date of an expiry contains a comma too. So a part
    /// begins a cookie only if it starts with a name and an equals sign.
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

    /// Masks the value of a cookie in `Set-Cookie`. Its known attributes, such as the path, stay, apart from secrets
    /// within them.
    private mutating func maskedSetCookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        var masked = [maskedCookie(parts[0])]
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }.trimmingSpaces().lowercased()
            if Self.cookieAttributes.contains(name) {
                masked.append(text(String(part)))
            } else {
                masked.append(maskedCookie(part))
            }
        }
        return masked.joined(separator: ";")
    }

    private static let cookieAttributes: Set<String> = [
        "", "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    /// Masks the value of a cookie's pair of name and value. A pair without a name is masked as a whole.
    private mutating func maskedCookie(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        remember([String(pair.dropFirst(name.count + 1))])
        let hasValue = name.count < pair.count
        let kept = hasValue ? "\(name)=" : String(pair.prefix { $0 == " " })
        return kept + Masking.mask
    }

    /// Returns the values of a credential that are masked elsewhere: all of it, the part after its scheme and, for the
    /// scheme `Basic` (RFC 7617), the password.
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

    /// Masks a body if it is text, and remembers the secrets in it. A body without secrets keeps its bytes.
    mutating func body(_ data: Data, type: MIMEType?) -> Data {
        let count = values.count
        let masked = maskedOnce(data, type: type)
        // If new secrets were found, the body is masked again: their values may also occur before their names.
        return values.count > count ? maskedOnce(masked, type: type) : masked
    }

    private mutating func maskedOnce(_ data: Data, type: MIMEType?) -> Data {
        let text = String(decoding: data, as: UTF8.self)
        if text.utf8.elementsEqual(data) { return Data(masked(text).utf8) }
        guard type?.isTextual ?? true else { return data }
        // The bytes are not UTF-8: the text has another charset, or a form contains a file. Each byte becomes one
        // character, so that all bytes around a secret can be restored.
        let latin = String(String.UnicodeScalarView(data.map(Unicode.Scalar.init)))
        return Data(masked(latin).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    private mutating func masked(_ text: String) -> String {
        if text.hasPrefix("--") { return maskedMultipart(text) }
        let first = text.utf8.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return mayBeJSON ? maskedJSON(text) : self.text(text)
    }

    /// Masks JSON, or lines of JSON, so that it stays valid and numbers stay numbers.
    private mutating func maskedJSON(_ text: String) -> String {
        if JSONTokens.areValid(in: Data(text.utf8)) { return maskingMembers(of: text) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let areJSON = lines.allSatisfy { line in
            let isBlank = line.allSatisfy(" \t\r".utf8.contains)
            return isBlank || JSONTokens.areValid(in: Data(line))
        }
        guard areJSON else { return self.text(text) }
        return lines.map { maskingMembers(of: String(Substring($0))) }.joined(separator: "\n")
    }

    /// Masks the strings and numbers within the members with secret names, at any depth, and secrets within all other
    /// strings.
    private mutating func maskingMembers(of json: String) -> String {
        let bytes = Array(json.utf8)
        let tokens = Array(JSONTokens(bytes))
        var output: [UInt8] = []
        var end = 0
        var scope = SecretScope()
        for (index, token) in tokens.enumerated() {
            // White space between tokens stays.
            output += bytes[end..<token.range.lowerBound]
            end = token.range.upperBound
            var content = bytes[token.range]
            switch token.kind {
            case .string:
                let isName = index + 1 < tokens.count && tokens[index + 1].kind == .colon
                if isName {
                    scope.beginMember(isSecret: vocabulary.contains(Self.text(of: content)))
                } else {
                    content = maskedString(content, isSecret: scope.isSecret)
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

    /// Whether a scalar is a number: scalars that are not strings are numbers, Booleans and null.
    private static func isNumber(_ scalar: ArraySlice<UInt8>) -> Bool {
        !["true", "false", "null"].contains(String(decoding: scalar, as: UTF8.self))
    }

    /// Masks a string of JSON. Without secrets, its bytes and escapes stay as they are.
    private mutating func maskedString(_ token: ArraySlice<UInt8>, isSecret: Bool) -> ArraySlice<UInt8> {
        let text = Self.text(of: token)
        let masked: String
        if isSecret {
            // Another text may contain the secret with the same escapes, so that form is remembered too.
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

    /// Masks a multipart form (RFC 7578): the contents of parts with a secret name, and secrets within other parts.
    private mutating func maskedMultipart(_ text: String) -> String {
        let boundary = text.components(separatedBy: "\r\n")[0]
        let parts = text.components(separatedBy: boundary).map { maskedPart($0) }
        return parts.joined(separator: boundary)
    }

    private mutating func maskedPart(_ part: String) -> String {
        let head = part.components(separatedBy: "\r\n\r\n")[0]
        let body = part.dropFirst(head.count)
        guard !body.isEmpty, let name = Self.name(inHead: head), vocabulary.contains(name) else {
            return text(part)
        }
        remember(body.split(whereSeparator: \.isNewline).map(String.init))
        return "\(head)\r\n\r\n\(Masking.mask)\r\n"
    }

    /// Returns the field name in the head of a part; nil if there is none.
    private static func name(inHead head: String) -> Substring? {
        head.components(separatedBy: " name=\"").dropFirst().first?.prefix { $0 != "\"" }
    }
}

/// Tracks whether the next value of a JSON text is secret.
///
/// A value is secret if the name of its member is, or the name of a list or object that contains it.
private struct SecretScope {
    /// Whether the next value is secret.
    private(set) var isSecret = false
    /// Whether each open list or object is secret as a whole.
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

/// The names of secrets: the usual ones and those that a caller adds, without those that a caller declares harmless.
struct SecretVocabulary: Sendable {
    private let secret: Set<String>
    private let harmless: Set<String>

    /// Creates a vocabulary; names ignore case.
    init(secret: Set<String> = [], harmless: Set<String> = []) {
        self.secret = Set(secret.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    /// Whether a name belongs to a secret.
    func contains(_ name: some StringProtocol) -> Bool {
        guard !secret.isEmpty || !harmless.isEmpty else { return SecretNames.contains(String(name)) }
        let name = name.removingPercentEncodingOfASCII.lowercased()
        if secret.contains(name) { return true }
        return !harmless.contains(name) && SecretNames.contains(name)
    }
}

extension Masking {
    /// Masks the values of secret names in a text, and returns the masked text and these values.
    static func masked(_ text: String, _ vocabulary: SecretVocabulary) -> (text: String, secrets: [String]) {
        var secrets: [String] = []
        let masked = replacing(in: text, isSecret: vocabulary.contains) { secret in
            // The value may be a percent-encoded URL or form that contains secrets. Then only those secrets are masked
            // elsewhere, not the whole value.
            let decoded = secret.removingPercentEncodingOfASCII
            var inner: [String] = []
            if decoded != secret { inner = Self.masked(decoded, vocabulary).secrets }
            secrets += inner.isEmpty ? [secret] : inner
            return mask
        }
        return (masked, secrets)
    }
}
