/// The plan for an API's code: the names, places and forms of all declarations, which the types in `Write` turn into
/// text.
///
/// An ``EndpointShape`` is planned for each endpoint, and a ``TypeShape`` for each model, that is, for each type of the
/// description. A ``WebhookShape`` is planned for each webhook. A ``Base`` is what endpoints share: a server. The
/// extensions of `Plan` each make one kind of decision, such as names or owners.
///
/// The plan always covers the whole API, even if only some endpoints are written. The code of an endpoint therefore
/// does not depend on which others are written with it.
final class Plan {
    /// The options that the user chooses.
    struct Options {
        /// The API's name, such as `GitHub`.
        var name: String
        /// Whether endpoints and models are public.
        var isPublic = false
        /// Whether models that are only read can also be encoded.
        var isCodable = false
        /// Whether a source of tokens is written for OAuth 2.0.
        var writesOAuthSource = false
    }

    var api: API
    let options: Options
    var endpoints: [EndpointShape] = []
    var webhooks: [WebhookShape] = []
    /// The bases with their names. The first one is the API's main base.
    var bases: [(name: String, base: Base)] = []
    /// How the bases write lists.
    var listStyle = ListStyle.repeated
    /// How the lists in models are written that are sent in a query or a form, if not like those of the bases. The
    /// lists of an object in the style `deepObject` have indexes: `user[ids][0]=1`.
    var listStylesOfTypes: [ModelID: ListStyle] = [:]
    /// The version that all paths of a server begin with, such as `/v1`, by the server's URL. The key nil stands for
    /// the API's main server, as in ``Endpoint/baseURL``.
    var versions: [String?: String] = [:]
    /// The identifiers of the models for the objects that are being merged into the API's failure.
    var merges: [Merge: ModelID] = [:]
    /// How many objects have been merged.
    var mergeCount = 0
    /// All servers of the API, the main one first.
    var servers: [ServerShape] = []
    /// The enums of the values of servers' variables.
    var serverEnums: [ServerEnum] = []
    /// The credentials for which functions are generated.
    var credentials: [CredentialShape] = []
    /// The positions in ``credentials``, by the name of the security scheme.
    var credentialsByScheme: [String: Int] = [:]
    /// The sources of tokens for which functions are generated with the option `--oauth`.
    var oauthSources: [OAuthSource] = []
    /// The security schemes by name.
    var schemes: [String: SecurityScheme] = [:]
    /// The alternatives of what most requests need, without the one for requests without credentials.
    var usualSecurity: [SecurityRequirement] = []
    var types: [ModelID: TypeShape] = [:]
    /// The member of the API's envelope that holds the content of a response; nil if the API has no envelope.
    var envelopeMember: String?
    /// The elements of the models that are pages of the API's generic type.
    var pageElements: [ModelID: Schema] = [:]
    /// The names of the models that have one in the description.
    var modelNames: [ModelID: String] = [:]
    /// What the API reports for most rejected requests.
    var failure: Schema?
    /// The members through which structs contain themselves. Their properties have the type `Indirect`.
    var indirectMembers: Set<MemberKey> = []
    /// The models that are variants of a union and cannot be distinguished from its other variants by a tag.
    private(set) var untaggedVariants: Set<ModelID> = []
    /// The objects that are whole bodies of updates, or variants of such bodies.
    private(set) lazy var objectsOfUpdates = findObjectsOfUpdates()
    /// The types that are declared in another one.
    private(set) lazy var children = Dictionary(grouping: types.keys) { types[$0]?.owner ?? .none }
    /// How often each model is referenced, by endpoints and by other models.
    private(set) lazy var references = countReferences()
    /// Whether all dates of the API are numbers of seconds.
    private(set) var datesAreNumbers = false
    /// Whether the decoder converts the names of models from snake case.
    private(set) var convertsNames = false

    /// Makes all decisions, in an order in which each step only needs the results of those before it.
    init(_ api: API, options: Options) {
        self.api = api
        self.options = options
        self.api.endpoints.sort { ($0.path, $0.method) < ($1.path, $1.method) }
        // An operation that returns JSON or events becomes two endpoints.
        self.api.endpoints = self.api.endpoints.flatMap { $0.separatingEvents() }
        // An operation that sends JSON, or a form with files, becomes two endpoints, the second one for the form.
        self.api.endpoints = self.api.endpoints.flatMap { $0.separatingUploads() }

        // What endpoints send and return.
        findFailure()
        findEnvelope()
        endpoints = self.api.endpoints.map { shape(of: $0) }
        webhooks = Self.webhooks(of: self.api)
        findOwnEnvelopes()
        findBases()
        findServers()
        findCredentials()
        findListStyles()

        // What each model is used for. The generic model of pages replaces others, so `findPages` finds the uses again.
        nameVariants()
        untaggedVariants = Set(api.models.values.flatMap(\.untaggedVariants))
        findUses()
        findPages()
        findChoicesOfOptionalConstants()

        // The settings of the decoder and the encoder.
        noteConstants()
        datesAreNumbers = shouldReadDatesAsNumbers()
        convertsNames = shouldConvertNames()
        if options.isCodable { encodeDecodedTypes() }

        // Where types are declared, and their names, which depend on that.
        findOwners()
        findCycles()
        nameTypes()
    }

