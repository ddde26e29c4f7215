extension Plan {
    /// Names all endpoints and types.
    ///
    /// Types that are not nested in others have unique names. A nested type never has the name of another type that is
    /// used inside its owner, since it would hide that type. Names are compared in lower case, since they are also
    /// names of files.
    func nameTypes() {
        nameModels()
        let unavailable = unavailableNames()
        var taken = unavailable
        nameEndpoints(&taken)
        nameWebhooks(&taken)
        let ids = types.keys.sorted { sortKey(of: $0) < sortKey(of: $1) }
        let notNested = ids.filter { types[$0]?.isNested == false }
        // A name that is unavailable from the start is replaced in another way than one that an endpoint has taken.
        let unnamed = notNested.filter { types[$0]?.name.isEmpty == true }
        nameTypesThatAreNotNested(unnamed, &taken, unavailable: unavailable)
        nameNestedTypes(inModels: notNested)
    }

    /// The names, in lower case, of the library's types and of the declarations in the file of the API's base.
    private func unavailableNames() -> Set<String> {
        let ownNames = ["Request", "Model", "API", "Envelope", "OAuth"].map { "\(options.name)\($0)" }
        let ofLibrary = SwiftName.reservedTypes.union(SwiftName.associatedTypes)
        return lowercased(ofLibrary.union(ownNames))
    }

    private func lowercased(_ names: some Sequence<String>) -> Set<String> { Set(names.map { $0.lowercased() }) }

    /// A text to sort models by, so that the names do not depend on the order of the description. Models with a name
    /// come first: `~` is greater than all letters.
    private func sortKey(of id: ModelID) -> String {
        let name = api.models[id]?.name ?? "~"
        return "\(name)\u{0}\(id)"
    }

    /// The name that a type gets if it is not taken: that of its model, or a name from the hint, the member or
    /// parameter that uses it. Values of `items` are `Items`, but the elements of a list `items` are an `Item` each.
    private func properName(of id: ModelID) -> String {
        if let name = modelNames[id] { return name }
        let type = types[id] ?? TypeShape()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }

    // MARK: - Endpoints

    /// Names the endpoints. Each one gets the best of its possible names that is still free.
    ///
    /// - Parameter taken: The names, in lower case, that are not free. The new names are added.
    private func nameEndpoints(_ taken: inout Set<String>) {
        let namesOfModels = lowercased(modelNames.values)
        // A POST to a path that also has a GET may be an update.
        let readPaths = Set(endpoints.filter { $0.endpoint.method == "GET" }.map(\.endpoint.path))
        let candidates = endpoints.map { shape in
            EndpointName.candidates(for: shape.endpoint, isRead: readPaths.contains(shape.endpoint.path))
        }
        let endpointCounts = countEndpointsByWantedName(candidates)
        // Endpoints with short paths choose first.
        for index in indicesInOrderOfChoice() {
            let endpoint = endpoints[index].endpoint
            let wanted = wantedNames(
                of: endpoint, candidates[index], endpointCounts: endpointCounts, namesOfModels: namesOfModels)
            let free = wanted.first { name in
                let key = name.lowercased()
                return !taken.contains(key) && !namesOfModels.contains(key)
            }
            // If no name is free, the last one gets a number.
            let name = free ?? wanted.last ?? "Endpoint\(EndpointShape.suffix)"
            endpoints[index].name = SwiftName.unique(name, in: &taken)
        }
    }

    /// Counts for each name how many endpoints want it. An endpoint wants its short name, and the first of its longer
    /// names in case the short one is not unique.
    private func countEndpointsByWantedName(_ candidates: [EndpointName.Candidates]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for candidate in candidates {
            var wanted: Set<String> = []
            if let short = candidate.short { wanted.insert(short) }
            if let first = candidate.names.first { wanted.insert(first) }
            for name in wanted { counts[name, default: 0] += 1 }
        }
        return counts
    }

    /// Lists the names that an endpoint's type could have, such as `TeamProjectsRequest`.
    ///
    /// The suffix `Request` can make a name equal to that of a model: a GET of `/pulls/{id}` would be a `PullRequest`.
    /// The model keeps that name, and the endpoint becomes `GetPullRequest`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - candidates: Its names without the suffix. The short one is used only if no other endpoint wants it.
    ///   - endpointCounts: How many endpoints want each name.
    ///   - namesOfModels: The names of models, in lower case.
    /// - Returns: The names, the best one first.
    private func wantedNames(
        of endpoint: Endpoint, _ candidates: EndpointName.Candidates, endpointCounts: [String: Int],
        namesOfModels: Set<String>
    ) -> [String] {
        var names = candidates.names
        if let short = candidates.short, endpointCounts[short] == 1 { names.insert(short, at: 0) }
        var wanted = names.map { SwiftName.shortened($0) + EndpointShape.suffix }
        if endpoint.method == "GET", let first = wanted.first, namesOfModels.contains(first.lowercased()) {
            wanted[0] = "Get\(first)"
        }
        return wanted
    }

    /// The indices of the endpoints in the order in which they choose their names. Those with short paths come first,
    /// since the others usually belong to them: `/issues` before `/issues/{id}/comments`.
    private func indicesInOrderOfChoice() -> [Int] {
        let depths = endpoints.map { $0.endpoint.path.count { $0 == "/" } }
        return endpoints.indices.sorted { first, second in
            if depths[first] != depths[second] { return depths[first] < depths[second] }
            let firstEndpoint = endpoints[first].endpoint
            let secondEndpoint = endpoints[second].endpoint
            if firstEndpoint.path != secondEndpoint.path { return firstEndpoint.path < secondEndpoint.path }
            return firstEndpoint.method < secondEndpoint.method
        }
    }

    // MARK: - Types with files of their own

    /// Sets ``modelNames``, the names of the models that have one in the description. A model gets the best of its
    /// possible names that no model with a higher priority has.
    ///
    /// If both `user` and `simple-user` could be `User`, the model `user` gets that name: see ``ModelWish`` for the
    /// priorities.
    private func nameModels() {
        var wishes: [ModelWish] = []
        for (id, type) in types {
            guard let name = api.models[id]?.name else { continue }
            wishes.append(ModelWish(id: id, name: name, isRead: type.uses.isRead))
        }
        var taken: Set<String> = []
        for wish in wishes.sorted(by: <) {
            let free = wish.names.first { !taken.contains($0.lowercased()) }
            if let free { taken.insert(free.lowercased()) }
            // The last name is the description's own. If another model has it too, `nameTypesThatAreNotNested`
            // distinguishes them.
            modelNames[wish.id] = free ?? wish.names.last
        }
    }

    /// Names the types that are not nested in others. Each one gets the best of its possible names that is free.
    ///
    /// Its proper name is that of its model, or one from the member that uses it: see ``properName(of:)``.
    ///
    /// - Parameters:
    ///   - ids: The types, in the order in which they choose.
    ///   - taken: The names, in lower case, that are not free, with the unavailable ones. The new names are added.
    ///   - unavailable: The names, in lower case, of the library's types and of the API's own declarations.
    private func nameTypesThatAreNotNested(
        _ ids: [ModelID], _ taken: inout Set<String>, unavailable: Set<String>
    ) {
        let counts = Dictionary(grouping: ids, by: properName).mapValues(\.count)
        for id in ids {
            let proper = properName(of: id)
            let wanted = wantedNames(of: id, properName: proper, isOnlyOne: counts[proper] == 1)
            let free = wanted.first { !taken.contains($0.lowercased()) }
            // A name of a library type gets a suffix. With just a number, it would still read like that type.
            let fallback = unavailable.contains(proper.lowercased()) ? "\(proper)Value" : proper
            types[id]?.name = SwiftName.unique(free ?? fallback, in: &taken)
        }
    }

    /// Lists the names that a type could have if it is not nested, the best one first:
    ///
    /// 1. its proper name, such as `Status`, if the description gives it this name or no other type has it,
    /// 2. if it has no name in the description, the proper name after that of a user: `IssueStatus`,
    /// 3. the proper name after that of the API, unless it begins with that: `GitHubStatus`.
    ///
    /// - Parameters:
    ///   - id: The type.
    ///   - properName: Its proper name.
    ///   - isOnlyOne: Whether no other type has this proper name.
    /// - Returns: The names.
    private func wantedNames(of id: ModelID, properName: String, isOnlyOne: Bool) -> [String] {
        let hasOwnName = api.models[id]?.name != nil
        var names: [String] = []
        if hasOwnName || isOnlyOne { names.append(properName) }
        if !hasOwnName { names += namesOfUsers(of: id).map { $0 + properName } }
        let beginsWithAPI = properName.lowercased().hasPrefix(options.name.lowercased())
        if !beginsWithAPI { names.append("\(options.name)\(properName)") }
        return names
    }

    /// Names for the users of a type: the names of the models and the nouns of the endpoints that use it, shorter ones
    /// first. The noun of `CreateIssueRequest` is `Issue`.
    private func namesOfUsers(of id: ModelID) -> [String] {
        var names: [String] = []
        for user in types[id]?.users ?? [] {
            switch user {
            case .model(let model): if let name = modelNames[model] { names.append(name) }
            case .endpoint(let index): names.append(endpoints[index].noun.upperCamel)
            case .webhook(let index): names.append(webhooks[index].name)
            // These have no name to put before that of the type.
            case .api, .none: break
            }
        }
        return names.sorted { first, second in
            if first.count != second.count { return first.count < second.count }
            return first < second
        }
    }

    // MARK: - Nested types

    /// Names the types that are declared inside endpoints, and inside the given models. A nested type must not hide
    /// another type that its owner uses, so the names of those types are taken.
    private func nameNestedTypes(inModels ids: [ModelID]) {
        let reserved = lowercased(SwiftName.reservedTypes)
        var outerNames = OuterNames(plan: self)
        for id in ids {
            nameTypes(inside: .model(id), path: [], taken: reserved.union(outerNames.names(usedIn: id)))
        }
        for index in endpoints.indices {
            let names = outerNames.names(of: schemas(of: endpoints[index]))
            nameTypes(inside: .endpoint(index), path: [], taken: reserved.union(names))
        }
    }

    /// Names the types inside an owner, and all types inside of these.
    ///
    /// - Parameters:
    ///   - owner: The declaration or the file that the types are declared in.
    ///   - path: The names of the declarations around the owner.
    ///   - taken: The names, in lower case, that no type inside may have, at any depth.
    private func nameTypes(inside owner: TypeShape.Owner, path: [String], taken: Set<String>) {
        let namer = NestedNamer(plan: self, owner: owner)
        let pathOfChildren = path + [namer.ownerName]
        // A type named after an associated type of the library's protocols would become that associated type.
        var unavailable = taken.union(namesOfAssociatedTypes(in: owner))
        // A type in a model may not have the name of a declaration around it. In an endpoint, the suffix `Request`
        // distinguishes the names.
        if !namer.isInEndpoint { unavailable.formUnion(lowercased(pathOfChildren)) }
        // Types that stand beside an endpoint in its file are not nested.
        let nestedIDs = nested(in: owner).filter { types[$0]?.isNested == true }
        let children = nestedIDs.sorted { sortKey(of: $0) < sortKey(of: $1) }
        for id in children {
            if namer.isWholeResponse(id) {
                types[id]?.name = "Response"
            } else {
                let name = namer.name(of: id, properName(of: id), in: &unavailable)
                types[id]?.name = name
            }
        }
        // A type further inside may have the same name as one of the children, so those names are not passed on.
        for id in children { nameTypes(inside: .model(id), path: pathOfChildren, taken: taken) }
    }

    /// The names of the library's associated types, in lower case, that a type inside an owner must not have: a type
    /// `Failure` inside a request would become the request's associated type.
    private func namesOfAssociatedTypes(in owner: TypeShape.Owner) -> Set<String> {
        var names = lowercased(SwiftName.associatedTypes)
        var isEnvelope = false
        if case .model(let id) = owner {
            isEnvelope = types[id]?.uses.contains(.envelope) == true
        }
        // `Content` is an associated type of envelopes only. In other types, it is a common name of nested types.
        if !isEnvelope { names.remove("content") }
        return names
    }
}

