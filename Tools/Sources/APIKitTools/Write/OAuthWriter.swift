/// Writes the URLs and the scopes of OAuth 2.0, with which an app or a server obtains a token.
struct OAuthWriter {
    let plan: Plan

    private var schemes: [SecurityScheme] { plan.security.credentials.flatMap(\.schemes) }

    /// Whether the description has neither URLs nor scopes, so that nothing is written.
    var isEmpty: Bool { urls().isEmpty && scopes().isEmpty }

    /// Writes the enum of the constants, or nothing if the description has none:
    ///
    ///     /// Where the Shop API issues tokens (OAuth 2.0), and what for.
    ///     nonisolated enum ShopOAuth {
    ///         /// Where tokens are issued.
    ///         static let tokenURL = "https://shop.example.com/token"
    ///
    ///         /// What a token may be used for.
    ///         enum Scope: String, CaseIterable, Sendable {
    ///             /// Reads orders.
    ///             case ordersRead = "orders:read"
    ///         }
    ///     }
    func lines(titleInSentence title: String) -> [String] {
        let members = Lines.sections([urls(), scopes()])
        if members.isEmpty { return [] }
        var sections = [["Where \(title) issues tokens (OAuth 2.0), and what for."]]
        if let advice = adviceOnInsecureFlows() { sections.append(Lines.wrapped(advice)) }
        let head = "\(plan.access)nonisolated enum \(plan.options.name)OAuth {"
        return Lines.comment(sections) + [head] + Lines.indented(members) + ["}"]
    }

    /// What to do if the description has flows that are not secure, and none from which a source of tokens can be
    /// written; nil otherwise. Of several insecure flows, the advice names one.
    private func adviceOnInsecureFlows() -> String? {
        let insecureFlows = schemes.flatMap(\.flows).filter(\.isInsecure).map(\.name)
        if insecureFlows.isEmpty || !plan.security.oauthSources.isEmpty { return nil }
        let name = insecureFlows.contains("implicit") ? "implicit" : "password"
        return "The flow `\(name)` is not secure (RFC 9700). Look for the URLs of the authorization code flow in the "
            + "API's documentation, and pass them to `OAuth(endpoints:clientID:flow:)` of APIKitOAuth."
    }

    // MARK: - URLs

    /// A URL in the description.
    private struct NamedURL {
        /// The name of its member, such as `tokenUrl`.
        let member: String
        let url: String
        /// The name of the flow, or of the security scheme, that has the URL: `clientCredentials`.
        let owner: String
    }

    /// The comments on the constants, by the names of the members in the description.
    private static let comments = [
        "authorizationUrl": "Where users grant access.",
        "deviceAuthorizationUrl": "Where a device gets a code for its user.",
        "tokenUrl": "Where tokens are issued.", "refreshUrl": "Where tokens are renewed.",
        "openIdConnectUrl": "The configuration of OpenID Connect.",
        "oauth2MetadataUrl": "The metadata of the authorization server (RFC 8414).",
    ]

    /// Writes a constant for each URL.
    private func urls() -> [String] {
        var lines: [String] = []
        for (namedURL, name) in namesOfConstants() {
            lines.append(Lines.comment(Self.comments[namedURL.member] ?? ""))
            lines.append("\(plan.access)static let \(SwiftName.code(name)) = \(Lines.literal(namedURL.url))")
        }
        return lines
    }

    /// The names of the constants. If several flows have different URLs of one kind, the name of the flow is a part of
    /// the constant's name: `clientCredentialsTokenURL`.
    private func namesOfConstants() -> [(url: NamedURL, name: String)] {
        let namedURLs = differentURLs()
        let counts = Dictionary(grouping: namedURLs, by: \.member).mapValues(\.count)
        var taken: Set<String> = []
        return namedURLs.map { namedURL in
            let isOnlyOne = counts[namedURL.member] == 1
            let words = isOnlyOne ? namedURL.member : "\(namedURL.owner)_\(namedURL.member)"
            return (namedURL, SwiftName.unique(SwiftName.member(words), in: &taken))
        }
    }

    /// The code for the constant of a URL, which is in a member such as `tokenUrl` of the description:
    /// `ShopOAuth.tokenURL`.
    func constant(_ url: String, in member: String) -> String {
        let constant = namesOfConstants().first { $0.url.member == member && $0.url.url == url }
        guard let constant else { return Lines.literal(url) }
        return "\(plan.options.name)OAuth.\(SwiftName.code(constant.name))"
    }

