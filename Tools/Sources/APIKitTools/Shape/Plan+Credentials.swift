/// A credential for which a function is generated, such as `.shop(apiKey:)`.
struct CredentialShape {
    /// How it is sent.
    let kind: SecurityScheme.Kind
    /// The security schemes of this kind. Those of OAuth 2.0 and of HTTP's bearer tokens are of one kind.
    var schemes: [SecurityScheme]
    /// The function's parameters, which are all texts.
    var parameters: [String] = []
    /// The variables of an example that are passed to the function.
    var arguments: [String] = []
}

extension CredentialShape {
    /// The parameters of the function if no other credential has the same.
    fileprivate var usualParameters: [String] {
        switch kind {
        case .bearer: ["token"]
        case .basic: ["username", "password"]
        case .header, .query, .unsupported: ["apiKey"]
        }
    }
}

extension Plan {
    /// Finds the credentials for which functions are generated, and which of them most requests need.
    ///
    /// Notes say which credentials the library does not add, and which operations need other credentials than most.
    func findCredentials() {
        for scheme in api.securitySchemes { schemes[scheme.name] = scheme }
        groupSchemes()
        nameParameters()
        usualSecurity = findUsualSecurity()
        noteUnsupportedCredentials()
        noteCredentialsInOneHeader()
        noteOtherCredentials()
        findOAuthSources()
    }

    /// A requirement that names a security scheme.
    private struct SchemeUse: Hashable {
        /// The list of alternatives that has the requirement: 0 for that of the API, 1 for that of its first operation.
        let listIndex: Int
        /// The other schemes that the requirement names. A request needs all of them together.
        let otherSchemes: [String]
    }

    /// What the security schemes of one credential have in common.
    private struct SchemeGroup: Hashable {
        let kind: SecurityScheme.Kind
        let uses: Set<SchemeUse>
    }

    /// Groups the security schemes, and sets ``credentials`` to one credential for each group.
    ///
    /// Schemes are in one group if they send the same and all requirements name them in the same way. A bearer token
    /// and OAuth 2.0 both send a token. If each operation accepts both, they are one credential.
    private func groupSchemes() {
        let usesByScheme = usesOfSchemes()
        let mostUses = largestUses(in: usesByScheme)
        // A credential is named after its first scheme, which should be one that requirements name.
        let used = api.securitySchemes.filter { usesByScheme[$0.name] != nil }
        let unused = api.securitySchemes.filter { usesByScheme[$0.name] == nil }
        var positions: [SchemeGroup: Int] = [:]
        for scheme in used + unused where scheme.kind.isSupported {
            // A scheme that no requirement names joins the group of its kind that most requirements name.
            let uses = usesByScheme[scheme.name] ?? mostUses[scheme.kind] ?? []
            let group = SchemeGroup(kind: scheme.kind, uses: uses)
            let position = positions[group] ?? credentials.count
            let isNewGroup = position == credentials.count
            if isNewGroup {
                credentials.append(CredentialShape(kind: scheme.kind, schemes: []))
                positions[group] = position
            }
            credentials[position].schemes.append(scheme)
            credentialsByScheme[scheme.name] = position
        }
    }

    /// Finds the requirements that name each security scheme, those of the API and of its operations. A scheme that no
    /// requirement names has no entry.
    private func usesOfSchemes() -> [String: Set<SchemeUse>] {
        var uses: [String: Set<SchemeUse>] = [:]
        let lists = [api.security ?? []] + api.endpoints.map { $0.security ?? [] }
        for (index, list) in lists.enumerated() {
            for requirement in list {
                for name in requirement.schemeNames {
                    let others = requirement.schemeNames.filter { $0 != name }
                    uses[name, default: []].insert(SchemeUse(listIndex: index, otherSchemes: others))
                }
            }
        }
        return uses
    }

    /// Finds the uses of the scheme that most requirements name, among the schemes of each kind.
    private func largestUses(in usesByScheme: [String: Set<SchemeUse>]) -> [SecurityScheme.Kind: Set<SchemeUse>] {
        var largest: [SecurityScheme.Kind: Set<SchemeUse>] = [:]
        for scheme in api.securitySchemes {
            let uses = usesByScheme[scheme.name] ?? []
            let largestCount = largest[scheme.kind]?.count ?? 0
            if uses.count > largestCount { largest[scheme.kind] = uses }
        }
        return largest
    }

    /// Names the parameters of the credentials' functions: `token`, `username` and `password`, or `apiKey`. If several
    /// credentials would have the same parameters, these are named after the security schemes: `adminToken`.
    private func nameParameters() {
        let usualNames = credentials.map(\.usualParameters)
        var counts: [[String]: Int] = [:]
        for names in usualNames { counts[names, default: 0] += 1 }
        let namesOfOne = usualNames.filter { counts[$0] == 1 }
        // The function for a token may have the parameter `expires`, too.
        var taken = Set(namesOfOne.joined().map { $0.lowercased() } + ["expires"])
        // The names of the credentials before the one that is named.
        var namesBefore: Set<String> = []
        for index in credentials.indices {
            let usual = usualNames[index]
            let isOnlyOne = counts[usual] == 1
            if isOnlyOne {
                credentials[index].parameters = usual
                credentials[index].arguments = usual == ["apiKey"] ? ["key"] : usual
            } else {
                let parameters = parametersNamedAfterScheme(ofCredential: index, namesBefore, &taken)
                credentials[index].parameters = parameters
                credentials[index].arguments = parameters
            }
            namesBefore.formUnion(credentials[index].parameters.map { $0.lowercased() })
        }
    }

