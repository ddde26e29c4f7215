/// Writes the URLs and the scopes of OAuth 2.0, with which an app or a server obtains a token.
struct OAuthWriter {
    let plan: Plan

    private var schemes: [SecurityScheme] { plan.credentials.flatMap(\.schemes) }

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
    func lines(titleInSentence title: String = "") -> [String] {
        let members = Lines.sections([urls(), scopes()])
        if members.isEmpty { return [] }
        let comment = Lines.comment("Where \(title) issues tokens (OAuth 2.0), and what for.")
        return [comment, "\(plan.access)nonisolated enum \(plan.options.name)OAuth {"] + Lines.indented(members) + ["}"]
    }

    // MARK: - URLs

    /// A URL in the description.
    private struct NamedURL: Hashable {
        /// The name of its member, such as `tokenUrl`.
        let member: String
        let url: String
    }

    /// The comments on the constants, by the names of the members in the description.
    private static let comments = [
        "authorizationUrl": "Where users grant access.",
        "deviceAuthorizationUrl": "Where a device gets a code for its user.",
        "tokenUrl": "Where tokens are issued.", "refreshUrl": "Where tokens are renewed.",
        "openIdConnectUrl": "The configuration of OpenID Connect.",
        "oauth2MetadataUrl": "The metadata of the authorization server (RFC 8414).",
    ]

    /// Writes a constant for each URL. If several flows have different URLs of one kind, the name of the flow is a part
    /// of the constant's name: `clientCredentialsTokenURL`.
    private func urls() -> [String] {
        var flowsByURL: [NamedURL: String] = [:]
        var order: [NamedURL] = []
        func add(_ url: (name: String, url: String), flow: String) {
            let named = NamedURL(member: url.name, url: url.url)
            if flowsByURL[named] != nil { return }
            flowsByURL[named] = flow
            order.append(named)
        }
        for scheme in schemes {
            for url in scheme.metadataURLs { add(url, flow: scheme.name) }
            for flow in scheme.flows {
                for url in flow.urls { add(url, flow: flow.name) }
            }
        }
        let counts = Dictionary(grouping: order, by: \.member).mapValues(\.count)
        var taken: Set<String> = []
        return order.flatMap { named in
            let isOnlyOne = counts[named.member] == 1
            let words = isOnlyOne ? named.member : "\(flowsByURL[named] ?? "")_\(named.member)"
            let name = SwiftName.unique(SwiftName.member(words), in: &taken)
            return [
                Lines.comment(Self.comments[named.member] ?? ""),
                "\(plan.access)static let \(SwiftName.code(name)) = \(Lines.literal(named.url))",
            ]
        }
    }

    // MARK: - Scopes

    /// Writes the enum of the scopes, sorted by name.
    private func scopes() -> [String] {
        var descriptions: [String: String] = [:]
        for scope in schemes.flatMap(\.flows).flatMap(\.scopes) {
            descriptions[scope.name] = descriptions[scope.name] ?? scope.documentation ?? ""
        }
        // Scopes that only requirements name belong to them, too.
        let requirements = plan.usualSecurity + plan.api.endpoints.flatMap { $0.security ?? [] }
        for requirement in requirements {
            for (scheme, scopes) in requirement.scopesByScheme where plan.schemes[scheme]?.isIssued == true {
                for scope in scopes { descriptions[scope] = descriptions[scope] ?? "" }
            }
        }
        if descriptions.isEmpty { return [] }
        let sorted = descriptions.sorted { $0.key < $1.key }
        let names = EnumCases(sorted.map { Self.name(ofScope: $0.key) })
        var cases: [String] = []
        for (index, (scope, description)) in sorted.enumerated() {
            cases += Documentation.summary(description, names: plan.options.isPublic ? [] : [scope])
            cases.append("case \(names.code(at: index, value: scope))")
        }
        let comment = Lines.comment("What a token may be used for.")
        return [comment, "\(plan.access)enum Scope: String, CaseIterable, Sendable {"] + Lines.indented(cases) + ["}"]
    }

    /// The part of a scope that becomes its name: the last segment with letters of a scope that is a URL.
    private static func name(ofScope scope: String) -> String {
        guard scope.contains("://") else { return scope }
        let last = scope.split(separator: "/").last { $0.contains(where: \.isLetter) }
        return last.map(String.init) ?? scope
    }
}

/// The names of an enum's cases.
struct EnumCases {
    private let names: [String]

    /// Chooses different names, which may be keywords.
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
