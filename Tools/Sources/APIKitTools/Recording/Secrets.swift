import APIKitCore
@_spi(Tools) import APIKitRecording
import Foundation

/// Masks the secrets in a recording, and names the credentials among them. Generated code names the credentials, but
/// never contains their values.
///
/// What is a secret, and how it is masked, is decided by the library's `SecretMask`, which `HARFile` uses too.
struct Secrets {
    /// The text that replaces a secret.
    static let mask = "***"

    /// The kinds of the credentials that were sent, and the name of one of each kind.
    private(set) var credentials: [SecurityScheme.Kind: String] = [:]
    /// Knows the secrets of all exchanges.
    private var secretMask = SecretMask()

    /// Whether a header, an item of a query, a field or a member with this name is secret.
    static func isSecretName(_ name: String) -> Bool { SecretMask().isSecretName(name) }

    /// Whether a text looks like a token, whatever its name.
    static func isToken(_ text: String) -> Bool {
        // A JSON Web Token begins with `{"` in base64, and its three parts are separated by dots.
        let isJWT = text.hasPrefix("eyJ") && text.count { $0 == "." } > 1
        if isJWT { return true }
        // A token has enough characters to be hard to guess, and no spaces. Random characters include letters and
        // several digits. A long name may have one digit or two, as in `customer-addresses-v2`.
        guard text.count >= 20, text.allSatisfy(isTokenCharacter) else { return false }
        let hasLetters = text.contains(where: \.isLetter)
        let hasSeveralDigits = text.count(where: \.isNumber) > 2
        return hasLetters && hasSeveralDigits
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCIIAlphanumeric || "-_.~+/=".contains(character)
    }

    // MARK: - Finding

    /// Remembers the secrets in the headers, the query and the bodies of an entry, and adds the credentials among them
    /// to ``credentials``.
    mutating func learn(from entry: HAREntry) {
        for header in entry.requestHeaders {
            if header.name == .cookie {
                learn(fromCookies: header.value)
            } else if Self.isSecretName(header.name.rawValue) {
                let name = header.name.rawValue.lowercased()
                credentials[Self.credential(inHeader: name, header.value)] = name
            }
        }
        for (name, value) in Archive.Exchange.query(of: entry.url) where Self.isSecretName(name) {
            credentials[.query(name)] = name
            secretMask.remember([value])
        }
        learn(fromWebTokensIn: entry.requestBody ?? Data())
        learn(fromWebTokensIn: entry.body)
        // Masking remembers all other secrets. The masked entry is not needed yet: a later entry may have more of them.
        _ = maskingContents(of: entry)
    }

    /// Remembers the secret cookies in the header `Cookie`: those with a secret name, or with a value that looks like a
    /// token. Other values, such as the language in `lang=en`, are not remembered, since they occur anywhere.
    private mutating func learn(fromCookies header: String) {
        for cookie in header.split(separator: ";") {
            let untrimmedName = cookie.prefix { $0 != "=" }
            let value = String(cookie.dropFirst(untrimmedName.count + 1))
            let name = untrimmedName.trimmed
            if Self.isSecretName(name) || Self.isToken(value) {
                secretMask.remember([value])
                credentials[.cookie(name)] = name
            }
        }
    }

    /// The kind of the credential in a header with a secret name: a bearer token for `Authorization: Bearer …`, or a
    /// key in the header x-api-key.
    private static func credential(inHeader name: String, _ value: String) -> SecurityScheme.Kind {
        let scheme = value.prefix { $0 != " " }
        switch (name, scheme.lowercased()) {
        case ("authorization", "bearer"): return .bearer
        case ("authorization", "basic"): return .basic
        default: return .key(inHeader: name)
        }
    }

    /// Remembers the JSON Web Tokens in a body. They are secret whatever the names of their members are.
    private mutating func learn(fromWebTokensIn body: Data) {
        let words = String(decoding: body, as: UTF8.self).split { !Self.isTokenCharacter($0) }
        for word in words where word.hasPrefix("eyJ") && Self.isToken(String(word)) {
            secretMask.remember([String(word)])
        }
    }

    // MARK: - Masking

    /// Masks the headers and bodies of an entry, as in a recording of the library, and remembers the secrets in them.
    ///
    /// The URL stays: ``masked(_:)`` masks its parts, but not its host, which may be in a member with a secret name.
    /// Cookies are removed, since the client sends them.
    mutating func maskingContents(of entry: HAREntry) -> HAREntry {
        var entry = entry
        entry.requestHeaders[.cookie] = nil
        entry.requestHeaders = secretMask.maskedHeaders(entry.requestHeaders)
        entry.requestFields = entry.requestFields.map { masked($0) }
        entry.requestBody = entry.requestBody.map { secretMask.maskedBody($0, type: entry.requestType) }
        entry.body = secretMask.maskedBody(entry.body, type: entry.responseType)
        return entry
    }

    /// Masks a field of a form: all of its value if the name is secret, otherwise the secrets within it.
    private mutating func masked(_ field: HAREntry.Field) -> HAREntry.Field {
        var field = field
        if Self.isSecretName(field.name) {
            secretMask.remember([field.value])
            field.value = Self.mask
        } else {
            field.value = secretMask.maskedText(field.value)
        }
        return field
    }

    /// Masks the path and the query of an exchange, and removes headers and query items with secret names, since the
    /// client of the generated code adds them. The headers and bodies have been masked by ``maskingContents(of:)``.
    mutating func masked(_ exchange: Archive.Exchange) -> Archive.Exchange {
        var exchange = exchange
        exchange.path = exchange.path.map { segment in
            // The whole segment is replaced, which is then taken for a value of the path.
            let hasSecret = secretMask.maskedText(segment) != segment
            return hasSecret ? Self.mask : segment
        }
        exchange.query = exchange.query
            .filter { !Self.isSecretName($0.name) }
            .map { ($0.name, secretMask.maskedText($0.value)) }
        exchange.headers.removeAll { Self.isSecretName($0.name) }
        return exchange
    }
}

extension Character {
    /// Whether it is one of `A` to `Z`, `a` to `z` and `0` to `9`.
    var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
