/// A stage of a plan: the names of all endpoints, webhooks and types. It is made from the uses of the models, from
/// where the types are declared, on which their names depend, from the endpoints' bases, and from the webhooks.
///
/// Several types choose the names, each for one kind of declaration, in this order:
///
/// 1. ``ModelNamer``: the models that have a name in the description. Their names are only wishes until step 4.
/// 2. ``EndpointNamer``: the endpoints.
/// 3. ``WebhookNamer``: the payloads of webhooks.
/// 4. ``FileTypeNamer``: the types that are not nested in others, also those without a name in the description.
/// 5. ``NestedTypeNamer``: the types that are nested in endpoints and in other types.
///
/// In each of them, a declaration has candidates, the best one first, and gets the first one that is not taken.
struct Names {
    /// The endpoints with their names.
    let endpoints: [EndpointShape]
    /// The webhooks with the names of their payloads.
    let webhooks: [WebhookShape]
    /// The names of the types.
    let types: [ModelID: String]

    /// Names the endpoints, webhooks and types of an API.
    init(
        _ uses: ModelUses, _ ownership: Ownership, bases: [String?], webhooks described: [Webhook],
        _ options: Plan.Options
    ) {
        let proper = ProperNames(uses)
        let reserved = Self.reservedNames(options)
        var taken = reserved

        let endpointNames = Self.endpointNames(uses.endpoints.map(\.endpoint), proper, &taken)
        let endpoints = uses.endpoints.indices.map { index in
            let name = endpointNames[index]
            // The methods of the API's client return the enum, so it is not nested in the endpoint, which is internal.
            let isOuterEnum = options.hasMethods && uses.endpoints[index].reply.isByStatus
            let statusEnum =
                isOuterEnum ? taken.take("\(name.dropLast(EndpointShape.suffix.count))Response") : "Response"
            return EndpointShape(form: uses.endpoints[index], name: name, base: bases[index], statusEnum: statusEnum)
        }
        let payloads = WebhookNamer(proper: proper, ownership: ownership).names(of: described, &taken)
        let webhooks = zip(described, payloads.ofWebhooks).map { WebhookShape(webhook: $0, name: $1) }

        let outerTypes = uses.models.sortedByName(ownership.outerTypes)
        // The models of payloads have the names of their webhooks.
        let unnamed = outerTypes.filter { payloads.ofTypes[$0] == nil }
        let users = NamesOfUsers(proper: proper, uses: uses, endpoints: endpoints, webhooks: webhooks)
        let fileTypeNamer = FileTypeNamer(
            proper: proper, users: users, models: uses.models, apiName: options.name, reserved: reserved)
        let outerNames = payloads.ofTypes.merging(fileTypeNamer.names(of: unnamed, &taken)) { first, _ in first }

        self.endpoints = endpoints
        self.webhooks = webhooks
        let surroundings = NestedTypeNamer.Surroundings(
            uses: uses, ownership: ownership, proper: proper, endpoints: endpoints)
        types = NestedTypeNamer.names(inModels: outerTypes, outerNames, surroundings)
    }

    /// Names all endpoints. One that sends files is named after the endpoint before it, which sends JSON to the same
    /// path: `CreateMessageWithFilesRequest` for `CreateMessageRequest`.
    private static func endpointNames(
        _ endpoints: [Endpoint], _ proper: ProperNames, _ taken: inout TakenNames
    ) -> [String] {
        let others = endpoints.indices.filter { !endpoints[$0].isUpload }
        let namer = EndpointNamer(others.map { endpoints[$0] }, modelNames: proper.ofModels.values)
        var names = Array(repeating: "", count: endpoints.count)
        for (index, name) in zip(others, namer.names(&taken)) { names[index] = name }
        for index in endpoints.indices where endpoints[index].isUpload {
            let nameWithoutSuffix = names[index - 1].dropLast(EndpointShape.suffix.count)
            names[index] = taken.take("\(nameWithoutSuffix)WithFiles\(EndpointShape.suffix)")
        }
        return names
    }

    /// The names of the library's types and of the declarations in the file of the API's base.
    private static func reservedNames(_ options: Plan.Options) -> TakenNames {
        var reserved = TakenNames(SwiftName.reservedTypes.union(SwiftName.associatedTypes))
        reserved.insert(["Request", "Model", "API", "Envelope", "OAuth"].map { "\(options.name)\($0)" })
        if options.hasMethods { reserved.insert(["\(options.name)Client"]) }
        if options.writesOAuthSource { reserved.insert(SwiftName.typesOfOAuth) }
        return reserved
    }
}
