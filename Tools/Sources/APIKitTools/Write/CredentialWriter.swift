/// Writes the functions that create the API's credentials, and what comments say about credentials.
struct CredentialWriter {
    let plan: Plan

    private var baseName: String { SwiftName.code(plan.servers.mainBase.name) }

    // MARK: - Functions

    /// Writes the extension with a function for each credential, or nothing if there is none:
    ///
    ///     nonisolated extension CredentialSource where Self == Credential {
    ///         /// The API key that the Shop API expects in the header X-API-Key.
    ///         static func shop(apiKey: String) -> Credential { .header("X-API-Key", apiKey) }
    ///     }
    ///
    /// An extension of `Credential` itself would not be found for the dot in `authorized(by: .shop(apiKey: key))`.
    func functions(titleInSentence title: String) -> [String] {
        if plan.security.credentials.isEmpty { return [] }
        let hasOAuth = !OAuthWriter(plan: plan).isEmpty
        let counts = Dictionary(grouping: plan.security.credentials, by: \.kind).mapValues(\.count)
        let functions = plan.security.credentials.map { credential in
            let isOnlyOne = counts[credential.kind] == 1
            return comment(on: credential, title, isOnlyOne: isOnlyOne, hasOAuth: hasOAuth) + function(for: credential)
        }
        return ["nonisolated extension CredentialSource where Self == Credential {"]
            + Lines.indented(Lines.sections(functions)) + ["}"]
    }

    /// Writes the function for a credential. A token of OAuth 2.0 may have an expiry date.
    private func function(for credential: CredentialShape) -> [String] {
        let value: String
        var parameters = credential.parameters.map { "\($0): String" }
        switch credential.kind {
        case .bearer where isIssuedByOAuth(credential):
            parameters.append("expires: Date? = nil")
            value = ".bearer(\(credential.parameters[0]), expires: expires)"
        case .bearer: value = ".bearer(\(credential.parameters[0]))"
        case .basic: value = ".basic(user: \(credential.parameters[0]), password: \(credential.parameters[1]))"
        case .header(let name): value = ".header(\(Lines.literal(name)), \(credential.parameters[0]))"
        case .query(let name): value = ".query(\(Lines.literal(name)), \(credential.parameters[0]))"
        // There are no functions for these.
        case .unsupported: return []
        }
        let head = "\(plan.access)static func \(baseName)(\(parameters.joined(separator: ", "))) -> Credential"
        return Lines.property(head, value, depth: 1)
    }

    private func isIssuedByOAuth(_ credential: CredentialShape) -> Bool {
        credential.schemes.contains(where: \.isIssued)
    }

    /// The comment on the function for a credential. If it is not the only one of its kind, the comment has the name of
    /// its security scheme.
    private func comment(
        on credential: CredentialShape, _ title: String, isOnlyOne: Bool, hasOAuth: Bool
    ) -> [String] {
        var sections: [[String]] = []
        switch credential.kind {
        case .bearer: sections.append(["The bearer token that \(title) expects."])
        case .basic: sections.append(["The user name and the password that \(title) expects."])
        case .header(let name):
            sections.append(Lines.wrapped("The API key that \(title) expects in the header \(name)."))
            if credential.kind.header == "authorization" {
                sections.append(["It is the whole value of the header, with its scheme if the API expects one."])
            }
        case .query(let name):
            sections.append(Lines.wrapped("The API key that \(title) expects in the query item \(name)."))
        case .unsupported: break
        }
        if let quotation = quotation(about: credential) { sections.append(Lines.wrapped(quotation)) }
        if !isOnlyOne { sections.append(Lines.wrapped("The description calls it \(credential.schemes[0].name).")) }
        if isIssuedByOAuth(credential), hasOAuth { sections.append(Lines.wrapped(sentenceOnIssuing(credential))) }
        return Lines.comment(sections)
    }