/// The names that a model of the description could have, and its priority among the models that want them.
///
/// Models that are read come first. Then a model comes before its varieties: `user` before `simple-user`. Among the
/// rest, a model comes first if its own name is closer to the best of its names.
private struct ModelWish: Comparable {
    let id: ModelID
    /// The possible names, the best one first, and the model's own name last.
    let names: [String]
    private let isRead: Bool
    private let isVariety: Bool
    /// The difference in length between the model's own name and the best one.
    private let distance: Int

    /// Creates the wish of a model.
    ///
    /// - Parameters:
    ///   - id: The model.
    ///   - name: Its name in the description.
    ///   - isRead: Whether its values are received, and not only sent.
    init(id: ModelID, name: String, isRead: Bool) {
        self.id = id
        self.isRead = isRead
        names = ModelName.candidates(name, isRead: isRead)
        isVariety = ModelName.isVariety(name)
        distance = (names.last?.count ?? 0) - (names.first?.count ?? 0)
    }

    static func == (first: ModelWish, second: ModelWish) -> Bool { first.id == second.id }

    static func < (first: ModelWish, second: ModelWish) -> Bool {
        if first.isRead != second.isRead { return first.isRead }
        if first.isVariety != second.isVariety { return second.isVariety }
        if first.distance != second.distance { return first.distance < second.distance }
        return first.id < second.id
    }
}

