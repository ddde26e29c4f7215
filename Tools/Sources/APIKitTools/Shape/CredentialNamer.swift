/// Names the parameters of the credentials' functions: `token`, `username` and `password`, or `apiKey`. If several
/// credentials would have the same parameters, these are named after the security schemes: `adminToken`.
struct CredentialNamer {
    /// The parameters so far, in lower case.
    private var namesBefore: Set<String> = []
    /// The names that are not free, in lower case.
    private var taken: Set<String>

    /// Names the parameters of the credentials for some groups of security schemes.
    static func credentials(for groups: [SchemeGroup]) -> [CredentialShape] {
        var counts: [[String]: Int] = [:]
        for group in groups { counts[usualParameters(of: group.kind), default: 0] += 1 }
        let namesOfOne = counts.filter { $0.value == 1 }.keys.joined()
        var namer = CredentialNamer(usualNames: namesOfOne)
        return groups.map { group in
            let isOnlyOne = counts[usualParameters(of: group.kind)] == 1
            return isOnlyOne ? namer.usualCredential(for: group) : namer.credentialNamedAfterScheme(for: group)
        }
    }

    private init(usualNames: some Sequence<String>) {
        // The function for a token may have the parameter `expires`, too.
        taken = Set(usualNames.map { $0.lowercased() } + ["expires"])
    }

    /// The parameters of a credential's function if no other credential has the same.
    private static func usualParameters(of kind: SecurityScheme.Kind) -> [String] {
        switch kind {
        case .bearer: ["token"]
        case .basic: ["username", "password"]
        case .header, .query, .unsupported: ["apiKey"]
        }
    }

    /// Gives a credential the usual parameters.
    private mutating func usualCredential(for group: SchemeGroup) -> CredentialShape {
        let names = Self.usualParameters(of: group.kind)
        namesBefore.formUnion(names.map { $0.lowercased() })
        return CredentialShape(
            kind: group.kind, schemes: group.schemes, parameters: names,
            // The arguments are the variables in an example: `apiKey: key`.
            arguments: names == ["apiKey"] ? ["key"] : names)
    }

    /// Names the parameters of a credential after its first security scheme: `adminToken` for the token of the scheme
    /// `admin`, or `adminUsername` and `adminPassword`. The variables in an example have the same names.
    private mutating func credentialNamedAfterScheme(for group: SchemeGroup) -> CredentialShape {
        let wordsOfScheme = Self.ownWords(ofScheme: group.schemes[0].name)
        let usual = Self.usualParameters(of: group.kind)
        let suffix = group.kind == .bearer ? "Token" : "Key"
        var names: [String] = []
        for usualName in usual {
            // Of two parameters, each has its usual name after that of the scheme.
            let words = usual.count == 1 ? wordsOfScheme : wordsOfScheme + [usualName]
            var name = SwiftName.parameter(words.joined(separator: "_"), suffix: suffix)
            // A key that may be in a header or in the query has two schemes, such as `X-Api-Key` and `apikey`.
            let isAlsoInHeader = namesBefore.contains(name.lowercased())
            if case .query = group.kind, isAlsoInHeader { name += "InQuery" }
            names.append(SwiftName.unique(name, in: &taken))
        }
        namesBefore.formUnion(names.map { $0.lowercased() })
        return CredentialShape(kind: group.kind, schemes: group.schemes, parameters: names, arguments: names)
    }

    /// The words of a security scheme's name without a general word at its end, and without the `X` of a header:
    /// `admin`, `api` and `key` for `AdminApiKeyAuth`, `api` and `key` for `X-Api-Key`.
    static func ownWords(ofScheme name: String) -> [String] {
        var words = Words(name).words
        let generalWords = ["auth", "authentication", "authorization", "scheme", "security"]
        if words.count > 1, generalWords.contains(words.last ?? "") { words.removeLast() }
        if words.count > 1, words.first == "x" { words.removeFirst() }
        // A name without words, such as `+1`, has other ones in Swift.
        return words.isEmpty ? [name] : words
    }
}