    /// What the description says about a credential, such as where users create a key or which format it has. Nil if
    /// it says no more than the function.
    private func quotation(about credential: CredentialShape) -> String? {
        let quotations = credential.schemes.lazy.compactMap(\.documentation).compactMap { text in
            Prose.quotation(of: text, without: { Self.repeatsFunction($0, of: credential.kind) })
        }
        return quotations.first
    }

    /// Words of sentences that say no more than the function for a credential: `JWT token for API authentication.`
    private static let wordsOfFunctions: Set = [
        "a", "access", "all", "an", "and", "api", "apis", "as", "auth", "authenticate", "authenticated",
        "authentication", "authorization", "authorize", "basic", "be", "bearer", "by", "can", "credential", "endpoint",
        "enter", "for", "format", "header", "http", "in", "is", "json", "jwt", "key", "must", "oauth", "oauth2", "of",
        "parameter", "pass", "passed", "password", "provide", "query", "request", "require", "required", "requires",
        "scheme", "security", "send", "sent", "set", "the", "this", "to", "token", "use", "used", "user", "username",
        "using", "valid", "value", "via", "web", "with", "you", "your",
    ]

    /// Whether a sentence of the description says no more than the function for a credential does, or only how to write
    /// the header, which the client does: `Enter the token with the prefix "Bearer".`
    private static func repeatsFunction(_ sentence: String, of kind: SecurityScheme.Kind) -> Bool {
        let words = Words(sentence).words.map { Words.singular($0.lowercased()) }
        let isAboutHeader = words.contains("prefix") || words.contains("header")
        switch kind {
        case .bearer, .basic: if isAboutHeader { return true }
        case .header, .query, .unsupported: break
        }
        // A name in backticks is a format, and a link leads to more.
        let hasCodeOrLink = Prose.holds(sentence, "`") || Prose.holds(sentence, "://")
        return !hasCodeOrLink && words.allSatisfy(wordsOfFunctions.contains)
    }

    /// A sentence about where a token is issued, and about the sources that obtain it.
    private func sentenceOnIssuing(_ credential: CredentialShape) -> String {
        let constants = "`\(plan.options.name)OAuth` says where it is issued"
        let sources = sources(of: credential)
        if sources.isEmpty { return "\(constants)." }
        if !plan.options.writesOAuthSource {
            return "\(constants). `apikit endpoints --oauth` writes a source that obtains it."
        }
        if sources.count == 1 { return "\(constants), and \(sources[0].reference) obtains it." }
        return "\(constants). These sources obtain it: \(Self.list(sources.map(\.reference)))."
    }

    /// The sources of a token, which are functions that create an `OAuth` that obtains it. A comment names at most
    /// three.
    private func sources(of credential: CredentialShape) -> [OAuthSource] {
        let schemes = Set(credential.schemes.map(\.name))
        return Array(plan.security.oauthSources.filter { !schemes.isDisjoint(with: $0.schemes) }.prefix(3))
    }

    // MARK: - The base

    /// The comment that says which credentials the API expects, with an example of a client that adds them. Empty if
    /// they are unknown.
    ///
    ///     /// The API expects an API key in the header X-API-Key:
    ///     ///
    ///     /// ```swift
    ///     /// let client = URLSession.api.authorized(by: .shop(apiKey: key), for: .shop)
    ///     /// ```
    func commentOnMainBase() -> [[String]] {
        let alternatives = plan.security.usual
        if alternatives.isEmpty { return [] }
        var phrases: [String] = []
        for alternative in alternatives {
            let phrase = phrase(for: alternative)
            if !phrases.contains(phrase) { phrases.append(phrase) }
            // More would not fit into a comment that anyone reads.
            if phrases.count == 5 { break }
        }
        let subject = plan.security.onlySomeNeedCredentials ? "Some endpoints expect" : "The API expects"
        let expected = "\(subject) \(phrases.joined(separator: ", or "))"
        guard let client = client(for: basesOfUsualCredentials) else {
            return [Lines.wrapped("\(expected), which no client of the library adds.")]
        }
        var sections = [Lines.wrapped("\(expected):"), Self.snippet(client)]
        if let sentence = sentenceOnSource() { sections.append(Lines.wrapped(sentence)) }
        return sections
    }