/// Names the types that are declared inside of one owner, an endpoint or a model.
private struct NestedNamer {
    let plan: Plan
    /// The endpoint that the types are declared in; nil if they are in a model.
    private let endpoint: EndpointShape?
    /// The name of the owner, without the suffix of endpoints.
    let ownerName: String
    /// The thing that an endpoint is about: `Issue` for `CreateIssueRequest`. In a model, it is the model's name.
    private let noun: Words

    /// Creates a namer for the types inside an owner, which has its own name already.
    init(plan: Plan, owner: TypeShape.Owner) {
        self.plan = plan
        switch owner {
        case .endpoint(let index):
            let shape = plan.endpoints[index]
            endpoint = shape
            ownerName = shape.nameWithoutSuffix
            noun = shape.noun
        case .model(let id):
            endpoint = nil
            ownerName = plan.types[id]?.name ?? ""
            noun = Words(ownerName)
        case .none, .api, .webhook:
            // A file has no name that its types could be named after.
            endpoint = nil
            ownerName = ""
            noun = Words("")
        }
    }

    var isInEndpoint: Bool { endpoint != nil }

    /// Whether a type is the endpoint's whole response and has no name in the description. It is then called
    /// `Response`.
    func isWholeResponse(_ id: ModelID) -> Bool {
        guard let endpoint, plan.api.models[id]?.name == nil else { return false }
        // The object around what the endpoint returns, if it is an envelope of its own.
        if case .one(.envelope(_, of: id)) = endpoint.reply { return true }
        return endpoint.responseModel == id
    }

