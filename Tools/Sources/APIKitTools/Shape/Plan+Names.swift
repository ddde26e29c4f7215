extension Plan {
    /// Names all endpoints and types.
    ///
    /// Types outside of others have unique names. A nested type never has the name of an outer type that is used
    /// inside its owner, since it would hide that type.
    func nameTypes() {
        let reserved = lowercased(SwiftName.reservedTypes)
        let ownNames = ["Request", "Model", "API", "Envelope"].map { "\(options.name)\($0)" }
        let unavailable = reserved.union(lowercased(SwiftName.associatedTypes)).union(lowercased(ownNames))
        var taken = unavailable
        nameModels()
        nameEndpoints(&taken)
        let ids = types.keys.sorted { sortKey(of: $0) < sortKey(of: $1) }
        let shared = ids.filter { types[$0]?.isNested == false }
        nameShared(shared, &taken, unavailable: unavailable)
        var outerNames = OuterNames(plan: self)
        for id in shared {
            nameTypes(inside: .model(id), path: [], taken: reserved.union(outerNames.of(id)))
        }
        for index in endpoints.indices {
            let outer = outerNames.of(schemas(of: endpoints[index]))
            nameTypes(inside: .endpoint(index), path: [], taken: reserved.union(outer))
        }
    }

    private func lowercased(_ names: some Sequence<String>) -> Set<String> { Set(names.map { $0.lowercased() }) }

    /// A text to sort models by, so that the names do not depend on the order of the description. Models with a name
    /// come first: `~` is greater than all letters.
    private func sortKey(of id: ModelID) -> String { "\(api.models[id]?.name ?? "~")\u{0}\(id)" }

    /// The name that a type gets if it is not taken.
    private func properName(of id: ModelID) -> String {
        if let name = modelNames[id] { return name }
        let type = types[id] ?? TypeShape()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }

    // MARK: - Endpoints

    /// Names the endpoints. An endpoint gets a short name only if no other endpoint could have it.
    private func nameEndpoints(_ taken: inout Set<String>) {
        let models = lowercased(modelNames.values)
        let readPaths = Set(endpoints.filter { $0.endpoint.method == "GET" }.map(\.endpoint.path))
        let candidates = endpoints.map { shape in
            EndpointName.candidates(for: shape.endpoint, isRead: readPaths.contains(shape.endpoint.path))
        }
        var wishes: [String: Int] = [:]
        for candidate in candidates {
            let best = Set([candidate.short, candidate.names.first].compactMap(\.self))
            for name in best { wishes[name, default: 0] += 1 }
        }
        for index in orderOfChoice() {
            var names = candidates[index].names
            if let short = candidates[index].short, wishes[short] == 1 {
                names.insert(short, at: 0)
            }
            var wanted = names.map { SwiftName.shortened($0) + "Request" }
            // The model `PullRequest` keeps its name, so the endpoint that returns it becomes `GetPullRequest`.
            let isGet = endpoints[index].endpoint.method == "GET"
            if isGet, let first = wanted.first, models.contains(first.lowercased()) {
                wanted[0] = "Get\(first)"
            }
            let free = wanted.first { !taken.contains($0.lowercased()) && !models.contains($0.lowercased()) }
            let name = free ?? wanted.last ?? "EndpointRequest"
            endpoints[index].name = SwiftName.unique(name, in: &taken)
        }
    }

    /// The endpoints in the order in which they choose their names. Those with short paths come first, since the others
    /// usually belong to them: `/issues` before `/issues/{id}/comments`.
    private func orderOfChoice() -> [Int] {
        let depths = endpoints.map { $0.endpoint.path.count { $0 == "/" } }
        return endpoints.indices.sorted { first, second in
            if depths[first] != depths[second] { return depths[first] < depths[second] }
            let firstEndpoint = endpoints[first].endpoint
            let secondEndpoint = endpoints[second].endpoint
            return (firstEndpoint.path, firstEndpoint.method) < (secondEndpoint.path, secondEndpoint.method)
        }
    }

    // MARK: - Types with files of their own

    /// Chooses the names of models that have one in the description. If several could have a short name, it goes to a
    /// model that is read, then to one that is not a mere variety, then to the one whose own name is closest to it.
    private func nameModels() {
        var wishes: [ModelWish] = []
        for (id, type) in types {
            guard let name = api.models[id]?.name else { continue }
            wishes.append(ModelWish(id: id, name: name, isRead: type.uses.contains(.decoded)))
        }
        var taken: Set<String> = []
        for wish in wishes.sorted(by: <) {
            let free = wish.names.first { !taken.contains($0.lowercased()) }
            if let free { taken.insert(free.lowercased()) }
            modelNames[wish.id] = free ?? wish.names.last
        }
    }

    /// Names the types that have a file of their own or stand beside an endpoint.
    private func nameShared(_ ids: [ModelID], _ taken: inout Set<String>, unavailable: Set<String>) {
        let counts = Dictionary(grouping: ids, by: properName).mapValues(\.count)
        for id in ids {
            let name = properName(of: id)
            let hasName = api.models[id]?.name != nil
            var wanted: [String] = []
            if hasName || counts[name] == 1 { wanted.append(name) }
            if !hasName { wanted += usersNames(of: id).map { $0 + name } }
            if !name.lowercased().hasPrefix(options.name.lowercased()) {
                wanted.append("\(options.name)\(name)")
            }
            // A name of a library type gets a suffix. With just a number, it would still read like that type.
            let last = unavailable.contains(name.lowercased()) ? "\(name)Value" : name
            let free = wanted.first { !taken.contains($0.lowercased()) } ?? last
            types[id]?.name = SwiftName.unique(free, in: &taken)
        }
    }

    /// Names for the users of a type: the names of models and the nouns of endpoints, shorter ones first.
    private func usersNames(of id: ModelID) -> [String] {
        var names: [String] = []
        for user in types[id]?.users ?? [] {
            switch user {
            case .model(let id): if let name = modelNames[id] { names.append(name) }
            case .endpoint(let index): names.append(endpoints[index].noun.upperCamel)
            case .api, .none: break
            }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    // MARK: - Nested types

    /// Names the types inside an owner, and all types inside of these.
    ///
    /// - Parameters:
    ///   - owner: The declaration or the file that the types are declared in.
    ///   - path: The names of the declarations around the owner.
    ///   - taken: The names, in lower case, that no type inside may have.
    private func nameTypes(inside owner: TypeShape.Owner, path: [String], taken: Set<String>) {
        let namer = NestedNamer(plan: self, owner: owner)
        var names = taken.union(associatedTypes(in: owner))
        let path = path + [namer.ownerName]
        if !namer.isInEndpoint { names.formUnion(lowercased(path)) }
        let nestedIDs = nested(in: owner).filter { types[$0]?.isNested == true }
        let children = nestedIDs.sorted { sortKey(of: $0) < sortKey(of: $1) }
        for id in children {
            var name = "Response"
            if !namer.isWholeResponse(id) {
                name = namer.name(of: id, properName(of: id), in: &names)
            }
            types[id]?.name = name
        }
        for id in children { nameTypes(inside: .model(id), path: path, taken: taken) }
    }

    /// The names, in lower case, of associated types that a type may have. `Content` is one of them in an envelope
    /// only; in other types it is a common name of nested types.
    private func associatedTypes(in owner: TypeShape.Owner) -> Set<String> {
        var names = lowercased(SwiftName.associatedTypes)
        var isEnvelope = false
        if case .model(let id) = owner {
            isEnvelope = types[id]?.uses.contains(.envelope) == true
        }
        if !isEnvelope { names.remove("content") }
        return names
    }
}

/// The names that a model of the description could have, and its priority among the models that want them.
private struct ModelWish: Comparable {
    let id: ModelID
    /// The best one first.
    let names: [String]
    /// The priority by use: 0 for a model that is read, 2 for one that is only sent, and 1 more for a variety.
    private let rank: Int
    /// The difference in length between the model's own name and the best one.
    private let distance: Int

    init(id: ModelID, name: String, isRead: Bool) {
        self.id = id
        names = ModelName.candidates(name, isRead: isRead)
        rank = (isRead ? 0 : 2) + (ModelName.isVariety(name) ? 1 : 0)
        distance = (names.last?.count ?? 0) - (names.first?.count ?? 0)
    }

    static func == (first: ModelWish, second: ModelWish) -> Bool { first.id == second.id }

    static func < (first: ModelWish, second: ModelWish) -> Bool {
        (first.rank, first.distance, first.id) < (second.rank, second.distance, second.id)
    }
}

/// Names the types inside of one owner.
private struct NestedNamer {
    let plan: Plan
    /// The endpoint that the types are declared in; nil if they are in a model.
    private let endpoint: EndpointShape?
    /// The name of the owner, without the suffix of endpoints.
    let ownerName: String
    /// The noun of an endpoint, or the name of a model.
    private let noun: Words

    init(plan: Plan, owner: TypeShape.Owner) {
        self.plan = plan
        switch owner {
        case .endpoint(let index):
            let shape = plan.endpoints[index]
            endpoint = shape
            ownerName = String(shape.name.dropLast("Request".count))
            noun = shape.noun
        case .model(let id):
            endpoint = nil
            ownerName = plan.types[id]?.name ?? ""
            noun = Words(ownerName)
        case .none, .api:
            endpoint = nil
            ownerName = ""
            noun = Words("")
        }
    }

    var isInEndpoint: Bool { endpoint != nil }

    /// Whether an unnamed type is the endpoint's whole response. It is then called `Response`.
    func isWholeResponse(_ id: ModelID) -> Bool {
        guard let endpoint, plan.api.models[id]?.name == nil else { return false }
        if case .one(.envelope(_, id)) = endpoint.reply { return true }
        return endpoint.responseModel == id
    }

    /// Returns the shortest name that is not taken, and adds it to the taken ones.
    func name(of id: ModelID, _ properName: String, in taken: inout Set<String>) -> String {
        let title = plan.api.models[id]?.title.map(SwiftName.type)
        var name = withoutOwner(properName)
        if name == "Response" || isRepetition(name, of: id) {
            let general = plan.types[id]?.isElement == true ? "Item" : "Content"
            name = title ?? general
        }
        let owner = isInEndpoint ? noun.upperCamel : ownerName
        if taken.contains(name.lowercased()) { name = title ?? owner + name }
        if taken.contains(name.lowercased()) { name = ownerName + name }
        return SwiftName.unique(name, in: &taken)
    }

    /// The name without the owner's name at its beginning; in an endpoint, also without the endpoint's noun.
    private func withoutOwner(_ name: String) -> String {
        var prefixes = [ownerName]
        if isInEndpoint { prefixes += [noun.plural.upperCamel, noun.upperCamel] }
        for prefix in prefixes where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            if rest.first?.isUppercase == true { return String(rest) }
        }
        return name
    }

    /// Whether a name repeats the end of its owner's name, as `Error` inside of `GitHubError` would.
    private func isRepetition(_ name: String, of id: ModelID) -> Bool {
        !isInEndpoint && plan.api.models[id]?.name == nil && ownerName.hasSuffix(name)
    }
}

/// Finds the names, in lower case, of outer types that a type and its nested types use. A nested type of the same name
/// would hide the outer one.
private struct OuterNames {
    let plan: Plan
    /// The results for models that have been looked up.
    private var known: [ModelID: Set<String>] = [:]

    init(plan: Plan) { self.plan = plan }

    mutating func of(_ id: ModelID) -> Set<String> {
        if let names = known[id] { return names }
        // Ends the recursion for a type that contains itself.
        known[id] = []
        let schemas = plan.api.models[id]?.schemas.map(\.schema) ?? []
        let names = of(schemas)
        known[id] = names
        return names
    }

    mutating func of(_ schemas: [Schema]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas {
            guard let id = schema.core.modelID else { continue }
            var declaredID = id
            if let element = plan.pageElements[id] {
                names.formUnion(of([element]))
                declaredID = Plan.page
            }
            guard let type = plan.types[declaredID] else { continue }
            if type.isNested {
                names.formUnion(of(id))
            } else {
                names.insert(type.name.lowercased())
            }
        }
        return names
    }
}
