/// The names that types get if they are not taken.
struct ProperNames {
    /// The names of the models that have one in the description.
    let ofModels: [ModelID: String]
    private let types: [ModelID: TypeUses]

    /// Chooses the names of the models that have one in the description.
    init(_ uses: ModelUses) {
        types = uses.types
        let named = uses.types.compactMap { id, type -> ModelNamer.NamedModel? in
            guard let name = uses.models[id]?.name else { return nil }
            return ModelNamer.NamedModel(id: id, name: name, isRead: type.uses.isRead)
        }
        ofModels = ModelNamer.names(of: named)
    }

    /// The name of a type: that of its model, or a name from the hint, the member or parameter that uses it. Values of
    /// `items` are `Items`, but the elements of a list `items` are an `Item` each.
    func name(of id: ModelID) -> String {
        if let name = ofModels[id] { return name }
        let type = types[id] ?? TypeUses()
        return type.isElement ? SwiftName.element(type.hint) : SwiftName.type(type.hint)
    }
}