    /// Chooses the shortest name that is not taken, and adds it to the taken ones.
    ///
    /// The names are, for the values of a member `user` in `CreateIssueRequest`, whose noun is `Issue`:
    ///
    /// - short: `User`, the proper name without that of the owner,
    /// - long: `IssueUser`, the short name after the noun, or after the owner's name if the owner is a model,
    /// - longest: `CreateIssueIssueUser`, the long name after the owner's name.
    ///
    /// A title in the description, such as "Author", replaces the long name. A short name that says nothing is replaced
    /// too: by the title, or by `Item` or `Content`.
    ///
    /// - Parameters:
    ///   - id: The type.
    ///   - properName: The name that it would have if it were not nested.
    ///   - taken: The names, in lower case, that it must not have.
    /// - Returns: The name.
    func name(of id: ModelID, _ properName: String, in taken: inout Set<String>) -> String {
        let title = plan.api.models[id]?.title.map(SwiftName.type)
        var short = withoutOwner(properName)
        // `Response` is the name of an endpoint's whole response.
        let saysNothing = short == "Response" || repeatsOwner(short, id)
        if saysNothing { short = title ?? generalName(of: id) }
        let prefix = isInEndpoint ? noun.upperCamel : ownerName
        let long = title ?? prefix + short
        let longest = ownerName + long
        let free = [short, long, longest].first { !taken.contains($0.lowercased()) }
        return SwiftName.unique(free ?? longest, in: &taken)
    }

