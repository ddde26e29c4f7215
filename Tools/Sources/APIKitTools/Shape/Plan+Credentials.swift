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
    }

    /// Groups the security schemes that send the same and that no requirement distinguishes, such as a bearer token and
    /// OAuth 2.0 if each operation accepts both. Each group is a credential.
    private func groupSchemes() {
        struct Group: Hashable {
            let kind: SecurityScheme.Kind
            let uses: Set<String>
        }
        let usesByScheme = usesOfSchemes()
        var mostUsed: [SecurityScheme.Kind: Set<String>] = [:]
        for scheme in api.securitySchemes {
            let uses = usesByScheme[scheme.name] ?? []
            if uses.count > mostUsed[scheme.kind]?.count ?? 0 { mostUsed[scheme.kind] = uses }
        }
        var indices: [Group: Int] = [:]
        // A scheme that requirements name comes before others, so that a credential is named after it.
        let used = api.securitySchemes.filter { usesByScheme[$0.name] != nil }
        let unused = api.securitySchemes.filter { usesByScheme[$0.name] == nil }
        for scheme in used + unused where scheme.kind.isSupported {
            // A scheme that no requirement names joins the group of its kind that most requirements name.
            let uses = usesByScheme[scheme.name] ?? mostUsed[scheme.kind] ?? []
            let group = Group(kind: scheme.kind, uses: uses)
            let index = indices[group] ?? credentials.count
            if index == credentials.count {
                credentials.append(CredentialShape(kind: scheme.kind, schemes: []))
                indices[group] = index
            }
            credentials[index].schemes.append(scheme)
            credentialsByScheme[scheme.name] = index
        }
    }

    /// The uses of each security scheme that a requirement names: the requirements of the API and of its operations that
    /// name it, with the other schemes in them.
    private func usesOfSchemes() -> [String: Set<String>] {
        var uses: [String: Set<String>] = [:]
        let lists = [api.security ?? []] + api.endpoints.map { $0.security ?? [] }
        for (index, list) in lists.enumerated() {
            for requirement in list {
                for name in requirement.schemeNames {
                    let others = requirement.schemeNames.filter { $0 != name }
                    uses[name, default: []].insert("\(index) \(others)")
                }
            }
        }
        return uses
    }

    /// Names the parameters of the credentials' functions: `token`, `username` and `password`, or `apiKey`. If there are
    /// several credentials of the same parameters, each has the name of its security scheme.
    private func nameParameters() {
        let usualNames = credentials.map(\.usualParameters)
        let counts = Dictionary(grouping: usualNames) { $0 }.mapValues(\.count)
        let unique = usualNames.filter { counts[$0] == 1 }
        // The function for a token may have the parameter `expires`, too.
        var taken = Set(unique.joined().map { $0.lowercased() } + ["expires"])
        for index in credentials.indices {
            let usual = usualNames[index]
            if counts[usual] == 1 {
                credentials[index].parameters = usual
                credentials[index].arguments = usual == ["apiKey"] ? ["key"] : usual
                continue
            }
            let words = Self.wordsWithoutSuffix(of: credentials[index].schemes[0].name)
            // Of two parameters, each has its own name after that of the scheme.
            let names = usual.count == 1 ? [words] : usual.map { words + [$0] }
            let parameters = names.map { name in
                let suffix = credentials[index].kind == .bearer ? "Token" : "Key"
                let parameter = SwiftName.parameter(name.joined(separator: "_"), suffix: suffix)
                return SwiftName.unique(parameter, in: &taken)
            }
            credentials[index].parameters = parameters
            credentials[index].arguments = parameters
        }
    }

    /// The words of a security scheme's name without a general word at its end: `admin`, `api` and `key` for
    /// `AdminApiKeyAuth`.
    private static func wordsWithoutSuffix(of name: String) -> [String] {
        let words = Words(name).words
        let generalWords = ["auth", "authentication", "authorization", "scheme", "security"]
        let hasSuffix = words.count > 1 && generalWords.contains(words.last ?? "")
        // A name without words, such as `+1`, has other ones in Swift.
        if words.isEmpty { return [name] }
        return hasSuffix ? words.dropLast() : words
    }

    // MARK: - Requirements

    /// The credential that a client adds for a security scheme; nil if the library does not support the scheme.
    func credential(forScheme name: String) -> CredentialShape? {
        credentialsByScheme[name].map { credentials[$0] }
    }

    /// The alternatives of the API's security requirements without the one for requests without credentials. If the API
    /// has none, they are those that most operations have, without their scopes, or else all security schemes.
    private func findUsualSecurity() -> [SecurityRequirement] {
        let ofAPI = api.security?.filter { !$0.isEmpty } ?? []
        if !ofAPI.isEmpty { return ofAPI }
        let ofEndpoints = api.endpoints.map { endpoint in
            (endpoint.security ?? []).filter { !$0.isEmpty }.map(\.withoutScopes)
        }
        var counts: [Set<SecurityRequirement>: Int] = [:]
        for alternatives in ofEndpoints where !alternatives.isEmpty { counts[Set(alternatives), default: 0] += 1 }
        // The endpoints are sorted, so the first of several requirements with the same count is always the same.
        let largestCount = counts.values.max() ?? 0
        if let usual = ofEndpoints.first(where: { counts[Set($0)] == largestCount }) { return usual }
        return api.securitySchemes.map { SecurityRequirement(scopesByScheme: [$0.name: []]) }
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
        let isOptional = alternatives.count < own.count
        let isOptionalForAll = api.security?.contains(where: \.isEmpty) ?? false
        return isOptional && !isOptionalForAll ? .optional : .usual
    }

    /// Whether a request with the usual credentials fulfills a requirement. Alternatives that no client can send do not
    /// matter, unless there are no others.
    private func isUsual(_ alternatives: [SecurityRequirement]) -> Bool {
        if Set(alternatives) == Set(usualSecurity) { return true }
        let sent = alternatives.filter(canBeSent)
        return !sent.isEmpty && Set(sent) == Set(usualSecurity.filter(canBeSent))
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
            // Only the scopes of the usual credentials differ.
            if alternatives.contains(where: { usualSchemes.contains($0.schemeNames) }) { continue }
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
    private func functionName(of credential: CredentialShape) -> String {
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
