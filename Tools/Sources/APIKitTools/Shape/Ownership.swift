/// A stage of a plan: where each type is declared. It is made from the uses of the models.
///
/// - A type that only one model uses is nested in that model's type.
/// - A type that only one endpoint uses is nested in the endpoint. If the type has a name in the description, it is
///   declared beside the endpoint in the same file instead.
/// - A type that only one webhook uses is declared in the webhook's file.
/// - If the API's client has methods, the endpoints are internal, so what the methods return or take is never nested in
///   them.
/// - All other types have files of their own.
struct Ownership {
    /// Where a type is declared, and what it conforms to.
    struct TypePlace {
        /// The uses of its values. They include the protocols that the type needs because of where it is declared.
        let uses: Uses
        let owner: TypeOwner
        /// Whether it is declared inside its owner, and not beside it in the same file.
        let isNested: Bool
        /// Whether it is an enum that contains itself, other than in a list. Swift requires `indirect` for it.
        let isIndirect: Bool
    }

    /// The places of all types.
    let types: [ModelID: TypePlace]
    /// The types that are declared in another one, or in a file.
    let children: [TypeOwner: [ModelID]]
    /// The members through which structs contain themselves. Their properties have the type `Indirect`.
    let indirectMembers: Set<MemberKey>

    /// Decides where the types with some uses are declared.
    init(_ uses: ModelUses, _ options: Plan.Options) {
        let cycles = Cycles(uses)
        let pages = Set(uses.endpoints.filter { $0.paging != nil }.compactMap(\.responseModel))
        var types: [ModelID: TypePlace] = [:]
        for (id, type) in uses.types {
            let isIndirect = cycles.indirectEnums.contains(id)
            let owner = Self.owner(of: id, uses.types, pages: pages, options)
            types[id] = Self.place(type, owner, uses.models[id], isIndirect: isIndirect, options)
        }
        self.types = types
        children = Dictionary(grouping: types.keys) { types[$0]?.owner ?? .none }
        indirectMembers = cycles.indirectMembers
    }

    /// The types that are not nested in others, in any order.
    var outerTypes: [ModelID] { types.keys.filter { types[$0]?.isNested == false } }

    /// The types that are nested in a type or in an endpoint, in any order.
    func nested(in owner: TypeOwner) -> [ModelID] {
        (children[owner] ?? []).filter { types[$0]?.isNested == true }
    }

    /// Decides where a type with these uses is declared, and what it conforms to.
    private static func place(
        _ typeUses: TypeUses, _ owner: TypeOwner, _ model: Model?, isIndirect: Bool, _ options: Plan.Options
    ) -> TypePlace {
        guard let model else {
            // Only the generic parameter of pages, `Element` in `GitHubPage<Element>`, has no model. The generic type
            // declares it, so it has no owner, and it counts as nested so that no file is written for it.
            return TypePlace(uses: typeUses.uses, owner: .none, isNested: true, isIndirect: false)
        }
        let isNested = isNested(model, in: owner, typeUses.uses, options)
        var uses = typeUses.uses
        // The option `--codable` lets the types of all models that are read be encoded too.
        if options.isCodable, uses.isRead { uses.insert(.encoded) }
        // A nested type gets its protocols from how the type around it is used.
        if !isNested { uses.formUnion(usesForProtocols(of: model, uses, isCodable: options.isCodable)) }
        return TypePlace(uses: uses, owner: owner, isNested: isNested, isIndirect: isIndirect)
    }

    /// Decides what a type is declared in. The API's failure, which it reports for rejected requests, belongs to the
    /// API. A type with a single user is declared in that user. Any other type has a file of its own.
    private static func owner(
        of id: ModelID, _ types: [ModelID: TypeUses], pages: Set<ModelID>, _ options: Plan.Options
    ) -> TypeOwner {
        guard let type = types[id] else { return .none }
        if type.uses.contains(.failure) { return .api }
        guard let user = type.users.first, type.users.count == 1 else { return .none }
        guard case .model(let userID) = user else { return user }
        // A type cannot be declared inside itself.
        if userID == id { return .none }
        // Methods return the content of an envelope, and the items of a page.
        let isContent = types[userID]?.uses.contains(.envelope) == true
        let isItem = type.isElement && pages.contains(userID)
        let isReturned = options.hasMethods && (isContent || isItem)
        return isReturned ? owner(of: userID, types, pages: pages, options) : user
    }

    /// Whether a type is declared inside its owner.
    private static func isNested(
        _ model: Model, in owner: TypeOwner, _ uses: Uses, _ options: Plan.Options
    ) -> Bool {
        switch owner {
        case .model:
            return true
        case .endpoint where options.hasMethods:
            return uses.contains(.envelope)
        case .endpoint:
            // The choices of a parameter belong to their endpoint, even if they have a name.
            let isOnlyParameter = uses == .parameter
            return model.name == nil || isOnlyParameter
        case .webhook, .api, .none:
            // The type stands in a file.
            return false
        }
    }

    /// The uses `response` and `body` of a type that is not nested. They stand for the protocols `JSONResponse` and
    /// `JSONBody`.
    ///
    /// In a module with default isolation to the main actor, the library's nonisolated protocols keep the types from
    /// being isolated. Enums of texts or numbers do not need them: they are declared as `nonisolated`.
    private static func usesForProtocols(of model: Model, _ uses: Uses, isCodable: Bool) -> Uses {
        switch model.kind {
        case .texts, .numbers: return []
        case .object, .union: break
        }
        var added: Uses = []
        if uses.isRead { added.insert(.response) }
        // With the option `--codable`, types that are never sent are encoded too. They are not bodies.
        if uses.contains(.encoded), !isCodable { added.insert(.body) }
        return added
    }
}
