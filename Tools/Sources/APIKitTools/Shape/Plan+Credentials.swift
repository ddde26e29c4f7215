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

extension Plan {
    /// Finds the credentials for which functions are generated, and which of them most requests need.
    ///
    /// Notes say which credentials the library does not add, and which operations need other credentials than most.
    func findCredentials() {
        var indices: [SecurityScheme.Kind: Int] = [:]
        for scheme in api.securitySchemes where scheme.kind.isSupported {
            if let index = indices[scheme.kind] {
                credentials[index].schemes.append(scheme)
            } else {
                indices[scheme.kind] = credentials.count
                credentials.append(CredentialShape(kind: scheme.kind, schemes: [scheme]))
            }
        }
        nameParameters()
        for scheme in api.securitySchemes { schemes[scheme.name] = scheme }
        for index in credentials.indices {
            for scheme in credentials[index].schemes { credentialsByScheme[scheme.name] = index }
        }
        usualSecurity = findUsualSecurity()
        noteUnsupportedCredentials()
        noteCredentialsInOneHeader()
        noteOtherCredentials()
    }

    /// Names the parameters of the credentials' functions: `token`, `username` and `password`, or `apiKey`. If there are
    /// several keys, each has the name of its security scheme.
    private func nameParameters() {
        let keyCount = credentials.count { $0.kind != .bearer && $0.kind != .basic }
        var taken: Set<String> = ["token", "username", "password"]
        for index in credentials.indices {
            switch credentials[index].kind {
            case .bearer:
                credentials[index].parameters = ["token"]
                credentials[index].arguments = ["token"]
            case .basic:
                credentials[index].parameters = ["username", "password"]
                credentials[index].arguments = ["username", "password"]
            case .header, .query, .unsupported:
                let isOnlyKey = keyCount == 1
                let name = SwiftName.parameter(credentials[index].schemes[0].name, suffix: "Key")
                let parameter = isOnlyKey ? "apiKey" : SwiftName.unique(name, in: &taken)
                credentials[index].parameters = [parameter]
                credentials[index].arguments = [isOnlyKey ? "key" : parameter]
            }
        }
    }

    // MARK: - Requirements

    /// The credential that a client adds for a security scheme; nil if the library does not support the scheme.
    func credential(forScheme name: String) -> CredentialShape? {
        credentialsByScheme[name].map { credentials[$0] }
    }

    /// The alternatives of the API's security requirements without the one for requests without credentials. If the API
    /// has none, they are those that most operations have, or else all security schemes.
    private func findUsualSecurity() -> [SecurityRequirement] {
        let ofAPI = api.security?.filter { !$0.isEmpty } ?? []
        if !ofAPI.isEmpty { return ofAPI }
        var counts: [Set<SecurityRequirement>: Int] = [:]
        var best: [SecurityRequirement] = []
        var bestCount = 0
        for endpoint in api.endpoints {
            let own = endpoint.security?.filter { !$0.isEmpty } ?? []
            if own.isEmpty { continue }
            counts[Set(own), default: 0] += 1
        }
        // The endpoints are sorted, so the first of several requirements with the same count is always the same.
        for endpoint in api.endpoints {
            let own = endpoint.security?.filter { !$0.isEmpty } ?? []
            let count = counts[Set(own)] ?? 0
            if count > bestCount {
                best = own
                bestCount = count
            }
        }
        if !best.isEmpty { return best }
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
        if Set(alternatives) != Set(usualSecurity) { return .other(alternatives) }
        let isOptional = alternatives.count < own.count
        let isOptionalForAll = api.security?.contains(where: \.isEmpty) ?? false
        return isOptional && !isOptionalForAll ? .optional : .usual
    }

    /// Whether a client can add all credentials of a requirement: the library supports each of them, and no two are in
    /// the same header.
    func canBeSent(_ requirement: SecurityRequirement) -> Bool {
        let areSupported = requirement.schemeNames.allSatisfy { credential(forScheme: $0) != nil }
        return areSupported && !needsOneHeaderTwice(requirement)
    }

    /// Whether two different credentials of a requirement are in the same header, of which a request has only one.
    private func needsOneHeaderTwice(_ requirement: SecurityRequirement) -> Bool {
        let kinds = Set(requirement.schemeNames.compactMap { credential(forScheme: $0)?.kind })
        let headers = kinds.compactMap(\.header)
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
            api.notes.append(Note(.skipped, text, at: schemes[0].place))
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
            api.notes.append(Note(.separate, text, at: endpoints[0].place))
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
