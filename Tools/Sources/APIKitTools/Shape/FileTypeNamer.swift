/// Names the types that are not nested in others. Their names have to be unique in the whole API.
struct FileTypeNamer {
    let plan: Plan
    /// The names of the library's types and of the API's own declarations.
    let reserved: TakenNames

    /// Gives each type the first of its candidates that is free. If none is free, the proper name gets a suffix or a
    /// number.
    ///
    /// - Parameters:
    ///   - ids: The types, in the order in which they choose.
    ///   - taken: The names that are not free, with the reserved ones. The new names are added.
    func nameTypes(_ ids: [ModelID], _ taken: inout TakenNames) {
        let counts = Dictionary(grouping: ids, by: plan.properName).mapValues(\.count)
        for id in ids {
            let properName = plan.properName(of: id)
            let candidates = candidates(for: id, properName: properName, isOnlyOne: counts[properName] == 1)
            // A name of a library type gets a suffix. With just a number, it would still read like that type.
            let lastResort = reserved.contains(properName) ? "\(properName)Value" : properName
            plan.types[id]?.name = taken.take(taken.firstFree(of: candidates) ?? lastResort)
        }
    }

    /// The names that a type could have, the best one first:
    ///
    /// 1. its proper name, such as `Status`, if the description gives it this name or no other type has it,
    /// 2. if it has no name in the description, the proper name after that of a user: `IssueStatus`,
    /// 3. the proper name after that of the API, unless it begins with that: `GitHubStatus`.
    private func candidates(for id: ModelID, properName: String, isOnlyOne: Bool) -> [String] {
        let hasOwnName = plan.api.models[id]?.name != nil
        let apiName = plan.options.name
        var candidates: [String] = []
        if hasOwnName || isOnlyOne { candidates.append(properName) }
        if !hasOwnName { candidates += namesOfUsers(of: id).map { $0 + properName } }
        let beginsWithAPI = properName.lowercased().hasPrefix(apiName.lowercased())
        if !beginsWithAPI { candidates.append("\(apiName)\(properName)") }
        return candidates
    }

    /// Names for the users of a type: the names of the models and the nouns of the endpoints that use it, shorter ones
    /// first. The noun of `CreateIssueRequest` is `Issue`.
    private func namesOfUsers(of id: ModelID) -> [String] {
        var names: [String] = []
        for user in plan.types[id]?.users ?? [] {
            switch user {
            case .model(let model): if let name = plan.modelNames[model] { names.append(name) }
            case .endpoint(let index): names.append(plan.endpoints[index].noun.upperCamel)
            case .webhook(let index): names.append(plan.webhooks[index].name)
            // These have no name to put before that of the type.
            case .api, .none: break
            }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }
    }
}
