public import APIKitCore
import APIKitSupport
import APIKitTesting

/// Masks the secrets of one exchange.
///
/// `Masking` of APIKitCore finds secrets in a text by their names. A recording needs more: the value of a secret is
/// remembered, and is then also masked wherever else it occurs in the exchange, so that the order of the calls matters;
/// cookies keep their names, and JSON stays valid.
@_spi(Tools) public struct SecretMask {
    let vocabulary: SecretVocabulary
    /// The secrets found so far that are long enough to be masked without a name.
    var knownValues = KnownValues()

    /// Creates a mask that knows no secrets yet.
    init(_ vocabulary: SecretVocabulary) {
        self.vocabulary = vocabulary
    }

    /// Creates a mask for the usual names of secrets.
    public init() {
        self.init(SecretVocabulary())
    }

    /// Whether a name is that of a secret.
    public func isSecretName(_ name: String) -> Bool { vocabulary.contains(name) }

    /// Remembers secrets, percent-encoded and decoded, to mask them in what is masked from now on.
    public mutating func remember(_ secrets: [String]) {
        for secret in secrets {
            knownValues.insert(secret)
            knownValues.insert(secret.removingPercentEncodingOfASCII)
        }
    }

    /// Masks a text of any kind, and remembers the secrets in it.
    public mutating func maskedText(_ text: String) -> String {
        // Known values are masked before names are searched: a name may be followed by only a part of such a value.
        let result = Masking.masked(knownValues.masked(in: text), vocabulary)
        if result.secrets.isEmpty { return result.text }
        remember(result.secrets)
        return knownValues.masked(in: result.text)
    }

    // MARK: - Heads

    /// Masks the URL of a request, and remembers the secrets in it.
    mutating func maskedURL(of request: HTTPRequest) -> String {
        remember(request.urlSecrets)
        return maskedText(request.urlWithoutSecrets.absoluteString)
    }

    /// Remembers the secrets in headers, so that they are masked in the URL and the body.
    mutating func rememberSecrets(of headers: HTTPHeaders, secretNames: Set<String>) {
        _ = maskedHeaders(headers, secretNames: secretNames)
    }

    /// Masks headers, and remembers the secrets in them. A cookie keeps its name: `sid=abc` becomes `sid=***`. Of any
    /// other secret header, the whole value is masked.
    ///
    /// - Parameters:
    ///   - headers: The headers.
    ///   - secretNames: The names that are secret in this request, in addition to those of the vocabulary.
    /// - Returns: The headers with their secrets masked.
    public mutating func maskedHeaders(_ headers: HTTPHeaders, secretNames: Set<String> = []) -> HTTPHeaders {
        let secretHeaders = Set(secretNames.map(HTTPHeaders.Name.init(rawValue:)))
        var masked: [HTTPHeaders.Field] = []
        for var field in headers {
            if field.name == .cookie {
                let cookies = field.value.split(separator: ";").map { maskedCookie($0) }
                field.value = cookies.joined(separator: ";")
            } else if field.name == .setCookie {
                let cookies = Self.cookies(in: field.value).map { maskedSetCookie($0) }
                field.value = cookies.joined(separator: ",")
            } else if secretHeaders.contains(field.name) || vocabulary.contains(field.name.rawValue) {
                remember(secrets(inCredential: field.value))
                field.value = Masking.mask
            } else {
                field.value = maskedText(field.value)
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

    /// Masks a cookie of `Set-Cookie`: `sid=abc; Path=/; Note=def` becomes `sid=***; Path=/; Note=***`.
    ///
    /// The known attributes, such as the path, stay, apart from secrets within them. An unknown attribute may hold
    /// anything, so it is masked like the cookie itself.
    private mutating func maskedSetCookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        var masked = [maskedCookie(parts[0])]
        for part in parts.dropFirst() {
            let name = part.prefix { $0 != "=" }.trimmingSpaces().lowercased()
            if Self.cookieAttributes.contains(name) {
                masked.append(maskedText(String(part)))
            } else {
                masked.append(maskedCookie(part))
            }
        }
        return masked.joined(separator: ";")
    }

    private static let cookieAttributes: Set<String> = [
        "", "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    /// Masks the value of a cookie, and remembers it: `sid=abc` becomes `sid=***`. A text without an equals sign is
    /// masked as a whole, apart from the spaces at its beginning.
    private mutating func maskedCookie(_ pair: Substring) -> String {
        guard let equalsSign = pair.firstIndex(of: "=") else {
            return pair.prefix { $0 == " " } + Masking.mask
        }
        let nameAndSign = pair[...equalsSign]
        remember([String(pair[equalsSign...].dropFirst())])
        return nameAndSign + Masking.mask
    }

    /// Returns the secrets in the value of a secret header: all of it, the token after its scheme, and the password of
    /// the scheme `Basic` (RFC 7617), whose token is `user:password` in base64.
    private func secrets(inCredential value: String) -> [String] {
        var secrets = SecretForms.withAndWithoutScheme(value)
        if let password = SecretForms.password(inBasic: value) { secrets.append(password) }
        return secrets
    }
}