    /// Names the parameters of a credential's function after its first security scheme: `adminToken` for the token of
    /// the scheme `admin`, or `adminUsername` and `adminPassword`.
    ///
    /// - Parameters:
    ///   - index: The position of the credential.
    ///   - namesBefore: The parameters of the credentials before it, in lower case.
    ///   - taken: The names that are not free, in lower case. The new names are added.
    /// - Returns: The names, which are also those of the variables in an example.
    private func parametersNamedAfterScheme(
        ofCredential index: Int, _ namesBefore: Set<String>, _ taken: inout Set<String>
    ) -> [String] {
        let credential = credentials[index]
        let words = Self.ownWords(ofScheme: credential.schemes[0].name)
        let usual = credential.usualParameters
        let suffix = credential.kind == .bearer ? "Token" : "Key"
        var parameters: [String] = []
        for usualName in usual {
            // Of two parameters, each has its usual name after that of the scheme.
            let wordsOfName = usual.count == 1 ? words : words + [usualName]
            var parameter = SwiftName.parameter(wordsOfName.joined(separator: "_"), suffix: suffix)
            // A key that may be in a header or in the query has two schemes, such as `X-Api-Key` and `apikey`.
            if case .query = credential.kind, namesBefore.contains(parameter.lowercased()) {
                parameter += "InQuery"
            }
            parameters.append(SwiftName.unique(parameter, in: &taken))
        }
        return parameters
    }