    /// A sentence about the source that obtains the token in the example; nil if there is none in the code.
    private func sentenceOnSource() -> String? {
        if !plan.options.writesOAuthSource { return nil }
        let shown = shownRequirement?.schemeNames.compactMap { plan.security.credential(forScheme: $0) } ?? []
        for credential in shown {
            guard let source = sources(of: credential).first else { continue }
            let function = plan.security.functionName(of: credential)
            return "With \(source.reference) in place of `\(function)`, the client obtains and renews its tokens."
        }
        return nil
    }

    /// The names of the bases to which a client with the usual credentials, those that most requests need, sends them:
    /// the main base, and one for each other URL whose endpoints need them. If the main base is encrypted, others that
    /// are not are left out, so that the client does not send credentials that anyone on the way can read.
    var basesOfUsualCredentials: [String] {
        var names: [String] = [plan.servers.mainBase.name]
        var urls: Set<String> = [plan.servers.mainBase.url]
        let isEncrypted = plan.servers.mainBase.url.hasPrefix("https:")
        for base in plan.servers.bases where !urls.contains(base.url) {
            let wouldLoseEncryption = isEncrypted && !base.url.hasPrefix("https:")
            if wouldLoseEncryption || !needsUsualCredentials(baseCalled: base.name) { continue }
            names.append(base.name)
            urls.insert(base.url)
        }
        return names
    }

    /// Whether an endpoint of a base needs the credentials that most requests need. The base is not the main one.
    private func needsUsualCredentials(baseCalled name: String) -> Bool {
        plan.endpoints.contains { shape in
            guard shape.base == name else { return false }
            if case .usual = plan.security.ownSecurity(of: shape.endpoint) { return true }
            return false
        }
    }

    /// A sentence for the comment on a base that is not the main one. It says that a client sends credentials to this
    /// base only if the client names it. Nil if there are no credentials, or if no endpoint of the base needs one.
    func sentence(onOtherBase name: String) -> String? {
        if plan.security.credentials.isEmpty { return nil }
        let endpoints = plan.endpoints.filter { $0.base == name }
        let needCredentials = endpoints.contains { shape in
            if case .none = plan.security.ownSecurity(of: shape.endpoint) { false } else { true }
        }
        guard needCredentials else { return nil }
        let bases = "`for: .\(baseName), .\(SwiftName.code(name))`"
        return "`authorized(by:for:)` sends credentials to it only if you name it, too: \(bases)."
    }

    /// The credentials that examples show: the first alternative that a client can send and that has no password, or
    /// else the first that a client can send. Nil if there is none.
    ///
    /// APIs that accept a password, a token or a key usually recommend the last two for programs.
    private var shownRequirement: SecurityRequirement? {
        let alternatives = plan.security.usual.filter(plan.security.canBeSent)
        let withoutPassword = alternatives.first { alternative in
            alternative.schemeNames.allSatisfy { plan.security.schemes[$0]?.kind != .basic }
        }
        return withoutPassword ?? alternatives.first
    }

    /// The lines of the code that creates a client with the usual credentials; nil if the library does not add them.
    ///
    /// - Parameters:
    ///   - calls: The calls before those that add credentials, such as `.based(at: .shopSandbox)`.
    ///   - bases: The names of the bases to which the credentials are sent; the main base if empty.
    ///   - setsVariable: Whether the client sets the variable of the main base, if it has one. Otherwise, a client
    ///     around it does, so the credentials are for the base with the value.
    /// - Returns: The lines.
    func client(after calls: [String] = [], for bases: [String] = [], setsVariable: Bool = true) -> [String]? {
        guard let requirement = shownRequirement else { return nil }
        let mainName = plan.servers.mainBase.name
        let variable = plan.servers.variable
        let list = (bases.isEmpty ? [mainName] : bases).map { name in
            if name == mainName, !setsVariable, let variable { return variable.base }
            return ".\(SwiftName.code(name))"
        }.joined(separator: ", ")
        var allCalls = calls
        if calls.isEmpty, setsVariable, let variable { allCalls.append(variable.call) }
        for name in requirement.schemeNames {
            guard let credential = plan.security.credential(forScheme: name) else { continue }
            let arguments = zip(credential.parameters, credential.arguments).map { "\($0): \($1)" }
            let value = ".\(baseName)(\(arguments.joined(separator: ", ")))"
            let call = ".authorized(by: \(value), for: \(list))"
            if !allCalls.contains(call) { allCalls.append(call) }
        }
        return Self.client(allCalls)
    }

