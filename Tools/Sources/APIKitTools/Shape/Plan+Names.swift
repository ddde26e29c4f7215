extension Plan {
    /// Names all endpoints and types. Types that are not nested have different names; those that are nested differ from
    /// them too, so that no name means two things in one place.
    func nameTypes() {
        let reserved = lowercased(SwiftName.reservedTypes)
        let ownNames = ["Request", "Model", "API", "Envelope"].map { "\(options.name)\($0)" }
        let unavailable = reserved.union(lowercased(SwiftName.associatedTypes)).union(lowercased(ownNames))
        var taken = unavailable
        nameModels()
        nameEndpoints(&taken)
        let ids = types.keys.sorted { place(of: $0) < place(of: $1) }
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

    /// An order in which what has a name comes first, and that does not depend on the order of the description.
    private func place(of id: ModelID) -> String { "\(api.models[id]?.name ?? "~")\u{0}\(id)" }

    /// The name that a type has if no other one needs it.
    private func properName(of id: ModelID) -> String {
        if let name = modelNames[id] { return name }
        let type = types[id] ?? TypeShape()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }

    // MARK: - Endpoints

    /// Names the endpoints. A short name is that of the only one that could have it.
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
            // What returns a pull request needs its verb, so that the model has the name.
            let isGet = endpoints[index].endpoint.method == "GET"
            if isGet, let first = wanted.first, models.contains(first.lowercased()) {
                wanted[0] = "Get\(first)"
            }
            let free = wanted.first { !taken.contains($0.lowercased()) && !models.contains($0.lowercased()) }
            let name = free ?? wanted.last ?? "EndpointRequest"
            endpoints[index].name = SwiftName.unique(name, in: &taken)
        }
    }

    /// The endpoints in the order in which they choose their names: those of what others belong to first.
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

    /// Chooses the names of models that have one: a short one is that of a model that is read, of the fullest of
    /// several, and of the one whose own name is nearest to it.
    private func nameModels() {
        var wishes: [ModelWish] = []
        for (id, type) in types {
            guard let name = api.models[id]?.name else { continue }
            wishes.append(ModelWish(id: id, name: name, isRead: type.uses.contains(.decoded)))
        }
        var taken: Set<String> = []
        for wish in wishes.sorted(by: <) {
            let free = wish.names.first { taken.insert($0.lowercased()).inserted }
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
            // Numbers do not help if the name itself is that of a type of the library.
            let last = unavailable.contains(name.lowercased()) ? "\(name)Value" : name
            let free = wanted.first { !taken.contains($0.lowercased()) } ?? last
            types[id]?.name = SwiftName.unique(free, in: &taken)
        }
    }

    /// What uses a type: the names of models, and what endpoints are about, shorter ones first.
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

    /// Names the types inside of another one, and those inside of them.
    ///
    /// - Parameters:
    ///   - owner: What the types are declared in.
    ///   - path: The names of what that is declared in itself.
    ///   - taken: The names, in lower case, that no type inside may have.
    private func nameTypes(inside owner: TypeShape.Owner, path: [String], taken: Set<String>) {
        let namer = NestedNamer(plan: self, owner: owner)
        var names = taken.union(associatedTypes(in: owner))
        let path = path + [namer.ownerName]
        if !namer.isInEndpoint { names.formUnion(lowercased(path)) }
        let children = nested(in: owner).filter { types[$0]?.isNested == true }.sorted { place(of: $0) < place(of: $1) }
        for id in children {
            var name = "Response"
            if !namer.isWholeResponse(id) {
                name = namer.name(of: id, properName(of: id), in: &names)
            }
            types[id]?.name = name
        }
        for id in children { nameTypes(inside: .model(id), path: path, taken: taken) }
    }

    /// The names, in lower case, that have a meaning of their own inside of a type. Only an envelope has a `Content`,
    /// which is also the usual name of what is in another type.
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

/// The names that a model of the description could have, and how good its reasons are.
private struct ModelWish: Comparable {
    let id: ModelID
    /// The best one first.
    let names: [String]
    /// 0 for a model that is read, and more for one that is only sent or has less than another one.
    private let rank: Int
    /// How much longer its own name is than the best one.
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
    /// What an endpoint is about, or the owner's name.
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

    /// Whether a type is all of the endpoint's response, so that it can be declared as such.
    func isWholeResponse(_ id: ModelID) -> Bool {
        guard let endpoint, plan.api.models[id]?.name == nil else { return false }
        if case .one(.envelope(_, id)) = endpoint.reply { return true }
        return endpoint.responseModel == id
    }

    /// A name that is not taken, as short as it can be.
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

    /// The name without that of the owner at its beginning, and without what an endpoint is about.
    private func withoutOwner(_ name: String) -> String {
        var prefixes = [ownerName]
        if isInEndpoint { prefixes += [noun.plural.upperCamel, noun.upperCamel] }
        for prefix in prefixes where name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            if rest.first?.isUppercase == true { return String(rest) }
        }
        return name
    }

    /// Whether a name says what its owner's does: not `CommitCommit`, and not `GitHubErrorError`.
    private func isRepetition(_ name: String, of id: ModelID) -> Bool {
        !isInEndpoint && plan.api.models[id]?.name == nil && ownerName.hasSuffix(name)
    }
}

/// The names, in lower case, that a type and those inside of it use from outside: a nested type of such a name would
/// take their place.
private struct OuterNames {
    let plan: Plan
    private var known: [ModelID: Set<String>] = [:]

    init(plan: Plan) { self.plan = plan }

    mutating func of(_ id: ModelID) -> Set<String> {
        if let names = known[id] { return names }
        // For a type that contains itself.
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
