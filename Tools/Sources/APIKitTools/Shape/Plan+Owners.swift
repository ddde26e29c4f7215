extension Plan {
    /// Decides where each type is declared: one with a single user inside of it, or beside it if that is an endpoint
    /// and the type has a name of its own; all others have files of their own.
    func findOwners() {
        for id in types.keys.sorted() {
            guard var type = types[id], let model = api.models[id] else { continue }
            defer { types[id] = type }
            if type.uses.contains(.failure) {
                type.owner = .api
                continue
            }
            guard type.users.count == 1, let user = type.users.first, user != .model(id) else { continue }
            type.owner = user
            switch user {
            case .model: type.isNested = true
            case .endpoint:
                type.isNested = model.name == nil || type.uses.isDisjoint(with: [.response, .body, .decoded])
            case .api, .none: break
            }
        }
        // Protocols of the library keep a type from being isolated to the main actor.
        for (id, type) in types where !type.isNested {
            if case .texts? = api.models[id]?.kind { continue }
            if type.uses.contains(.decoded) { types[id]?.uses.insert(.response) }
            if type.uses.contains(.encoded), !options.isCodable { types[id]?.uses.insert(.body) }
        }
    }

    /// Names all types. Those that are not nested have different names; those that are nested differ from them too, so
    /// that no name means two things in one place.
    func nameTypes() {
        let reserved = Set(SwiftName.reservedTypes.map { $0.lowercased() })
        var taken = reserved.union(SwiftName.associatedTypes.map { $0.lowercased() })
        for suffix in ["Request", "Model", "API", "Envelope"] { taken.insert("\(options.name)\(suffix)".lowercased()) }
        let unavailable = taken
        nameModels()
        nameEndpoints(&taken)
        let ids = types.keys.sorted { place(of: $0) < place(of: $1) }
        let shared = ids.filter { types[$0]?.isNested == false }
        let counts = Dictionary(grouping: shared, by: { properName(of: $0) }).mapValues(\.count)
        for id in shared {
            let name = properName(of: id)
            let hasName = api.models[id]?.name != nil
            var names = hasName || counts[name] == 1 ? [name] : []
            names += (hasName ? [] : usersNames(of: id)).map { $0 + name }
            let hasPrefix = name.lowercased().hasPrefix(options.name.lowercased())
            names += hasPrefix ? [] : ["\(options.name)\(name)"]
            let other = unavailable.contains(name.lowercased()) ? "\(name)Value" : name
            let free = names.first { !taken.contains($0.lowercased()) } ?? other
            types[id]?.name = SwiftName.unique(free, in: &taken)
        }
        var memo: [ModelID: Set<String>] = [:]
        for id in ids where types[id]?.isNested == false {
            nameTypes(inside: .model(id), path: [], taken: reserved.union(outerNames(of: id, &memo)))
        }
        for index in endpoints.indices {
            let outer = outerNames(of: schemas(of: endpoints[index]), &memo)
            nameTypes(inside: .endpoint(index), path: [], taken: reserved.union(outer))
        }
    }

    /// Names the endpoints. A short name is that of the only one that could have it.
    private func nameEndpoints(_ taken: inout Set<String>) {
        let models = Set(modelNames.values.map { $0.lowercased() })
        let read = Set(endpoints.filter { $0.endpoint.method == "GET" }.map(\.endpoint.path))
        let all = endpoints.map { EndpointName.candidates(for: $0.endpoint, isRead: read.contains($0.endpoint.path)) }
        let wishes = all.flatMap { Set([$0.short, $0.names.first].compactMap(\.self)) }
        let counts = Dictionary(wishes.map { ($0, 1) }, uniquingKeysWith: +)
        // The endpoints of what others belong to choose first.
        let order = endpoints.indices.sorted { first, second in
            let (first, second) = (endpoints[first].endpoint, endpoints[second].endpoint)
            let depths = (first.path.count { $0 == "/" }, second.path.count { $0 == "/" })
            return (depths.0, first.path, first.method) < (depths.1, second.path, second.method)
        }
        for index in order {
            let best = all[index].short.flatMap { counts[$0] == 1 ? $0 : nil }
            var wanted = ([best].compactMap(\.self) + all[index].names).map { SwiftName.shortened($0) + "Request" }
            // What returns a pull request needs its verb, so that the model has the name.
            if endpoints[index].endpoint.method == "GET", let first = wanted.first, models.contains(first.lowercased())
            {
                wanted[0] = "Get\(first)"
            }
            let free = wanted.first { !taken.contains($0.lowercased()) && !models.contains($0.lowercased()) }
            endpoints[index].name = SwiftName.unique(free ?? wanted.last ?? "EndpointRequest", in: &taken)
        }
    }

    /// Chooses the names of models that have one: a short one is that of a model that is read, of the fullest of
    /// several, and of the one whose own name is nearest to it.
    private func nameModels() {
        let models = types.compactMap { id, type -> (rank: Int, length: Int, id: ModelID, names: [String])? in
            guard let name = api.models[id]?.name else { return nil }
            let isRead = type.uses.contains(.decoded)
            let names = ModelName.candidates(name, isRead: isRead)
            let length = (names.last?.count ?? 0) - (names.first?.count ?? 0)
            return ((isRead ? 0 : 2) + (ModelName.isVariety(name) ? 1 : 0), length, id, names)
        }
        var taken: Set<String> = []
        for (_, _, id, names) in models.sorted(by: { ($0.rank, $0.length, $0.id) < ($1.rank, $1.length, $1.id) }) {
            modelNames[id] = names.first { taken.insert($0.lowercased()).inserted } ?? names.last
        }
    }

    /// What uses a type: the names of models, and what endpoints are about, shorter ones first.
    private func usersNames(of id: ModelID) -> [String] {
        let names = (types[id]?.users ?? []).compactMap { user -> String? in
            switch user {
            case .model(let id): modelNames[id]
            case .endpoint(let index):
                endpoints[index].noun.upperCamel
            case .api, .none: nil
            }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// Names the variants of unions that the description does not name: objects after a member that no other one has.
    func nameVariants() {
        for (id, model) in api.models {
            guard case .union(var union) = model.kind else { continue }
            let objects = union.variants.map { object($0.schema) }
            for (index, variant) in union.variants.enumerated() where variant.name == nil && variant.tags.isEmpty {
                if case .texts? = self.model(variant.schema)?.kind { union.variants[index].name = "option" }
                guard let object = objects[index] else { continue }
                let others = objects.enumerated().filter { $0.offset != index }.compactMap { $0.element?.members.keys }
                let own = object.members.values.filter { !others.joined().contains($0.name) }
                guard !others.isEmpty else { continue }
                let (required, optional) = (own.filter(\.isRequired), own.filter { !$0.isRequired })
                union.variants[index].name = (required.map(\.name).min() ?? optional.map(\.name).min())
            }
            api.models[id]?.kind = .union(union)
        }
    }

    /// The names, in lower case, that a type and those inside of it use from outside: a nested type of such a name
    /// would take their place.
    private func outerNames(of id: ModelID, _ memo: inout [ModelID: Set<String>]) -> Set<String> {
        if let names = memo[id] { return names }
        memo[id] = []
        let names = outerNames(of: api.models[id]?.schemas.map(\.schema) ?? [], &memo)
        memo[id] = names
        return names
    }

    private func outerNames(of schemas: [Schema], _ memo: inout [ModelID: Set<String>]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas {
            guard let id = schema.core.modelID else { continue }
            if let element = pageElements[id] { names.formUnion(outerNames(of: [element], &memo)) }
            guard let type = types[pageElements[id] == nil ? id : Self.page] else { continue }
            if type.isNested {
                names.formUnion(outerNames(of: id, &memo))
            } else {
                names.insert(type.name.lowercased())
            }
        }
        return names
    }

    /// An order in which what has a name comes first, and that does not depend on the order of the description.
    private func place(of id: ModelID) -> String { "\(api.models[id]?.name ?? "~")\u{0}\(id)" }

    /// The types that are declared in another one, in the order of their names.
    func nested(in owner: TypeShape.Owner) -> [ModelID] {
        (children[owner] ?? []).sorted { (types[$0]?.name ?? "", $0) < (types[$1]?.name ?? "", $1) }
    }

    private func properName(of id: ModelID) -> String {
        if let name = modelNames[id] { return name }
        let type = types[id] ?? TypeShape()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }

    private func nameTypes(inside owner: TypeShape.Owner, path: [String], taken: Set<String>) {
        let ownerName: String =
            switch owner {
            case .model(let id): types[id]?.name ?? ""
            case .endpoint(let index): String(endpoints[index].name.dropLast("Request".count))
            case .none, .api: ""
            }
        let path = path + [ownerName]
        let isEndpoint = if case .endpoint = owner { true } else { false }
        let noun = if case .endpoint(let index) = owner { endpoints[index].noun } else { Words(ownerName) }
        let prefixes = [ownerName] + (isEndpoint ? [noun.plural.upperCamel, noun.upperCamel] : [])
        var names = taken.union(associatedTypes(in: owner))
        if !isEndpoint { names.formUnion(path.map { $0.lowercased() }) }
        let children = nested(in: owner).filter { types[$0]?.isNested == true }.sorted { place(of: $0) < place(of: $1) }
        for id in children {
            var name = properName(of: id)
            for prefix in prefixes where name.hasPrefix(prefix) {
                guard name.dropFirst(prefix.count).first?.isUppercase == true else { continue }
                name = String(name.dropFirst(prefix.count))
                break
            }
            if case .endpoint(let index) = owner, endpoints[index].isResponse(id), api.models[id]?.name == nil {
                types[id]?.name = "Response"
            } else {
                // Not `CommitCommit`, and not `GitHubErrorError`.
                let isRepetition = !isEndpoint && api.models[id]?.name == nil && ownerName.hasSuffix(name)
                let title = api.models[id]?.title.map(SwiftName.type)
                if name == "Response" || isRepetition {
                    name = title ?? (types[id]?.isElement == true ? "Item" : "Content")
                }
                let owner = isEndpoint ? noun.upperCamel : ownerName
                if names.contains(name.lowercased()) { name = title ?? owner + name }
                if names.contains(name.lowercased()) { name = ownerName + name }
                types[id]?.name = SwiftName.unique(name, in: &names)
            }
        }
        for id in children { nameTypes(inside: .model(id), path: path, taken: taken) }
    }

    /// The names, in lower case, that have a meaning of their own inside of a type. Only an envelope has a `Content`,
    /// which is also the usual name of what is in another type.
    private func associatedTypes(in owner: TypeShape.Owner) -> Set<String> {
        var names = Set(SwiftName.associatedTypes.map { $0.lowercased() })
        var isEnvelope = false
        if case .model(let id) = owner { isEnvelope = types[id]?.uses.contains(.envelope) == true }
        if !isEnvelope { names.remove("content") }
        return names
    }
}

extension EndpointShape {
    /// Whether a model is all of the response, so that it can be declared as such.
    fileprivate func isResponse(_ id: ModelID) -> Bool {
        if case .one(.envelope(_, id)) = reply { true } else { responseModel == id }
    }
}
