/// A stage of a plan: the credentials for which functions are generated, and which of them requests need. It is made
/// from the contents, and from the servers, since the functions have the name of the main base.
struct Security {
    /// The security schemes by name.
    let schemes: [String: SecurityScheme]
    /// The credentials for which functions are generated.
    let credentials: [CredentialShape]
    /// The alternatives of what most requests need, without the one for requests without credentials.
    let usual: [SecurityRequirement]
    /// The sources of tokens for which functions are generated with the option `--oauth`.
    let oauthSources: [OAuthSource]
    /// Whether fewer than half of the operations, but at least one, need a credential. False if the API itself has
    /// requirements, since these are for all operations.
    let onlySomeNeedCredentials: Bool
    /// Whether the API's own requirements allow requests without credentials.
    private let isOptionalForAll: Bool
    /// The name of the API's main base, which the credentials' functions have too.
    private let functionName: String
    /// The positions in ``credentials``, by the name of the security scheme.
    private let indicesByScheme: [String: Int]

    /// Finds the credentials of an API.
    init(_ contents: Contents, _ servers: Servers) {
        let api = contents.api
        let schemes = Dictionary(api.securitySchemes.map { ($0.name, $0) }) { _, last in last }
        let credentials = CredentialNamer.credentials(for: SchemeGroup.groups(in: api))
        var indicesByScheme: [String: Int] = [:]
        for (index, credential) in credentials.enumerated() {
            for scheme in credential.schemes { indicesByScheme[scheme.name] = index }
        }
        self.schemes = schemes
        self.credentials = credentials
        self.indicesByScheme = indicesByScheme
        usual = Self.usualSecurity(of: api, schemes)
        oauthSources = OAuthSourceFinder.sources(of: credentials, baseName: servers.mainBase.name)
        onlySomeNeedCredentials = Self.onlySomeNeedCredentials(in: api)
        isOptionalForAll = api.security?.contains(where: \.isEmpty) ?? false
        functionName = SwiftName.code(servers.mainBase.name)
    }

    /// The credential that a client adds for a security scheme; nil if the library does not support the scheme.
    func credential(forScheme name: String) -> CredentialShape? { indicesByScheme[name].map { credentials[$0] } }

    /// Whether a value of an endpoint is the key of a security scheme, which has its name and is in the same place.
    func isKey(_ parameter: Parameter, _ source: EndpointProperty.Source) -> Bool {
        schemes.values.contains { scheme in
            switch source {
            case .header: scheme.kind.header == parameter.name.lowercased()
            case .query: scheme.kind == .query(parameter.name)
            default: false
            }
        }
    }

    /// Whether a client can add all credentials of a requirement: the library supports each of them, and no two are in
    /// the same header.
    func canBeSent(_ requirement: SecurityRequirement) -> Bool {
        let areSupported = requirement.schemeNames.allSatisfy { credential(forScheme: $0) != nil }
        return areSupported && !needsOneHeaderTwice(requirement)
    }

    /// Whether two different credentials of a requirement are in the same header, of which a request has only one.
    func needsOneHeaderTwice(_ requirement: SecurityRequirement) -> Bool {
        let indices = Set(requirement.schemeNames.compactMap { indicesByScheme[$0] })
        let headers = indices.compactMap { credentials[$0].kind.header }
        return Set(headers).count < headers.count
    }

    // MARK: - Requirements of endpoints

    /// How an endpoint's own security requirements differ from those of most requests.
    enum OwnSecurity {
        /// They are the same, or not described.
        case usual
        /// The request needs no credential.
        case none
        /// The usual credentials need not be sent.
        case optional
        /// The request needs one of these alternatives.
        case other([SecurityRequirement])
    }

    /// Finds how an endpoint's own security requirements differ from those of most requests:
    ///
    ///     own requirements         without the empty one     result
    ///     not described                                      usual
    ///     none, or an empty one    none                      none
    ///     any                      not the usual ones        other
    ///     with an empty one        the usual ones            optional, if the API's own have no empty one
    ///     any other                the usual ones            usual
    func ownSecurity(of endpoint: Endpoint) -> OwnSecurity {
        guard let own = endpoint.security else { return .usual }
        let alternatives = own.filter { !$0.isEmpty }
        if alternatives.isEmpty { return .none }
        if !isUsual(alternatives) { return .other(alternatives) }
        // An empty alternative allows requests without credentials.
        let isOptional = alternatives.count < own.count
        if isOptional, !isOptionalForAll { return .optional }
        return .usual
    }

