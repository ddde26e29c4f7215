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
        HTTPHeaders(
            headers.map { field in
                var field = field
                if field.name == .cookie {
                    field.value = field.value.split(separator: ";").map { cookie($0) }.joined(separator: ";")
                } else if field.name == .setCookie {
                    field.value = Self.cookies(in: field.value).map { setCookie($0) }.joined(separator: ",")
                } else if vocabulary.contains(field.name.rawValue)
                    || secretNames.contains(where: { field.name == HTTPHeaders.Name(rawValue: $0) })
                {
                    remember(secrets(inCredential: field.value))
                    field.value = Masking.mask
                } else {
                    field.value = text(field.value)
                }
                return field
            })
    }

    /// The cookies of a `Set-Cookie`, several of which Foundation joins by commas, as a date contains one too.
    private static func cookies(in value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).reduce(into: []) { cookies, part in
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let isCookie = part[name.endIndex...].first == "=" && !name.trimmingSpaces().contains(" ")
            if isCookie || cookies.isEmpty {
                cookies.append(String(part))
            } else {
                cookies[cookies.count - 1] += ",\(part)"
            }
        }
    }

    private mutating func setCookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            let name = part.prefix { $0 != "=" }.trimmingSpaces().lowercased()
            return index > 0 && Self.cookieAttributes.contains(name) ? text(String(part)) : cookie(part)
        }.joined(separator: ";")
    }

    private static let cookieAttributes: Set<String> = [
        "", "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    private mutating func cookie(_ pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        remember([String(pair.dropFirst(name.count + 1))])
        return name.count < pair.count ? "\(name)=\(Masking.mask)" : "\(pair.prefix { $0 == " " })\(Masking.mask)"
    }

    /// A credential with and without its scheme, and the password of one of the scheme `Basic` (RFC 7617).
    private func secrets(inCredential value: String) -> [String] {
        let token = value.afterFirstSpace
        let login = Data(base64Encoded: token).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return [value, token, String(login.drop { $0 != ":" }.dropFirst())]
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
        return first.map("{[".utf8.contains) == true ? json(text) : self.text(text)
    }

    /// JSON, or JSON in lines, masked so that it stays valid, and numbers stay numbers.
    private mutating func json(_ text: String) -> String {
        if JSONTokens.areValid(in: Data(text.utf8)) { return maskingMembers(of: text) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let areJSON = lines.allSatisfy { line in
            line.allSatisfy(" \t\r".utf8.contains) || JSONTokens.areValid(in: Data(line))
        }
        guard areJSON else { return self.text(text) }
        return lines.map { maskingMembers(of: String(Substring($0))) }.joined(separator: "\n")
    }

    /// JSON with the strings and numbers masked that are values of secret names, at any depth, and secrets within other
    /// strings.
    private mutating func maskingMembers(of json: String) -> String {
        let bytes = Array(json.utf8)
        let tokens = Array(JSONTokens(bytes))
        var (output, end): ([UInt8], Int) = ([], 0)
        // Whether the next value is secret, and those of the lists and objects around it.
        var (isSecret, outerSecrets): (Bool, [Bool]) = (false, [])
        for (index, token) in tokens.enumerated() {
            output += bytes[end..<token.range.lowerBound]
            end = token.range.upperBound
            var content = bytes[token.range]
            switch token.kind {
            case .string where index + 1 < tokens.count && tokens[index + 1].kind == .colon:
                isSecret = isSecret || vocabulary.contains(Self.text(of: content))
            case .string: content = string(content, isSecret: isSecret)
            case .scalar
            where isSecret && !["true", "false", "null"].contains(String(decoding: content, as: UTF8.self)):
                content = [UInt8(ascii: "0")]
            case .open: outerSecrets.append(isSecret)
            case .close: isSecret = outerSecrets.popLast() ?? false
            case .comma: isSecret = outerSecrets.last ?? false
            case .colon, .scalar: break
            }
            output += content
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    /// A string of JSON, masked; without secrets, it stays as it is written.
    private mutating func string(_ token: ArraySlice<UInt8>, isSecret: Bool) -> ArraySlice<UInt8> {
        let text = Self.text(of: token)
        // Another text may contain it with its escapes.
        if isSecret { remember([text, String(decoding: token.dropFirst().dropLast(), as: UTF8.self)]) }
        let masked = isSecret ? Masking.mask : self.text(text)
        return masked == text ? token : Array(JSONValue.string(masked).text().utf8)[...]
    }

    private static func text(of token: ArraySlice<UInt8>) -> String {
        JSONTokens.unescaped(token) ?? String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    }

    /// A form with files (RFC 7578), with the bodies of secret parts masked.
    private mutating func multipart(_ text: String) -> String {
        let boundary = text.components(separatedBy: "\r\n")[0]
        let parts = text.components(separatedBy: boundary).map { part in
            guard let head = part.components(separatedBy: "\r\n\r\n").first, head.utf8.count < part.utf8.count,
                let name = head.components(separatedBy: " name=\"").dropFirst().first?.prefix(while: { $0 != "\"" }),
                vocabulary.contains(name)
            else { return self.text(part) }
            remember(part.dropFirst(head.count).split(whereSeparator: \.isNewline).map(String.init))
            return "\(head)\r\n\r\n\(Masking.mask)\r\n"
        }
        return parts.joined(separator: boundary)
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
        return secret.contains(name) || !harmless.contains(name) && SecretNames.contains(name)
    }
}

extension Masking {
    /// A text with the values of secret names masked, and these values.
    static func masked(_ text: String, _ vocabulary: SecretVocabulary) -> (text: String, secrets: [String]) {
        var secrets: [String] = []
        let masked = replacing(in: text, isSecret: vocabulary.contains) { secret in
            // Of a URL or a form in percent-encoding, only the secrets within it are secret elsewhere.
            let decoded = secret.removingPercentEncodingOfASCII
            let inner = decoded == secret ? [] : Self.masked(decoded, vocabulary).secrets
            secrets += inner.isEmpty ? [secret] : inner
            return mask
        }
        return (masked, secrets)
    }
}
