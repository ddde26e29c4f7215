/// The plan for an API's code: the names, places and forms of all declarations, which the types in `Write` turn into
/// text.
///
/// An ``EndpointShape`` is planned for each endpoint, and a ``TypeShape`` for each model, that is, for each type of the
/// description. A ``WebhookShape`` is planned for each webhook.
///
/// The plan is the last of several stages. Each is made from those before it, and none is changed afterwards:
///
///     stage            is made from
///     Contents         the API
///     Servers          Contents
///     Security         Contents, Servers
///     ListStyles       Contents
///     UsualRetries     Contents
///     ModelUses        Contents
///     Ownership        ModelUses
///     Names            Contents, Servers, ModelUses, Ownership
///     Coding           ModelUses
///     ConstantNotes    Contents, ModelUses
///     SecurityNotes    Contents, Security
///     OAuthNotes       Contents, Security
///     Plan             all of them
///
/// The plan always covers the whole API, even if only some endpoints are written. The code of an endpoint therefore
/// does not depend on which others are written with it.
struct Plan {
    /// The options that the user chooses.
    struct Options {
        /// The API's name, such as `GitHub`.
        var name: String
        /// Whether endpoints and models are public.
        var isPublic = false
        /// Whether the API's client has a method for each endpoint. If it is public, endpoints are internal.
        var hasMethods = false
        /// Whether models that are only read can also be encoded.
        var isCodable = false
        /// Whether a source of tokens is written for OAuth 2.0.
        var writesOAuthSource = false
    }

    let options: Options
    /// The API with the models and the notes of all stages.
    let api: API
    let endpoints: [EndpointShape]
    let webhooks: [WebhookShape]
    let types: [ModelID: TypeShape]
    /// The methods of the API's client, in the order of the endpoints; empty if it has none.
    let methods: [MethodShape]
    /// The servers, and which of them each endpoint uses.
    let servers: Servers
    /// The credentials, and which of them requests need.
    let security: Security
    /// How lists are written in queries and forms.
    let listStyles: ListStyles
    /// The options of retries that most endpoints have.
    let usualRetries: UsualRetries
    /// The settings of the models' decoder.
    let coding: Coding
    /// What the API reports for most rejected requests.
    let failure: Schema?
    /// The member of the API's envelope that holds the content of a response; nil if the API has no envelope.
    let envelopeMember: String?
    /// The elements of the models that are pages of the API's generic type.
    let pageElements: [ModelID: Schema]
    /// The members through which structs contain themselves. Their properties have the type `Indirect`.
    let indirectMembers: Set<MemberKey>
    /// The models that are variants of a union and cannot be distinguished from its other variants by a tag.
    let untaggedVariants: Set<ModelID>
    /// The objects that are whole bodies of updates, or variants of such bodies.
    let objectsOfUpdates: Set<ModelID>
    private let ownership: Ownership

    /// Plans the code of an API.
    init(_ described: API, options: Options) {
        let contents = Contents(described, options)
        let servers = Servers(contents, apiName: options.name)
        let security = Security(contents, servers)
        let listStyles = ListStyles(contents)
        let uses = ModelUses(contents, options)
        let ownership = Ownership(uses, options)
        let names = Names(
            uses, ownership, bases: servers.basesOfEndpoints, webhooks: contents.webhooks, options)

        var api = contents.api
        api.models = Self.documentingPayloads(uses.models, names.webhooks, ownership)
        api.notes += servers.notes
        api.notes += SecurityNotes(api: api, security: security).all
        if options.writesOAuthSource { api.notes += OAuthNotes(api: api, security: security).all }
        api.notes += listStyles.notes
        let constants = ConstantNotes(
            uses: uses, untaggedVariants: contents.untaggedVariants, isCodable: options.isCodable)
        api.notes += constants.all

        self.options = options
        self.api = api
        endpoints = names.endpoints
        webhooks = names.webhooks
        types = Self.types(uses, ownership, names)
        methods = options.hasMethods ? MethodNamer(names, servers).methods() : []
        self.servers = servers
        self.security = security
        self.listStyles = listStyles
        usualRetries = UsualRetries(contents)
        coding = Coding(uses, options)
        failure = contents.failure
        envelopeMember = contents.envelopeMember
        pageElements = uses.pageElements
        indirectMembers = ownership.indirectMembers
        untaggedVariants = contents.untaggedVariants
        objectsOfUpdates = contents.objectsOfUpdates
        self.ownership = ownership
    }

    /// The types with their uses, places and names.
    private static func types(_ uses: ModelUses, _ ownership: Ownership, _ names: Names) -> [ModelID: TypeShape] {
        var types: [ModelID: TypeShape] = [:]
        for (id, place) in ownership.types {
            types[id] = TypeShape(
                uses: place.uses, owner: place.owner, name: names.types[id] ?? "",
                isElement: uses.types[id]?.isElement ?? false, isNested: place.isNested, isIndirect: place.isIndirect)
        }
        return types
    }

    /// The models, in which those that are declared as payloads have the description of their webhook unless they have
    /// one themselves.
    private static func documentingPayloads(
        _ models: Models, _ webhooks: [WebhookShape], _ ownership: Ownership
    ) -> Models {
        var documented = models
        for (index, shape) in webhooks.enumerated() {
            let webhook = shape.webhook
            guard let model = ownership.onlyPayload(of: webhook, at: index) else { continue }
            let ofModel = models[model]?.documentation
            documented[model]?.documentation = ofModel ?? webhook.documentation ?? webhook.summary
        }
        return documented
    }

    // MARK: - Reading the plan

    /// The access modifier of models and other declarations, with a space; empty if they are internal.
    var access: String { options.isPublic ? "public " : "" }

    /// The access modifier of endpoints, with a space; empty if they are internal.
    var endpointAccess: String { endpointsArePublic ? "public " : "" }

    /// Whether endpoints are public. If the API's client has methods, its users need no endpoints.
    var endpointsArePublic: Bool { options.isPublic && !options.hasMethods }

    /// The protocol of models that are read.
    var modelProtocol: String { coding.decoderArguments.isEmpty ? "JSONResponse" : "\(options.name)Model" }

    /// The model of a schema; nil if it needs no type of its own.
    func model(_ schema: Schema) -> Model? { api.models.model(schema) }

    /// The object of a schema; nil if it is something else.
    func object(_ schema: Schema) -> Object? { api.models.object(schema) }

    /// The members that an object has for some uses, in the order of their declarations.
    func members(of object: Object, _ uses: Uses, isVariant: Bool = false) -> [Object.Member] {
        object.members(for: uses, isVariant: isVariant, isCodable: options.isCodable)
    }

    /// The path of an endpoint below its base: `users/{id}` for `/v1/users/{id}` if the base's URL ends in `/v1`.
    func path(of endpoint: Endpoint) -> Substring { servers.path(of: endpoint) }

    /// Whether the model of a webhook's payload is declared as the webhook's type. Otherwise that type is another name
    /// for the model, or for a list.
    func hasOwnType(ofWebhook index: Int) -> Bool {
        ownership.onlyPayload(of: webhooks[index].webhook, at: index) != nil
    }

    /// The types that are declared in a type or a file, in the order of their names. Those in the file of an endpoint
    /// are either nested in the endpoint or stand beside it.
    func nested(in owner: TypeOwner) -> [ModelID] {
        let ids = ownership.children[owner] ?? []
        return ids.sorted { first, second in
            let firstName = types[first]?.name ?? ""
            let secondName = types[second]?.name ?? ""
            if firstName != secondName { return firstName < secondName }
            return first < second
        }
    }
}
