/// Names the types that are nested in endpoints and in other types.
///
/// Types with different owners may have the same name. But a nested type never has the name of another type that is
/// used inside its owner, since it would hide that type.
struct NestedTypeNamer {
    let plan: Plan

    /// Names the types nested in some models, and in all endpoints.
    func nameTypes(inModels ids: [ModelID]) {
        let reserved = TakenNames(SwiftName.reservedTypes)
        var outerNames = OuterNames(plan: plan)
        for id in ids {
            let used = TakenNames(outerNames.names(usedIn: id))
            nameTypes(inside: .model(id), path: [], taken: reserved.union(used))
        }
        for index in plan.endpoints.indices {
            let used = TakenNames(outerNames.names(of: plan.schemas(of: plan.endpoints[index])))
            nameTypes(inside: .endpoint(index), path: [], taken: reserved.union(used))
        }
    }

    /// Names the types inside an owner, and all types inside of these.
    ///
    /// - Parameters:
    ///   - ownerID: The declaration or the file that the types are declared in.
    ///   - path: The names of the declarations around the owner.
    ///   - taken: The names that no type inside may have, at any depth.
    private func nameTypes(inside ownerID: TypeShape.Owner, path: [String], taken: TakenNames) {
        let owner = Owner(ownerID, plan: plan)
        let pathOfChildren = path + [owner.name]
        // A type named after an associated type of the library's protocols would become that associated type.
        var takenByOthers = taken.union(associatedTypes(in: ownerID))
        // A type in a model may not have the name of a declaration around it. In an endpoint, the suffix `Request`
        // distinguishes the names.
        if !owner.isEndpoint { takenByOthers.insert(pathOfChildren) }
        // Types that stand beside an endpoint in its file are not nested.
        let children = plan.sortedByName(plan.nested(in: ownerID).filter { plan.types[$0]?.isNested == true })
        for id in children {
            if owner.isWholeResponse(id) {
                plan.types[id]?.name = "Response"
            } else {
                let candidates = candidates(for: id, in: owner)
                let free = takenByOthers.firstFree(of: candidates)
                // There is always a candidate.
                plan.types[id]?.name = takenByOthers.take(free ?? candidates.last ?? "Content")
            }
        }
        // A type further inside may have the same name as one of the children, so those names are not passed on.
        for id in children { nameTypes(inside: .model(id), path: pathOfChildren, taken: taken) }
    }

    /// The names that a type inside an owner could have, the best one first.
    ///
    /// A name without a capital, such as `_1` or `日本`, is also that of the case or the property with the type's values,
    /// and Swift does not allow both in one declaration. Such a name is left out. If all are such names, the last one,
    /// which begins with that of the owner, is no name of a member.
    private func candidates(for id: ModelID, in owner: Owner) -> [String] {
        let candidates = owner.candidates(for: id)
        let capitalized = candidates.filter { $0.first?.isUppercase == true }
        return capitalized.isEmpty ? candidates.suffix(1) : capitalized
    }

    /// The names of the library's associated types that a type inside an owner must not have: a type `Failure` inside a
    /// request would become the request's associated type.
    private func associatedTypes(in owner: TypeShape.Owner) -> TakenNames {
        var names = TakenNames(SwiftName.associatedTypes)
        var isEnvelope = false
        if case .model(let id) = owner {
            isEnvelope = plan.types[id]?.uses.contains(.envelope) == true
        }
        // `Content` is an associated type of envelopes only. In other types, it is a common name of nested types.
        if !isEnvelope { names.remove("Content") }
        return names
    }
}

/// An endpoint or a model that types are declared in, which has its own name already.
private struct Owner {
    let plan: Plan
    /// The endpoint; nil if the owner is a model.
    private let endpoint: EndpointShape?
    /// The name, without the suffix of endpoints.
    let name: String
    /// The thing that an endpoint is about: `Issue` for `CreateIssueRequest`. For a model, it is the model's name.
    private let noun: Words

    /// Finds the name and the noun of an owner.
    init(_ owner: TypeShape.Owner, plan: Plan) {
        self.plan = plan
        switch owner {
        case .endpoint(let index):
            let shape = plan.endpoints[index]
            endpoint = shape
            name = shape.nameWithoutSuffix
            noun = shape.noun
        case .model(let id):
            endpoint = nil
            name = plan.types[id]?.name ?? ""
            noun = Words(name)
        case .none, .api, .webhook:
            // A file has no name that its types could be named after.
            endpoint = nil
            name = ""
            noun = Words("")
        }
    }