    /// Lists the URLs of all security schemes and their flows. If several of them have the same URL in a member of the
    /// same name, only the first is listed.
    private func differentURLs() -> [NamedURL] {
        var all: [NamedURL] = []
        for scheme in schemes {
            all += scheme.metadataURLs.map { NamedURL(member: $0.name, url: $0.url, owner: scheme.name) }
            for flow in scheme.flows {
                all += flow.urls.map { NamedURL(member: $0.name, url: $0.url, owner: flow.name) }
            }
        }
        var known: [String: Set<String>] = [:]
        var different: [NamedURL] = []
        for namedURL in all {
            let isNew = known[namedURL.member, default: []].insert(namedURL.url).inserted
            if isNew { different.append(namedURL) }
        }
        return different
    }

    // MARK: - Scopes

    /// All scopes, sorted.
    var scopeNames: [String] { descriptionsOfScopes().keys.sorted() }

    /// The case of a scope as in an example: `.ordersRead`. It is one for reading, if there is one. Nil without scopes.
    var exampleOfScope: String? {
        let names = scopeNames
        if names.isEmpty { return nil }
        let index = names.firstIndex { $0.lowercased().contains("read") } ?? 0
        return EnumCases(names.map(Self.name)).reference(at: index)
    }

    /// Writes the enum of the scopes, sorted by name, or nothing if there are none:
    ///
    ///     /// What a token may be used for.
    ///     enum Scope: String, CaseIterable, Sendable {
    ///         /// Reads orders.
    ///         case ordersRead = "orders:read"
    ///     }
    private func scopes() -> [String] {
        let descriptions = descriptionsOfScopes()
        if descriptions.isEmpty { return [] }
        let sorted = descriptions.sorted { $0.key < $1.key }
        let names = EnumCases(sorted.map { Self.name(ofScope: $0.key) })
        var cases: [String] = []
        for (index, (scope, description)) in sorted.enumerated() {
            cases += Documentation.summary(description, names: [scope])
            cases.append("case \(names.code(at: index, value: scope))")
        }
        let comment = Lines.comment("What a token may be used for.")
        return [comment, "\(plan.access)enum Scope: String, CaseIterable, Sendable {"] + Lines.indented(cases) + ["}"]
    }

    /// Finds all scopes, and returns their descriptions by name. A scope without a description has an empty one.
    ///
    /// A scope that only a security requirement names is one of them too.
    private func descriptionsOfScopes() -> [String: String] {
        var descriptions: [String: String] = [:]
        for scope in schemes.flatMap(\.flows).flatMap(\.scopes) {
            let isNew = descriptions[scope.name] == nil
            if isNew { descriptions[scope.name] = scope.documentation ?? "" }
        }
        let requirements = plan.security.usual + plan.api.endpoints.flatMap { $0.security ?? [] }
        for requirement in requirements {
            for (scheme, scopes) in requirement.scopesByScheme where plan.security.schemes[scheme]?.isIssued == true {
                for scope in scopes where descriptions[scope] == nil { descriptions[scope] = "" }
            }
        }
        return descriptions
    }

    /// The part of a scope that becomes its name. For a scope that is a URL, it is the last segment with letters:
    /// `calendar` for `https://example.com/auth/calendar`.
    private static func name(ofScope scope: String) -> String {
        guard scope.contains("://") else { return scope }
        let last = scope.split(separator: "/").last { $0.contains(where: \.isLetter) }
        return last.map(String.init) ?? scope
    }
}

/// The names of an enum's cases.
struct EnumCases {
    private let names: [String]

    /// Chooses a name for the case of each text, such as `ordersRead` for `orders:read`. All names differ. They may be
    /// keywords.
    init(_ names: [String]) {
        var taken: Set<String> = []
        self.names = names.map { name in
            let member = SwiftName.member(name)
            // A case of such a name would be, or hide, a member that every enum has.
            let isReserved = SwiftName.reservedMembers.contains(member) || ["allCases", "hashValue"].contains(member)
            return SwiftName.unique(isReserved ? "\(member)Value" : member, in: &taken)
        }
    }

    /// The name of a case with its raw value, which is left out if it is the name: `readOrders = "orders:read"`.
    func code(at index: Int, value: String) -> String {
        let name = SwiftName.code(names[index])
        return names[index] == value ? name : "\(name) = \(Lines.literal(value))"
    }

    /// The name of a case after a dot, which needs no backticks.
    func reference(at index: Int) -> String { ".\(names[index])" }
}