    /// Lets the types of all models that are read be encoded too, as the option `--codable` demands.
    private func encodeDecodedTypes() {
        for (id, type) in types where type.uses.isRead { types[id]?.uses.insert(.encoded) }
    }

    /// The access modifier of generated declarations, with a space; empty if they are internal.
    var access: String { options.isPublic ? "public " : "" }

    /// The arguments of the models' decoder; empty if they use the library's default decoder.
    var decoderArguments: [String] {
        var arguments: [String] = []
        if convertsNames { arguments.append("keys: .convertFromSnakeCase") }
        if datesAreNumbers { arguments.append("dates: .secondsSince1970") }
        return arguments
    }

    /// The protocol of models that are read.
    var modelProtocol: String { decoderArguments.isEmpty ? "JSONResponse" : "\(options.name)Model" }

    /// Whether a property needs a coding key with a text, as in `case htmlURL = "html_url"`: if its name differs from
    /// the name in JSON and the decoder does not convert one into the other. An encoder never converts names.
    func needsCodingKey(_ name: String, for wireName: String, _ uses: Uses) -> Bool {
        if name == wireName { return false }
        if !convertsNames || uses.contains(.encoded) { return true }
        return !SwiftName.isConverted(name, from: wireName)
    }

    /// The model of a schema; nil if it needs no type of its own.
    func model(_ schema: Schema) -> Model? {
        guard case .model(let id) = schema.kind else { return nil }
        return api.models[id]
    }

    /// The object of a schema; nil if it is something else.
    func object(_ schema: Schema) -> Object? { model(schema)?.object }

    // MARK: - Members

    /// The members that an object has for some uses, in the order of their declarations.
    ///
    /// A `readOnly` member only exists in values that are read, and a `writeOnly` member only in values that are sent.
    /// A model that is used for both has both, and they are optional. Members such as `object: "list"`, which only name
    /// the type, are left out if the values are only read: see `leavesOutConstants(_:isVariant:)`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - uses: What the object's values are used for.
    ///   - isVariant: Whether a union has to distinguish the object from its other variants without a tag.
    /// - Returns: The members that its Swift type has properties for.
    func members(of object: Object, _ uses: Uses, isVariant: Bool = false) -> [Object.Member] {
        let isRead = uses.isRead
        var isSent = uses.isWritten
        // With the option `--codable`, models that are read can also be encoded, but they are not sent.
        if isRead, options.isCodable { isSent = false }
        let omitsConstants = leavesOutConstants(uses, isVariant: isVariant)
        var members: [Object.Member] = []
        for var member in object.members.values {
            if member.isReadOnly, !isRead { continue }
            if member.isWriteOnly, !isSent { continue }
            if omitsConstants, member.namesItsType { continue }
            let isInOneDirection = member.isReadOnly || member.isWriteOnly
            if isRead, isSent, isInOneDirection { member.isRequired = false }
            members.append(member)
        }
        return sorted(members, isRead: isRead)
    }

    /// Whether models with these uses have no properties for members such as `object: "list"`, whose text is always the
    /// same: the Swift type carries the same information.
    ///
    /// Such members stay in models that are written, and in the variants of a union that may need them to tell its
    /// objects apart.
    private func leavesOutConstants(_ uses: Uses, isVariant: Bool) -> Bool {
        !uses.isWritten && !isVariant && !options.isCodable
    }

    /// Sorts members for their declaration.
    ///
    /// In a request, required members come first. In a model that is read, the sections of ``MemberOrder`` come first,
    /// and only in the section `content` do required members come before others.
    private func sorted(_ members: [Object.Member], isRead: Bool) -> [Object.Member] {
        struct Entry {
            let member: Object.Member
            let order: MemberOrder
        }
        let entries = members.map { Entry(member: $0, order: MemberOrder($0.name, $0.schema.kind)) }
        let sorted = entries.sorted { first, second in
            let areContents = first.order.section == .content && second.order.section == .content
            let requiredComesFirst = !isRead || areContents
            let differInRequired = first.member.isRequired != second.member.isRequired
            if requiredComesFirst, differInRequired { return first.member.isRequired }
            return first.order < second.order
        }
        return sorted.map(\.member)
    }