    /// Whether a parameter is the key of a security scheme, which has its name and is in the same place.
    func isKey(_ parameter: Parameter, _ source: EndpointProperty.Source) -> Bool {
        api.securitySchemes.contains { scheme in
            switch source {
            case .header: scheme.kind.header == parameter.name.lowercased()
            case .query: scheme.kind == .query(parameter.name)
            default: false
            }
        }
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

    // MARK: - Requirements

    /// The credential that a client adds for a security scheme; nil if the library does not support the scheme.
    func credential(forScheme name: String) -> CredentialShape? {
        credentialsByScheme[name].map { credentials[$0] }
    }

    /// Finds what most requests need: the alternatives of a security requirement, without an empty one, which stands
    /// for requests without credentials. The first of these that the description has is the result:
    ///
    /// 1. the alternatives of the API, if the description defines all security schemes of one of them,
    /// 2. the alternatives that most operations have, without their scopes,
    /// 3. the alternatives of the API, although their schemes are not defined,
    /// 4. all security schemes, each as an alternative.
    private func findUsualSecurity() -> [SecurityRequirement] {
        let ofAPI = api.security?.filter { !$0.isEmpty } ?? []
        let isAnyDefined = ofAPI.contains { alternative in
            alternative.schemeNames.allSatisfy { schemes[$0] != nil }
        }
        if isAnyDefined { return ofAPI }
        if let mostFrequent = mostFrequentSecurityOfEndpoints() { return mostFrequent }
        if !ofAPI.isEmpty { return ofAPI }
        return api.securitySchemes.map { SecurityRequirement(scopesByScheme: [$0.name: []]) }
    }

    /// Finds the alternatives that most operations have, without their scopes and without an empty one. Nil if no
    /// operation has requirements.
    private func mostFrequentSecurityOfEndpoints() -> [SecurityRequirement]? {
        let ofEndpoints = api.endpoints.map { endpoint in
            (endpoint.security ?? []).filter { !$0.isEmpty }.map(\.withoutScopes)
        }
        var counts: [Set<SecurityRequirement>: Int] = [:]
        for alternatives in ofEndpoints where !alternatives.isEmpty { counts[Set(alternatives), default: 0] += 1 }
        guard let largestCount = counts.values.max() else { return nil }
        // The endpoints are sorted, so the first of several requirements with the same count is always the same.
        return ofEndpoints.first { counts[Set($0)] == largestCount }
    }

    /// Whether fewer than half of the operations, but at least one, need a credential. False if the API itself has
    /// requirements, since these are for all operations.
    var onlySomeNeedCredentials: Bool {
        if api.security?.isEmpty == false { return false }
        let count = api.endpoints.count { endpoint in endpoint.security?.contains { !$0.isEmpty } ?? false }
        // If no operation has requirements, the description just does not say which of them need a credential.
        return count > 0 && count * 2 < api.endpoints.count
    }

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

    /// Finds how an endpoint's own security requirements differ from those of most requests.
    func ownSecurity(of endpoint: Endpoint) -> OwnSecurity {
        guard let own = endpoint.security else { return .usual }
        let alternatives = own.filter { !$0.isEmpty }
        if alternatives.isEmpty { return .none }
        if !isUsual(alternatives) { return .other(alternatives) }
        // An empty alternative allows requests without credentials.
        let isOptional = alternatives.count < own.count
        let isOptionalForAll = api.security?.contains(where: \.isEmpty) ?? false
        if isOptional, !isOptionalForAll { return .optional }
        return .usual
    }

    /// Whether alternatives are the same as those that most requests need, in any order. Alternatives that no client
    /// can send are ignored, unless there are no others.
    private func isUsual(_ alternatives: [SecurityRequirement]) -> Bool {
        if Set(alternatives) == Set(usualSecurity) { return true }
        let sendable = Set(alternatives.filter(canBeSent))
        let usualSendable = Set(usualSecurity.filter(canBeSent))
        return !sendable.isEmpty && sendable == usualSendable
    }

    /// Whether a client can add all credentials of a requirement: the library supports each of them, and no two are in
    /// the same header.
    func canBeSent(_ requirement: SecurityRequirement) -> Bool {
        let areSupported = requirement.schemeNames.allSatisfy { credential(forScheme: $0) != nil }
        return areSupported && !needsOneHeaderTwice(requirement)
    }

    /// Whether two different credentials of a requirement are in the same header, of which a request has only one.
    private func needsOneHeaderTwice(_ requirement: SecurityRequirement) -> Bool {
        let indices = Set(requirement.schemeNames.compactMap { credentialsByScheme[$0] })
        let headers = indices.compactMap { credentials[$0].kind.header }
        return Set(headers).count < headers.count
    }

    // MARK: - Notes

    /// Adds a note for each place of a credential, such as a cookie, that no client of the library adds.
    private func noteUnsupportedCredentials() {
        var schemesByPlace: [String: [SecurityScheme]] = [:]
        for scheme in api.securitySchemes {
            guard case .unsupported(_, let place) = scheme.kind else { continue }
            schemesByPlace[place, default: []].append(scheme)
        }
        for (place, schemes) in schemesByPlace {
            let names = Self.list(schemes.map(\.name))
            let count = schemes.count == 1 ? "1 credential" : "\(schemes.count) credentials"
            let text = "\(count) in \(place), which clients do not add: \(names)"
            api.notes.append(Note(.skipped, NoteText(text), at: schemes[0].place))
        }
    }

    /// Adds a note for each combination of credentials that a request should have in the same header.
    private func noteCredentialsInOneHeader() {
        var placesByNames: [String: Place] = [:]
        let usualPlace = credentials.first?.schemes.first?.place
        for requirement in usualSecurity where needsOneHeaderTwice(requirement) {
            placesByNames[requirement.schemeNames.joined(separator: ", ")] = usualPlace
        }
        for endpoint in api.endpoints {
            for requirement in endpoint.security ?? [] where needsOneHeaderTwice(requirement) {
                let names = requirement.schemeNames.joined(separator: ", ")
                if placesByNames[names] == nil { placesByNames[names] = endpoint.place }
            }
        }
        for (names, place) in placesByNames {
            api.notes.append(Note(.skipped, "several credentials in one header: \(names)", at: place))
        }
    }

    /// Adds a note for each credential that some operations need instead of the usual ones, with their number. A client
    /// that adds only the usual credentials cannot send them.
    private func noteOtherCredentials() {
        var endpointsByNeed: [String: [Endpoint]] = [:]
        for endpoint in api.endpoints {
            guard case .other(let alternatives) = ownSecurity(of: endpoint) else { continue }
            let usualSchemes = Set(usualSecurity.map(\.schemeNames))
            let differsOnlyInScopes = alternatives.contains { usualSchemes.contains($0.schemeNames) }
            if differsOnlyInScopes { continue }
            let need = credentialNames(of: alternatives)
            endpointsByNeed[need, default: []].append(endpoint)
        }
        for (need, endpoints) in endpointsByNeed {
            let names = Self.list(endpoints.map { "\($0.method) \($0.path)" })
            let count = endpoints.count == 1 ? "1 endpoint needs" : "\(endpoints.count) endpoints need"
            let text = "\(count) \(need): \(names)"
            api.notes.append(Note(.separate, NoteText(text), at: endpoints[0].place))
        }
    }

    /// The first texts of a list, with commas between them: `a, b, c and others`.
    private static func list(_ texts: [String]) -> String {
        let longest = 5
        let list = texts.prefix(longest).joined(separator: ", ")
        return texts.count > longest ? "\(list) and others" : list
    }

    // MARK: - Names

    /// The function that creates a credential, as in a comment: `.shop(apiKey:)`.
    func functionName(of credential: CredentialShape) -> String {
        let labels = credential.parameters.map { "\($0):" }.joined()
        return ".\(SwiftName.code(bases[0].name))(\(labels))"
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
