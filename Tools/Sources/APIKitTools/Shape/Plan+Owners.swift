extension Plan {
    /// Decides where each type is declared.
    ///
    /// A type with a single user is nested in that user. If the user is an endpoint and the type has a name of its own,
    /// it is declared in the endpoint's file instead. All other types have files of their own.
    func findOwners() {
        for id in types.keys.sorted() {
            guard let type = types[id], let model = api.models[id] else { continue }
            let owner = owner(of: id, type)
            types[id]?.owner = owner
            switch owner {
            case .model:
                types[id]?.isNested = true
            case .endpoint:
                // The choices of a parameter belong to their endpoint, even if they have a name.
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

    /// Adds a conformance to types that are not nested. In a module with default isolation to the main actor, the
    /// library's nonisolated protocols keep the types from being isolated.
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