    var isEndpoint: Bool { endpoint != nil }

    /// Whether a type is the endpoint's whole response and has no name in the description. It is then called
    /// `Response`.
    func isWholeResponse(_ id: ModelID) -> Bool {
        guard let endpoint, plan.api.models[id]?.name == nil else { return false }
        // The object around what the endpoint returns, if it is an envelope of its own.
        if case .one(.envelope(_, of: let envelope?)) = endpoint.reply, envelope == id { return true }
        return endpoint.responseModel == id
    }

    /// The names that a type inside the owner could have, the best one first. For the values of a member `user` in
    /// `CreateIssueRequest`, whose noun is `Issue`, they are:
    ///
    /// 1. `User`, the proper name without that of the owner,
    /// 2. `IssueUser`, with the noun before it, or with the owner's name if the owner is a model,
    /// 3. `CreateIssueIssueUser`, with the owner's name before that.
    ///
    /// A title in the description, such as "Author", replaces the second one. A first one that says nothing is replaced
    /// too: by the title, or by `Item` or `Content`.
    func candidates(for id: ModelID) -> [String] {
        let title = plan.api.models[id]?.title.map(SwiftName.type)
        var short = withoutOwner(plan.properName(of: id))
        // `Response` is the name of an endpoint's whole response.
        let saysNothing = short == "Response" || repeatsOwner(short, id)
        if saysNothing { short = title ?? generalName(of: id) }
        let prefix = isEndpoint ? noun.upperCamel : name
        let long = title ?? prefix + short
        return [short, long, name + long]
    }

    /// A name for a type whose own name says nothing.
    private func generalName(of id: ModelID) -> String {
        plan.types[id]?.isElement == true ? "Item" : "Content"
    }

    /// Removes the owner's name from the beginning of a name: `CommitAuthor` in `Commit` becomes `Author`. In an
    /// endpoint, its noun in the singular or the plural is removed too: both `IssueLabel` and `IssuesLabel` in
    /// `CreateIssueRequest` become `Label`.
    private func withoutOwner(_ typeName: String) -> String {
        var prefixes = [name]
        if isEndpoint { prefixes += [noun.plural.upperCamel, noun.upperCamel] }
        for prefix in prefixes where typeName.hasPrefix(prefix) {
            let rest = typeName.dropFirst(prefix.count)
            let isWholeWord = rest.first?.isUppercase == true
            // `Enum` says what every enum is: a `ProfileEnum` keeps its name.
            if isWholeWord, rest != "Enum" { return String(rest) }
        }
        return typeName
    }

    /// Whether the name of an unnamed type repeats the end of its owner's name, as `Error` in `GitHubError` would.
    private func repeatsOwner(_ typeName: String, _ id: ModelID) -> Bool {
        !isEndpoint && plan.api.models[id]?.name == nil && name.hasSuffix(typeName)
    }
}

/// Finds the names of the outer types that a type uses: those that are not nested in another type. A nested type of the
/// same name would hide them.
private struct OuterNames {
    let plan: Plan
    /// The results for models that have been looked up.
    private var known: [ModelID: Set<String>] = [:]

    init(plan: Plan) { self.plan = plan }

    /// Finds the names of the outer types that a model and the types nested in it use. Keeps the result in ``known``.
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

    /// Finds the names of the outer types of values: `Order` for a list of the type `Order`. If a type is nested, its
    /// own name is left out, and the names of the outer types that it uses are returned instead.
    ///
    /// The results for nested types are kept in ``known``.
    mutating func names(of schemas: [Schema]) -> Set<String> {
        var names: Set<String> = []
        for schema in schemas {
            guard let id = schema.core.modelID else { continue }
            if let element = plan.pageElements[id] {
                // A page is written as the API's generic type with its element: `GitHubPage<Issue>`.
                if let page = plan.types[Plan.page] { names.insert(page.name) }
                names.formUnion(self.names(of: [element]))
            } else if let type = plan.types[id] {
                if type.isNested {
                    names.formUnion(self.names(usedIn: id))
                } else {
                    names.insert(type.name)
                }
            }
        }
        return names
    }
}
