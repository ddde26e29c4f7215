/// Names the types that are nested in endpoints and in other types.
///
/// Types with different owners may have the same name. But a nested type never has the name of another type that is
/// used inside its owner, since it would hide that type.
struct NestedTypeNamer {
    /// What is decided before the types are named.
    struct Surroundings {
        let uses: ModelUses
        let ownership: Ownership
        let proper: ProperNames
        let endpoints: [EndpointShape]
    }

    private let surroundings: Surroundings
    /// The names of all types so far.
    private var names: [ModelID: String]

    /// Names the types nested in some models, and in all endpoints.
    ///
    /// - Parameters:
    ///   - ids: The models, in the order in which their types are named.
    ///   - outerNames: The names of the types that are not nested.
    ///   - surroundings: What is decided before.
    /// - Returns: The names of all types.
    static func names(
        inModels ids: [ModelID], _ outerNames: [ModelID: String], _ surroundings: Surroundings
    ) -> [ModelID: String] {
        let reserved = TakenNames(SwiftName.reservedTypes)
        var outerTypes = OuterTypes(surroundings.uses, surroundings.ownership, outerNames)
        var namer = NestedTypeNamer(surroundings: surroundings, names: outerNames)
        for id in ids {
            let used = TakenNames(outerTypes.names(usedIn: id))
            namer.nameTypes(inside: .model(id), path: [], taken: reserved.union(used))
        }
        for (index, endpoint) in surroundings.endpoints.enumerated() {
            let used = TakenNames(outerTypes.names(of: endpoint.form.schemas))
            namer.nameTypes(inside: .endpoint(index), path: [], taken: reserved.union(used))
        }
        // The generic parameter of pages.
        namer.names[GenericPage.element] = "Element"
        return namer.names
    }

    private init(surroundings: Surroundings, names: [ModelID: String]) {
        self.surroundings = surroundings
        self.names = names
    }

    /// Names the types inside an owner, and all types inside of these.
    ///
    /// - Parameters:
    ///   - ownerID: The declaration or the file that the types are declared in.
    ///   - path: The names of the declarations around the owner.
    ///   - taken: The names that no type inside may have, at any depth.
    private mutating func nameTypes(inside ownerID: TypeOwner, path: [String], taken: TakenNames) {
        let ids = surroundings.ownership.nested(in: ownerID)
        if ids.isEmpty { return }
        let owner = NamedOwner(ownerID, surroundings, names)
        let pathOfChildren = path + [owner.name]
        // A type named after an associated type of the library's protocols would become that associated type.
        var takenByOthers = taken.union(associatedTypes(in: ownerID))
        // A type in a model may not have the name of a declaration around it. In an endpoint, the suffix `Request`
        // distinguishes the names.
        if !owner.isEndpoint { takenByOthers.insert(pathOfChildren) }
        let children = surroundings.uses.models.sortedByName(ids)
        for id in children {
            if owner.isWholeResponse(id) {
                names[id] = "Response"
            } else {
                let candidates = Self.withoutMemberNames(owner.candidates(for: id))
                let free = takenByOthers.firstFree(of: candidates)
                // There is always a candidate.
                names[id] = takenByOthers.take(free ?? candidates.last ?? "Content")
            }
        }
        // A type further inside may have the same name as one of the children, so those names are not passed on.
        for id in children { nameTypes(inside: .model(id), path: pathOfChildren, taken: taken) }
    }

    /// Removes candidates without a capital, such as `_1` or `日本`: they are also names of the case or the property
    /// with the type's values, and Swift does not allow both in one declaration. If no candidate has a capital, the
    /// last one remains, which begins with the name of the owner and is not the name of a member.
    private static func withoutMemberNames(_ candidates: [String]) -> [String] {
        let capitalized = candidates.filter { $0.first?.isUppercase == true }
        return capitalized.isEmpty ? candidates.suffix(1) : capitalized
    }

    /// The names of the library's associated types that a type inside an owner must not have: a type `Failure` inside a
    /// request would become the request's associated type.
    private func associatedTypes(in owner: TypeOwner) -> TakenNames {
        var names = TakenNames(SwiftName.associatedTypes)
        var isEnvelope = false
        if case .model(let id) = owner {
            isEnvelope = surroundings.ownership.types[id]?.uses.contains(.envelope) == true
        }
        // `Content` is an associated type of envelopes only. In other types, it is a common name of nested types.
        if !isEnvelope { names.remove("Content") }
        return names
    }
}
