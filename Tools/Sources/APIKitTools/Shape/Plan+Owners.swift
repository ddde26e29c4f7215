extension Plan {
    /// Decides where each type is declared: its owner, and whether it is nested in it.
    ///
    /// - A type that only one model uses is nested in that model's type.
    /// - A type that only one endpoint uses is nested in the endpoint. If the type has a name in the description, it is
    ///   declared beside the endpoint in the same file instead.
    /// - A type that only one webhook uses is declared in the webhook's file.
    /// - All other types have files of their own.
    ///
    /// In the end, the types that are not nested get the protocols `JSONResponse` and `JSONBody`.
    func findOwners() {
        for (id, type) in types {
            guard let model = api.models[id] else { continue }
            let owner = owner(of: id, type)
            types[id]?.owner = owner
            switch owner {
            case .model:
                types[id]?.isNested = true
            case .endpoint:
                // The choices of a parameter belong to their endpoint, even if they have a name.
                let isOnlyParameter = type.uses == .parameter
                types[id]?.isNested = model.name == nil || isOnlyParameter
            case .webhook, .api, .none:
                // The type stands in a file.
                break
            }
        }
        conformTypesThatAreNotNested()
    }

    /// Decides what a type is declared in. The API's failure, which it reports for rejected requests, is declared in
    /// the API's file. A type with a single user is declared in that user. Any other type has a file of its own.
    private func owner(of id: ModelID, _ type: TypeShape) -> TypeShape.Owner {
        if type.uses.contains(.failure) { return .api }
        guard let user = type.users.first, type.users.count == 1 else { return .none }
        let isOnlyUsedByItself = user == .model(id)
        return isOnlyUsedByItself ? .none : user
    }

    /// Lets types that are not nested conform to `JSONResponse` and `JSONBody`, by adding the uses `response` and
    /// `body` that stand for these protocols.
    ///
    /// In a module with default isolation to the main actor, the library's nonisolated protocols keep the types from
    /// being isolated. Enums of texts or numbers do not need them: they are declared as `nonisolated`.
    private func conformTypesThatAreNotNested() {
        for (id, type) in types where !type.isNested {
            switch api.models[id]?.kind {
            case .texts?, .numbers?: continue
            case .object?, .union?, nil: break
            }
            if type.uses.isRead { types[id]?.uses.insert(.response) }
            // With the option `--codable`, types that are never sent are encoded too. They are not bodies.
            if type.uses.contains(.encoded), !options.isCodable { types[id]?.uses.insert(.body) }
        }
    }

    /// The types that are declared in a type or a file, in the order of their names. Those in the file of an endpoint
    /// are either nested in the endpoint or stand beside it.
    func nested(in owner: TypeShape.Owner) -> [ModelID] {
        let ids = children[owner] ?? []
        return ids.sorted { first, second in
            let firstName = types[first]?.name ?? ""
            let secondName = types[second]?.name ?? ""
            if firstName != secondName { return firstName < secondName }
            return first < second
        }
    }
}