    /// A name for a type whose own name says nothing.
    private func generalName(of id: ModelID) -> String {
        plan.types[id]?.isElement == true ? "Item" : "Content"
    }

    /// Removes the owner's name from the beginning of a name: `CommitAuthor` in `Commit` becomes `Author`. In an
    /// endpoint, its noun in the singular or the plural is removed too: both `IssueLabel` and `IssuesLabel` in
    /// `CreateIssueRequest` become `Label`.
    private func withoutOwner(_ name: String) -> String {
        var prefixes = [ownerName]
        if isInEndpoint { prefixes += [noun.plural.upperCamel, noun.upperCamel] }
        for prefix in prefixes where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            let isWholeWord = rest.first?.isUppercase == true
            if isWholeWord { return String(rest) }
        }
        return name
    }

    /// Whether the name of an unnamed type repeats the end of its owner's name, as `Error` in `GitHubError` would.
    private func repeatsOwner(_ name: String, _ id: ModelID) -> Bool {
        !isInEndpoint && plan.api.models[id]?.name == nil && ownerName.hasSuffix(name)
    }
}

/// Finds the names, in lower case, of the outer types that a type uses: those that are not nested in another type. A
/// nested type of the same name would hide them.
private struct OuterNames {
    let plan: Plan
    /// The results for models that have been looked up.
    private var known: [ModelID: Set<String>] = [:]

    init(plan: Plan) { self.plan = plan }

    /// Finds the names of the outer types, those that are not nested in another type, that a model and the types nested
    /// in it use. Keeps the result in ``known``.
    ///
    /// `names(of:)` looks at the model's members, and calls this method again for those that have nested types.
    mutating func names(usedIn id: ModelID) -> Set<String> {
        if let names = known[id] { return names }
        // Ends the recursion for a type that contains itself.
        known[id] = []
        let schemas = plan.api.models[id]?.schemas.map(\.schema) ?? []
        let names = names(of: schemas)
        known[id] = names
        return names
    }

    /// Finds the names, in lower case, of the types of values. If a type is nested, its own name is left out, and the
    /// names of the outer types that it uses are returned instead.
    ///
    /// The method is mutating, since the results for nested types are kept in ``known``.
    mutating func names(of schemas: [Schema]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas {
            guard let id = schema.core.modelID else { continue }
            if let element = plan.pageElements[id] {
                // A page is written as the API's generic type with its element: `GitHubPage<Issue>`.
                if let page = plan.types[Plan.page] { names.insert(page.name.lowercased()) }
                names.formUnion(self.names(of: [element]))
            } else if let type = plan.types[id] {
                if type.isNested {
                    names.formUnion(self.names(usedIn: id))
                } else {
                    names.insert(type.name.lowercased())
                }
            }
        }
        return names
    }
}