    /// Adds a note for each name of members that are left out of models since their text is always the same, such as
    /// `object: "list"`. A name that several models have gets one note, with the place in the first of them.
    private func noteConstants() {
        var places: [String: Place] = [:]
        for (id, type) in types.sorted(by: { $0.key < $1.key }) {
            guard let object = api.models[id]?.object else { continue }
            guard leavesOutConstants(type.uses, isVariant: untaggedVariants.contains(id)) else { continue }
            for (name, member) in object.members where member.namesItsType {
                let isFirst = places[name] == nil
                if isFirst { places[name] = member.schema.place }
            }
        }
        for (name, place) in places {
            api.notes.append(Note(.skipped, "member \(name) where it always has the same text", at: place))
        }
    }

    // MARK: - The decoder

    /// Whether the decoder should convert names from snake case, so that `htmlURL` needs no coding key for `html_url`.
    ///
    /// It should if no object has two names that the conversion would make equal, and if the conversion saves coding
    /// keys for most names of several words.
    private func shouldConvertNames() -> Bool {
        // With the option `--codable`, all models need coding keys anyway: they are encoded by the user's own encoder,
        // which does not convert names.
        if options.isCodable { return false }
        let readModels = types.filter { $0.value.uses.isRead }.keys
        let namesOfObjects = readModels.compactMap { api.models[$0]?.object?.members.keys }
        for names in namesOfObjects {
            let convertedNames = Set(names.map(SwiftName.commonKey))
            let areEqualNames = convertedNames.count < names.count
            if areEqualNames { return false }
        }
        let longNames = namesOfObjects.joined().filter { Words($0).words.count > 1 }
        let snakeCasedCount = longNames.count { $0.contains("_") && !$0.contains(where: \.isUppercase) }
        let otherCount = longNames.count - snakeCasedCount
        // For one or two names, coding keys are simpler than a decoder with a setting.
        let areSeveral = snakeCasedCount > 2
        let areMost = snakeCasedCount > otherCount
        return areSeveral && areMost
    }

    /// Whether the decoder should read dates as numbers of seconds: if all dates of the API are such numbers, and none
    /// of them is in a body, since the encoder of bodies writes dates as texts.
    private func shouldReadDatesAsNumbers() -> Bool {
        let parameters = api.endpoints.flatMap(\.parameters).map(\.schema.core.kind)
        let kinds = parameters + memberKinds(of: [.decoded, .encoded, .parameter])
        let areAllNumbers = kinds.contains(.unixTime) && !kinds.contains(.date)
        let areInBodies = memberKinds(of: .encoded).contains(.unixTime)
        return areAllNumbers && !areInBodies
    }

    /// The kinds of the members and variants of all models that have at least one of the uses.
    private func memberKinds(of uses: Uses) -> [Schema.Kind] {
        let used = types.filter { !$0.value.uses.isDisjoint(with: uses) }.keys
        let schemas = used.flatMap { api.models[$0]?.schemas ?? [] }
        return schemas.map(\.schema.core.kind)
    }
}

extension Object.Member {
    /// Whether the member's text is always the same and names the type of its object, as in `object: "list"`.
    fileprivate var namesItsType: Bool {
        guard case .constant = schema.kind else { return false }
        return ["object", "type", "kind"].contains(Words(name).words.last)
    }
}

extension Endpoint {
    /// Splits an operation that sends either JSON or a form with files into two endpoints, the second one for the form.
    /// Other operations are returned unchanged.
    fileprivate func separatingUploads() -> [Endpoint] {
        guard let upload else { return [self] }
        var form = self
        form.isUpload = true
        form.body = upload
        return [self, form]
    }

    /// Splits an operation that returns either JSON or events, depending on its body, into two endpoints: one that
    /// returns the JSON, and one that returns the stream of events. Other operations are returned unchanged.
    fileprivate func separatingEvents() -> [Endpoint] {
        func isEvents(_ content: Response.Content) -> Bool { MediaType(content.mediaType) == .events }
        let returnsEither = responses.contains { response in
            let hasEvents = response.contents.contains { isEvents($0) }
            let hasOthers = response.contents.contains { !isEvents($0) }
            return hasEvents && hasOthers
        }
        guard returnsEither else { return [self] }
        var whole = self
        var stream = self
        stream.isStream = true
        // A response with both is divided. A response without events, such as an error, is one of both endpoints.
        for index in responses.indices where responses[index].contents.contains(where: isEvents) {
            whole.responses[index].contents.removeAll(where: isEvents)
            stream.responses[index].contents.removeAll { !isEvents($0) }
        }
        return [whole, stream]
    }
}