    /// The lines of the code that creates a client with some calls, in one line if it fits into a comment.
    static func client(_ calls: [String]) -> [String] {
        let start = "let client = URLSession.api"
        let line = start + calls.joined()
        // The depth of the comment is 1. The second level is as long as its `/// `.
        if Lines.fits(line, 2) { return [line] }
        return [start] + calls.map { "    \($0)" }
    }

    /// Lines of code as they stand in a comment.
    static func snippet(_ code: [String]) -> [String] { ["```swift"] + code + ["```"] }

    /// A phrase for the credentials of a requirement: `a bearer token and an API key in the header X-App`.
    private func phrase(for requirement: SecurityRequirement) -> String {
        var phrases: [String] = []
        var headers: [String] = []
        for name in requirement.schemeNames {
            switch plan.security.schemes[name]?.kind {
            case .bearer?: phrases.append("a bearer token")
            case .basic?: phrases.append("a user name and a password")
            case .header(let header)?: headers.append(header)
            case .query(let item)?: phrases.append("an API key in the query item \(item)")
            case .unsupported(let phrase, _)?: phrases.append(phrase)
            case nil: phrases.append("the credential \(name)")
            }
        }
        if headers.count == 1 { phrases.append("an API key in the header \(headers[0])") }
        if headers.count > 1 { phrases.append("API keys in the headers \(Self.list(headers))") }
        return Self.list(phrases)
    }

    /// A list as in a sentence: `a, b and c`.
    static func list(_ texts: [String]) -> String {
        guard texts.count > 1, let last = texts.last else { return texts.joined() }
        return "\(texts.dropLast().joined(separator: ", ")) and \(last)"
    }

    // MARK: - Endpoints

    /// The comment on what an endpoint needs, if that differs from the API's usual credentials:
    ///
    ///     /// Needs `.shop(adminKey:)`.
    ///
    /// An endpoint that needs no credential has no comment, since its options say that.
    func comment(on endpoint: Endpoint) -> [String] {
        switch plan.security.ownSecurity(of: endpoint) {
        case .usual, .none: return []
        case .optional: return [Lines.comment("Credentials are optional.")]
        case .other(let alternatives):
            return Lines.wrapped("Needs \(need(of: alternatives)).").map(Lines.comment)
        }
    }

    /// What a request needs, as in a sentence: the functions for its credentials, or only scopes if it needs a usual
    /// credential with these scopes.
    ///
    ///     `.shop(adminKey:)`
    ///     the scopes `orders:read` and `orders:write`
    private func need(of alternatives: [SecurityRequirement]) -> String {
        let usualSchemes = Set(plan.security.usual.map(\.schemeNames))
        let haveUsualSchemes = alternatives.allSatisfy { usualSchemes.contains($0.schemeNames) }
        let scopes = Set(alternatives.flatMap { $0.scopesByScheme.values.joined() }).sorted()
        let differOnlyInScopes = haveUsualSchemes && !scopes.isEmpty
        guard differOnlyInScopes else { return plan.security.credentialNames(of: alternatives, mark: "`") }
        let noun = scopes.count == 1 ? "scope" : "scopes"
        // Each alternative has its own scopes, of which a request needs those of one alternative.
        let conjunction = alternatives.count > 1 ? " or " : " and "
        // More would not fit into a comment that anyone reads.
        let names = scopes.prefix(5).map { "`\($0)`" }
        return "the \(noun) \(names.joined(separator: conjunction))"
    }
}
