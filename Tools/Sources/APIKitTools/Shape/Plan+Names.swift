extension Plan {
    /// Names all endpoints and types.
    ///
    /// Several types choose the names, each for one kind of declaration, in this order:
    ///
    /// 1. ``ModelNamer``: the models that have a name in the description. Their names are only wishes until step 4.
    /// 2. ``EndpointNamer``: the endpoints.
    /// 3. ``nameWebhooks(_:)``: the payloads of webhooks.
    /// 4. ``FileTypeNamer``: the types that are not nested in others, also those without a name in the description.
    /// 5. ``NestedTypeNamer``: the types that are nested in endpoints and in other types.
    ///
    /// In each of them, a declaration has candidates, the best one first, and gets the first one that is not taken.
    func nameTypes() {
        modelNames = ModelNamer.names(of: modelsWithNames())
        let reserved = reservedNames()
        var taken = reserved
        nameEndpoints(&taken)
        nameWebhooks(&taken)
        let ids = sortedByName(types.keys.filter { types[$0]?.isNested == false })
        // The models of payloads have the names of their webhooks.
        let unnamed = ids.filter { types[$0]?.name.isEmpty == true }
        FileTypeNamer(plan: self, reserved: reserved).nameTypes(unnamed, &taken)
        NestedTypeNamer(plan: self).nameTypes(inModels: ids)
    }

    /// Names all endpoints. One that sends files is named after the endpoint before it, which sends JSON to the same
    /// path: `CreateMessageWithFilesRequest` for `CreateMessageRequest`.
    private func nameEndpoints(_ taken: inout TakenNames) {
        let others = endpoints.indices.filter { !endpoints[$0].endpoint.isUpload }
        let namer = EndpointNamer(others.map { endpoints[$0].endpoint }, modelNames: modelNames.values)
        for (index, name) in zip(others, namer.names(&taken)) { endpoints[index].name = name }
        for index in endpoints.indices where endpoints[index].endpoint.isUpload {
            let name = "\(endpoints[index - 1].nameWithoutSuffix)WithFiles\(EndpointShape.suffix)"
            endpoints[index].name = taken.take(name)
        }
    }

    /// The models that have a name in the description, with their candidates.
    private func modelsWithNames() -> [ModelNamer.NamedModel] {
        types.compactMap { id, type in
            guard let name = api.models[id]?.name else { return nil }
            return ModelNamer.NamedModel(id: id, name: name, isRead: type.uses.isRead)
        }
    }

    /// The names of the library's types and of the declarations in the file of the API's base.
    private func reservedNames() -> TakenNames {
        var reserved = TakenNames(SwiftName.reservedTypes.union(SwiftName.associatedTypes))
        reserved.insert(["Request", "Model", "API", "Envelope", "OAuth"].map { "\(options.name)\($0)" })
        if options.writesOAuthSource { reserved.insert(SwiftName.typesOfOAuth) }
        return reserved
    }

    /// Sorts types by the names of their models in the description, so that the chosen names do not depend on the order
    /// of the description. Types without such a name come last.
    func sortedByName(_ ids: [ModelID]) -> [ModelID] {
        struct Key: Comparable {
            let name: String?
            let id: ModelID

            static func < (first: Key, second: Key) -> Bool {
                guard let firstName = first.name else { return second.name == nil && first.id < second.id }
                guard let secondName = second.name else { return true }
                return (firstName, first.id) < (secondName, second.id)
            }
        }
        return ids.map { Key(name: api.models[$0]?.name, id: $0) }.sorted().map(\.id)
    }

    /// The name that a type gets if it is not taken: that of its model, or a name from the hint, the member or
    /// parameter that uses it. Values of `items` are `Items`, but the elements of a list `items` are an `Item` each.
    func properName(of id: ModelID) -> String {
        if let name = modelNames[id] { return name }
        let type = types[id] ?? TypeShape()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }
}
