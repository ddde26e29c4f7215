import APIKitCore
import Foundation

/// Finds the secrets in a recording and masks them. Generated code names the credentials, but never contains their
/// values.
struct Secrets {
    static let mask = "***"

    /// Phrases for the credentials that were sent, such as "a bearer token".
    private(set) var credentials: Set<String> = []
    /// Values that are masked wherever they appear.
    private var values: Set<String> = []
    /// The results of ``isSecretName(_:)``. Masking reads them for the names of members.
    private var names: [String: Bool] = [:]

    /// Whether a name is that of a secret. The library decides: a name is secret if its value is masked in a URL.
    static func isSecret(_ name: String) -> Bool {
        let plainName = name.filter { $0.isASCIIAlphanumeric || "-_.".contains($0) }
        if plainName.isEmpty { return false }
        return !masked("https://a/?\(plainName)=shown").contains("shown")
    }

    /// A text without the values of secret names in it, as the library shows URLs in its messages.
    private static func masked(_ text: String) -> String {
        let mayHaveSecrets = text.contains("=") || text.contains("://")
        return mayHaveSecrets ? APIBase(text).description : text
    }

    /// Whether a text looks like a token, whatever its name.
    static func isToken(_ text: String) -> Bool {
        // A JSON Web Token begins with `{"` in base64, and its three parts are separated by dots.
        let isJWT = text.hasPrefix("eyJ") && text.count { $0 == "." } > 1
        if isJWT { return true }
        // A token has enough characters to be hard to guess, no spaces, and both letters and digits.
        guard text.count >= 20 else { return false }
        let isPlain = text.allSatisfy { $0.isASCIIAlphanumeric || "-_.~+/=".contains($0) }
        let hasLetters = text.contains(where: \.isLetter)
        let hasDigits = text.count(where: \.isNumber) > 2
        return isPlain && hasLetters && hasDigits
    }

    // MARK: - Finding

    /// Remembers the secrets in an exchange, and names the credentials among them.
    mutating func learn(from exchange: Archive.Exchange) {
        for (name, value) in exchange.headers {
            if name == "cookie" {
                learn(fromCookies: value)
            } else if Self.isSecret(name) {
                learn(fromHeader: name, value)
            }
        }
        for (name, value) in exchange.query where Self.isSecret(name) {
            credentials.insert("the key in the query \(name)")
            remember(value)
        }
        if let body = exchange.body { learn(from: body, isSecret: false) }
        if let response = exchange.response { learn(from: response, isSecret: false) }
    }

    private mutating func learn(fromCookies header: String) {
        for cookie in header.split(separator: ";") {
            let name = cookie.prefix { $0 != "=" }
            let value = String(cookie.dropFirst(name.count + 1))
            guard isSecretName(name.trimmed) || Self.isToken(value) else { continue }
            remember(value)
            credentials.insert("the cookie \(name.trimmed)")
        }
    }

    /// Remembers the value of a header, the token after its scheme, and, for `Basic`, the password in the token.
    private mutating func learn(fromHeader name: String, _ value: String) {
        let scheme = value.prefix { $0 != " " }
        let token = String(value.dropFirst(scheme.count + 1))
        remember(value)
        remember(token)
        if let login = Data(base64Encoded: token) {
            let password = String(decoding: login, as: UTF8.self).drop { $0 != ":" }.dropFirst()
            remember(String(password))
        }
        switch (name, scheme.lowercased()) {
        case ("authorization", "bearer"): credentials.insert("a bearer token")
        case ("authorization", "basic"): credentials.insert("a user name and a password")
        default: credentials.insert("the key in the header \(name)")
        }
    }

    private mutating func learn(from node: Node, isSecret: Bool) {
        switch node.content {
        case .text(let text):
            let isWebToken = text.hasPrefix("eyJ") && Self.isToken(text)
            if isSecret || isWebToken { remember(text) }
        case .list(let nodes): for node in nodes { learn(from: node, isSecret: isSecret) }
        case .object(let members):
            for (name, member) in members {
                // Names inside of a secret are looked up too: masking only knows the names that have been looked up.
                let isSecretMember = isSecretName(name)
                learn(from: member, isSecret: isSecret || isSecretMember)
            }
        case .null, .boolean, .number: break
        }
    }

    /// Whether a name is that of a secret. The result is stored in ``names``, since the look-up is slow.
    private mutating func isSecretName(_ name: String) -> Bool {
        if let known = names[name] { return known }
        let isSecret = Self.isSecret(name)
        names[name] = isSecret
        return isSecret
    }

    /// Adds a value to mask. Short values are left out, since they would also be masked inside of ordinary words.
    private mutating func remember(_ value: String) {
        if value.count >= 8 { values.insert(value) }
    }

    // MARK: - Masking

    /// An exchange without secrets. Headers and query items with secret names are removed entirely: in the generated
    /// code, the client adds them.
    func masked(_ exchange: Archive.Exchange) -> Archive.Exchange {
        var exchange = exchange
        exchange.path = exchange.path.map { segment in
            let hasSecret = masked(segment) != segment
            return hasSecret ? Self.mask : segment
        }
        exchange.query = exchange.query.filter { !Self.isSecret($0.name) }.map { ($0.name, masked($0.value)) }
        exchange.headers = exchange.headers
            .filter { $0.name != "cookie" && !Self.isSecret($0.name) }
            .map { ($0.name, masked($0.value)) }
        exchange.body = exchange.body.map { masked($0, isSecret: false) }
        exchange.response = exchange.response.map { masked($0, isSecret: false) }
        return exchange
    }

    private func masked(_ text: String) -> String {
        var result = text
        for value in values where result.contains(value) {
            result = result.replacing(value, with: Self.mask)
        }
        return Self.masked(result)
    }

    private func masked(_ node: Node, isSecret: Bool) -> Node {
        Node(maskedContent(of: node, isSecret: isSecret), line: node.line)
    }

    private func maskedContent(of node: Node, isSecret: Bool) -> Node.Content {
        switch node.content {
        case .null, .boolean: return node.content
        case .number(let text): return .number(isSecret ? "0" : text)
        case .text(let text): return .text(isSecret ? Self.mask : masked(text))
        case .list(let nodes): return .list(nodes.map { masked($0, isSecret: isSecret) })
        case .object(let members):
            var result: [String: Node] = [:]
            for (name, member) in members {
                let isSecretMember = isSecret || names[name] == true
                result[masked(name)] = masked(member, isSecret: isSecretMember)
            }
            return .object(result)
        }
    }
}

extension Character {
    /// Whether it is one of `A` to `Z`, `a` to `z` and `0` to `9`.
    var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