    /// Whether alternatives are the same as those that most requests need, in any order. Alternatives that no client
    /// can send are ignored, unless there are no others.
    private func isUsual(_ alternatives: [SecurityRequirement]) -> Bool {
        if Set(alternatives) == Set(usual) { return true }
        let sendable = Set(alternatives.filter(canBeSent))
        let usualSendable = Set(usual.filter(canBeSent))
        return !sendable.isEmpty && sendable == usualSendable
    }

    // MARK: - Usual requirements

    /// Finds what most requests need: the alternatives of a security requirement, without an empty one, which stands
    /// for requests without credentials. The first of these that the description has is the result:
    ///
    /// 1. the alternatives of the API, if the description defines all security schemes of one of them,
    /// 2. the alternatives that most operations have, without their scopes,
    /// 3. the alternatives of the API, although their schemes are not defined,
    /// 4. all security schemes, each as an alternative.
    private static func usualSecurity(of api: API, _ schemes: [String: SecurityScheme]) -> [SecurityRequirement] {
        let ofAPI = api.security?.filter { !$0.isEmpty } ?? []
        let isAnyDefined = ofAPI.contains { alternative in
            alternative.schemeNames.allSatisfy { schemes[$0] != nil }
        }
        if isAnyDefined { return ofAPI }
        if let mostFrequent = mostFrequentSecurity(of: api.endpoints) { return mostFrequent }
        if !ofAPI.isEmpty { return ofAPI }
        return api.securitySchemes.map { SecurityRequirement(scopesByScheme: [$0.name: []]) }
    }

    /// Finds the alternatives that most operations have, without their scopes and without an empty one. Nil if no
    /// operation has requirements.
    private static func mostFrequentSecurity(of endpoints: [Endpoint]) -> [SecurityRequirement]? {
        let ofEndpoints = endpoints.map { endpoint in
            (endpoint.security ?? []).filter { !$0.isEmpty }.map(\.withoutScopes)
        }
        var counts: [Set<SecurityRequirement>: Int] = [:]
        for alternatives in ofEndpoints where !alternatives.isEmpty { counts[Set(alternatives), default: 0] += 1 }
        guard let largestCount = counts.values.max() else { return nil }
        // The endpoints are sorted, so the first of several requirements with the same count is always the same.
        return ofEndpoints.first { counts[Set($0)] == largestCount }
    }

    /// Whether some operations need a credential, but fewer than half of them.
    private static func onlySomeNeedCredentials(in api: API) -> Bool {
        if api.security?.isEmpty == false { return false }
        let count = api.endpoints.count { endpoint in endpoint.security?.contains { !$0.isEmpty } ?? false }
        // If no operation has requirements, the description just does not say which of them need a credential.
        return count > 0 && count * 2 < api.endpoints.count
    }

    // MARK: - Names

    /// The function that creates a credential, as in a comment: `.shop(apiKey:)`.
    func functionName(of credential: CredentialShape) -> String {
        let labels = credential.parameters.map { "\($0):" }.joined()
        return ".\(functionName)(\(labels))"
    }

    /// The names of the credentials in the alternatives of a requirement: `.shop(appID:) and .shop(secret:), or
    /// .shop(token:)`. A name that several alternatives have appears once.
    ///
    /// - Parameters:
    ///   - alternatives: The alternatives.
    ///   - mark: The sign before and after the name of a function, such as a backtick.
    /// - Returns: The names.
    func credentialNames(of alternatives: [SecurityRequirement], mark: String = "") -> String {
        var names: [String] = []
        for alternative in alternatives {
            let name = credentialNames(of: alternative, mark)
            if !names.contains(name) { names.append(name) }
            // More would not fit into a comment that anyone reads.
            if names.count == 5 { break }
        }
        return names.joined(separator: ", or ")
    }

    /// The names of the credentials that a request needs together: `.shop(appID:) and .shop(secret:)`.
    private func credentialNames(of requirement: SecurityRequirement, _ mark: String) -> String {
        var names: [String] = []
        for scheme in requirement.schemeNames {
            let name = name(ofScheme: scheme, mark)
            if !names.contains(name) { names.append(name) }
        }
        return names.joined(separator: " and ")
    }

    /// The function for a security scheme, or a phrase for a credential that the library does not add.
    private func name(ofScheme name: String, _ mark: String) -> String {
        if let credential = credential(forScheme: name) { return "\(mark)\(functionName(of: credential))\(mark)" }
        if case .unsupported(let phrase, _)? = schemes[name]?.kind { return phrase }
        return "the credential \(name)"
    }
}
