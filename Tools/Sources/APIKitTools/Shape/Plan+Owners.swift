extension Plan {
    /// Decides where each type is declared: one with a single user inside of it, or beside it if that is an endpoint
    /// and the type has a name of its own; all others have files of their own.
    func findOwners() {
        for id in types.keys.sorted() {
            guard let type = types[id], let model = api.models[id] else { continue }
            let owner = owner(of: id, type)
            types[id]?.owner = owner
            switch owner {
            case .model:
                types[id]?.isNested = true
            case .endpoint:
                let isOnlyParameter = type.uses.isDisjoint(with: [.response, .body, .decoded])
                types[id]?.isNested = model.name == nil || isOnlyParameter
            case .api, .none:
                break
            }
        }
        conformTypesThatAreNotNested()
    }

    private func owner(of id: ModelID, _ type: TypeShape) -> TypeShape.Owner {
        if type.uses.contains(.failure) { return .api }
        guard type.users.count == 1, let user = type.users.first, user != .model(id) else {
            return .none
        }
        return user
    }

    /// Has types conform to protocols of the library, which keep them from being isolated to the main actor.
    private func conformTypesThatAreNotNested() {
        for (id, type) in types where !type.isNested {
            if case .texts? = api.models[id]?.kind { continue }
            if type.uses.contains(.decoded) { types[id]?.uses.insert(.response) }
            if type.uses.contains(.encoded), !options.isCodable {
                types[id]?.uses.insert(.body)
            }
        }
    }

    /// The types that are declared in another one, in the order of their names.
    func nested(in owner: TypeShape.Owner) -> [ModelID] {
        let ids = children[owner] ?? []
        return ids.sorted { (types[$0]?.name ?? "", $0) < (types[$1]?.name ?? "", $1) }
    }
}
