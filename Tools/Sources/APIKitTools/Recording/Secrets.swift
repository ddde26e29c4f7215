import APIKitCore
import Foundation

/// The credentials in a recording, which are named and never written.
struct Secrets {
    static let mask = "***"

    /// Sentences about the credentials that were sent.
    private(set) var credentials: Set<String> = []
    /// Values that are masked wherever they stand.
    private var values: Set<String> = []
    private var names: [String: Bool] = [:]

    /// Whether a name is that of a secret, by the library's vocabulary: what it hides in a URL.
    static func isSecret(_ name: String) -> Bool {
        let letters = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        return !letters.isEmpty && !masked("https://a/?\(letters)=shown").contains("shown")
    }

    /// A text without the values of secret names in it, as the library shows URLs in its messages.
    private static func masked(_ text: String) -> String {
        text.contains("=") || text.contains("://") ? APIBase(text).description : text
    }

    /// Whether a text looks like a token, whatever its name.
    static func isToken(_ text: String) -> Bool {
        if text.hasPrefix("eyJ"), text.count(where: { $0 == "." }) > 1 { return true }
        let hasLetters = text.contains(where: \.isLetter)
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~+/=".contains($0)) }
        return text.count >= 20 && isPlain && hasLetters && text.count(where: \.isNumber) > 2
    }

    // MARK: - Finding

    mutating func learn(from exchange: Archive.Exchange) {
        for (name, value) in exchange.headers {
            if name == "cookie" {
                for cookie in value.split(separator: ";") {
                    let name = cookie.prefix { $0 != "=" }
                    let secret = String(cookie.dropFirst(name.count + 1))
                    guard isSecretName(name.trimmed) || Self.isToken(secret) else { continue }
                    remember(secret)
                    credentials.insert("the cookie \(name.trimmed)")
                }
            } else if Self.isSecret(name) {
                let scheme = value.prefix { $0 != " " }
                remember(value)
                let token = String(value.dropFirst(scheme.count + 1))
                remember(token)
                let login = Data(base64Encoded: token).map { String(decoding: $0, as: UTF8.self) } ?? ""
                remember(String(login.drop { $0 != ":" }.dropFirst()))
                switch (name, scheme.lowercased()) {
                case ("authorization", "bearer"): credentials.insert("a bearer token")
                case ("authorization", "basic"): credentials.insert("a user name and a password")
                default: credentials.insert("the key in the header \(name)")
                }
            }
        }
        for (name, value) in exchange.query where Self.isSecret(name) {
            credentials.insert("the key in the query \(name)")
            remember(value)
        }
        for body in [exchange.body, exchange.response].compactMap(\.self) { learn(from: body, isSecret: false) }
    }

    private mutating func learn(from node: Node, isSecret: Bool) {
        switch node.content {
        case .text(let text): if isSecret || Self.isToken(text) && text.hasPrefix("eyJ") { remember(text) }
        case .list(let nodes): for node in nodes { learn(from: node, isSecret: isSecret) }
        case .object(let members):
            for (name, node) in members { learn(from: node, isSecret: isSecretName(name) || isSecret) }
        default: break
        }
    }

    /// Whether a name is that of a secret; each is looked up once.
    private mutating func isSecretName(_ name: String) -> Bool {
        if let known = names[name] { return known }
        let isSecret = Self.isSecret(name)
        names[name] = isSecret
        return isSecret
    }

    private mutating func remember(_ value: String) {
        if value.count >= 8 { values.insert(value) }
    }

    // MARK: - Masking

    /// An exchange without secrets: headers and items of the query with their names are gone, since clients add them.
    func masked(_ exchange: Archive.Exchange) -> Archive.Exchange {
        var exchange = exchange
        exchange.path = exchange.path.map { masked($0) == $0 ? $0 : Self.mask }
        exchange.query = exchange.query.filter { !Self.isSecret($0.name) }.map { ($0.name, masked($0.value)) }
        exchange.headers = exchange.headers.filter { $0.name != "cookie" && !Self.isSecret($0.name) }
            .map { ($0.name, masked($0.value)) }
        exchange.body = exchange.body.map { masked($0, isSecret: false) }
        exchange.response = exchange.response.map { masked($0, isSecret: false) }
        return exchange
    }

    private func masked(_ text: String) -> String {
        Self.masked(values.reduce(text) { $0.contains($1) ? $0.replacing($1, with: Self.mask) : $0 })
    }

    private func masked(_ node: Node, isSecret: Bool) -> Node {
        let content: Node.Content =
            switch node.content {
            case .text(let text): .text(isSecret ? Self.mask : masked(text))
            case .number(let text): .number(isSecret ? "0" : text)
            case .list(let nodes): .list(nodes.map { masked($0, isSecret: isSecret) })
            case .object(let members):
                .object(
                    Dictionary(
                        members.map { (masked($0), masked($1, isSecret: isSecret || names[$0] == true)) },
                        uniquingKeysWith: { first, _ in first }))
            case .null, .boolean: node.content
            }
        return Node(content, line: node.line)
    }
}
