/// Names the types that are not nested in others. Their names have to be unique in the whole API.
struct FileTypeNamer {
    let proper: ProperNames
    let users: NamesOfUsers
    let models: Models
    let apiName: String
    /// The names of the library's types and of the API's own declarations.
    let reserved: TakenNames

    /// Gives each type the first of its candidates that is free. If none is free, the proper name gets a suffix or a
    /// number.
    ///
    /// - Parameters:
    ///   - ids: The types, in the order in which they choose.
    ///   - taken: The names that are not free, with the reserved ones. The new names are added.
    /// - Returns: The names.
    func names(of ids: [ModelID], _ taken: inout TakenNames) -> [ModelID: String] {
        let counts = Dictionary(grouping: ids, by: proper.name).mapValues(\.count)
        var names: [ModelID: String] = [:]
        for id in ids {
            let properName = proper.name(of: id)
            let candidates = candidates(for: id, properName: properName, isOnlyOne: counts[properName] == 1)
            // A name of a library type gets a suffix. With just a number, it would still read like that type.
            let lastResort = reserved.contains(properName) ? "\(properName)Value" : properName
            names[id] = taken.take(taken.firstFree(of: candidates) ?? lastResort)
        }
        return names
    }

    /// The names that a type could have, the best one first:
    ///
    /// 1. its proper name, such as `Status`, if the description gives it this name or no other type has it. The choices
    ///    of a single endpoint say too little without the endpoint.
    /// 2. if it has no name in the description, the proper name after that of a user: `IssueStatus`,
    /// 3. if only one endpoint uses it, the proper name after that of the endpoint: `UpdateIssueStatus`, and for one
    ///    that has no verb `GetIssueStatus`,
    /// 4. the proper name after that of the API, unless it begins with that: `GitHubStatus`,
    /// 5. the proper name after that of any endpoint that uses it,
    /// 6. the same with all words, also those that repeat others: `StatusPostPostType`.
    private func candidates(for id: ModelID, properName: String, isOnlyOne: Bool) -> [String] {
        let hasOwnName = models[id]?.name != nil
        let namesOfUsers = hasOwnName ? [] : users.names(of: id)
        var candidates: [String] = []
        if hasOwnName || (isOnlyOne && !users.isOnlyEndpoint(of: id)) { candidates.append(properName) }
        // The elements of a response are what the endpoint is about.
        if users.isElementOfResponse(id) { candidates += namesOfUsers }
        candidates += namesOfUsers.map { Self.joined($0, properName) }
        let namesOfEndpoints = users.namesOfEndpoints(of: id)
        let namesWithVerb = users.namesOfEndpoints(of: id, method: "GET").map { "Get\($0)" }
        let afterEndpoints = (namesOfEndpoints + namesWithVerb).map { Self.joined($0, properName) }
        if !hasOwnName, users.isOnlyEndpoint(of: id) { candidates += afterEndpoints }
        let beginsWithAPI = properName.lowercased().hasPrefix(apiName.lowercased())
        if !beginsWithAPI { candidates.append("\(apiName)\(properName)") }
        candidates += afterEndpoints
        return candidates + (namesOfUsers + namesOfEndpoints).map { $0 + properName }
    }

    /// Joins the name of a user with a proper name, without repeating the words in which the first one ends and the
    /// second one begins: `StatusPost` and `PostType` are joined to `StatusPostType`.
    private static func joined(_ user: String, _ properName: String) -> String {
        let ownWords = Words(properName).words
        let lastRepeated = ownWords.indices.last { Words(user).words.suffix($0 + 1) == ownWords[...$0] }
        guard let lastRepeated else { return user + properName }
        let rest = Words(words: Array(ownWords[(lastRepeated + 1)...])).upperCamel
        return user + rest
    }
}

/// The names of the models, endpoints and webhooks that use a type.
struct NamesOfUsers {
    let proper: ProperNames
    let uses: ModelUses
    let endpoints: [EndpointShape]
    let webhooks: [WebhookShape]

    /// Names for the users of a type: the names of the models and the nouns of the endpoints that use it, shorter ones
    /// first. The noun of `CreateIssueRequest` is `Issue`.
    func names(of id: ModelID) -> [String] {
        let users = uses.types[id]?.users ?? []
        return users.compactMap(name).sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The names of the endpoints that use a type, without the suffix, shorter ones first. Unlike their nouns, they are
    /// unique.
    ///
    /// - Parameters:
    ///   - id: The type.
    ///   - method: The method of the endpoints; nil for all of them.
    /// - Returns: The names.
    func namesOfEndpoints(of id: ModelID, method: String? = nil) -> [String] {
        let users = uses.types[id]?.users ?? []
        let names = users.compactMap { user -> String? in
            guard case .endpoint(let index) = user else { return nil }
            let endpoint = endpoints[index]
            let hasMethod = method == nil || method == endpoint.endpoint.method
            return hasMethod ? endpoint.nameWithoutSuffix : nil
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// Whether a type has a single user, an endpoint.
    func isOnlyEndpoint(of id: ModelID) -> Bool {
        let users = uses.types[id]?.users ?? []
        guard users.count == 1, case .endpoint? = users.first else { return false }
        return true
    }

    /// Whether a type's values are the elements of a list that is a whole response.
    func isElementOfResponse(_ id: ModelID) -> Bool {
        guard let type = uses.types[id] else { return false }
        return type.isElement && SwiftName.type(type.hint) == "Response"
    }

    /// The name of a user, as a prefix of the type's name; nil if the user has no name.
    private func name(of user: TypeOwner) -> String? {
        switch user {
        case .model(let model): proper.ofModels[model]
        case .endpoint(let index): endpoints[index].noun.upperCamel
        case .webhook(let index): webhooks[index].name
        case .api, .none: nil
        }
    }
}
