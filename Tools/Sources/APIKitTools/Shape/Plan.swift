/// The plan for an API's code, which the last step writes.
///
/// It always covers the whole API, even if only some endpoints are written. The code of an endpoint therefore does not
/// depend on which others are written with it.
final class Plan {
    /// The options that the user chooses.
    struct Options {
        /// The API's name, such as `GitHub`.
        var name: String
        /// Whether endpoints and models are public.
        var isPublic = false
        /// Whether models that are only read can also be encoded.
        var isCodable = false
    }

    var api: API
    let options: Options
    var endpoints: [EndpointShape] = []
    /// The bases with their names. The first one is the API's main base.
    var bases: [(name: String, base: Base)] = []
    /// The version that all paths of a server begin with, such as `/v1`, by the server's URL. The API's main server has
    /// the key nil.
    var versions: [String?: String] = [:]
    var types: [ModelID: TypeShape] = [:]
    /// The member of the API's envelope that holds the content of a response; nil if the API has no envelope.
    var envelopeMember: String?
    /// The elements of the models that are pages of the API's generic type.
    var pageElements: [ModelID: Schema] = [:]
    /// The names of the models that have one in the description.
    var modelNames: [ModelID: String] = [:]
    /// What the API reports for most rejected requests.
    var failure: Schema?
    /// The members through which structs contain themselves, as the struct's identifier, a null character and the name
    /// in JSON.
    var indirectMembers: Set<String> = []
    /// The variants of unions that cannot be distinguished from others by a tag.
    private(set) var untaggedVariants: Set<ModelID> = []
    /// The types that are declared in another one.
    private(set) lazy var children = Dictionary(grouping: types.keys) { types[$0]?.owner ?? .none }
    /// How often each model is referenced, by endpoints and by other models.
    private(set) lazy var references = countReferences()
    /// Whether all dates of the API are numbers of seconds.
    private(set) var datesAreNumbers = false
    /// Whether the decoder converts the names of models from snake case.
    private(set) var convertsNames = false

    init(_ api: API, options: Options) {
        self.api = api
        self.options = options
        self.api.endpoints.sort { ($0.path, $0.method) < ($1.path, $1.method) }
        self.api.endpoints = self.api.endpoints.flatMap { $0.separatingEvents() }
        shapeFailures()
        findEnvelope()
        endpoints = self.api.endpoints.map { shape(of: $0) }
        findOwnEnvelopes()
        findBases()
        nameVariants()
        untaggedVariants = Set(api.models.values.flatMap(\.untaggedVariants))
        findUses()
        findPages()
        noteConstants()
        datesAreNumbers = usesOnlyNumbersAsDates()
        convertsNames = !options.isCodable && hasNamesInSnakeCase()
        if options.isCodable {
            for (id, type) in types where type.uses.contains(.decoded) { types[id]?.uses.insert(.encoded) }
        }
        findOwners()
        findCycles()
        nameTypes()
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

    /// Whether a coding key needs a text for the name in JSON. A decoder may convert names from snake case; an encoder
    /// never converts them.
    func needsCodingKey(_ name: String, for wireName: String, _ uses: Uses) -> Bool {
        let isConverted = convertsNames && !uses.contains(.encoded) && SwiftName.isConverted(name, from: wireName)
        return name != wireName && !isConverted
    }

    /// The model of a schema; nil if it needs no type of its own.
    func model(_ schema: Schema) -> Model? {
        guard case .model(let id) = schema.kind else { return nil }
        return api.models[id]
    }

    /// The object of a schema; nil if it is something else.
    func object(_ schema: Schema) -> Object? { model(schema)?.object }

    /// The members that an object has for some uses, in the order of their declarations.
    ///
    /// A member such as `object`, whose text is always the same, is left out of models that are only read: the Swift
    /// type carries the same information. It stays if models can also be encoded, or if it may be needed to distinguish
    /// the variants of a union.
    func members(of object: Object, _ uses: Uses, isVariant: Bool = false) -> [Object.Member] {
        let isRead = uses.contains(.decoded)
        // With `--codable`, models that are read can also be encoded, but they are not sent to the API.
        let isReadAndEncodable = isRead && options.isCodable
        let isSent = !uses.isDisjoint(with: [.encoded, .parameter]) && !isReadAndEncodable
        let leavesOutConstants = !isSent && !options.isCodable && !isVariant
        var members: [Object.Member] = []
        for var member in object.members.values {
            if member.isReadOnly, !isRead { continue }
            if member.isWriteOnly, !isSent { continue }
            if leavesOutConstants, member.saysItsType { continue }
            let isOnlyInOneDirection = member.isReadOnly || member.isWriteOnly
            if isRead, isSent, isOnlyInOneDirection { member.isRequired = false }
            members.append(member)
        }
        return sorted(members, isRead: isRead)
    }

    /// Sorts members for their declaration. Required ones come first: in a request among all members, in a model that
    /// is read only among those of the section `content`.
    private func sorted(_ members: [Object.Member], isRead: Bool) -> [Object.Member] {
        struct Entry {
            let member: Object.Member
            let order: MemberOrder
        }
        let entries = members.map { Entry(member: $0, order: MemberOrder($0.name, $0.schema.kind)) }
        let sorted = entries.sorted { first, second in
            let areContents = first.order.section == .content && second.order.section == .content
            let requiredComesFirst = !isRead || areContents
            if requiredComesFirst, first.member.isRequired != second.member.isRequired {
                return first.member.isRequired
            }
            return first.order < second.order
        }
        return sorted.map(\.member)
    }

    /// Adds a note for each name of members that are left out, since their text is always the same.
    private func noteConstants() {
        guard !options.isCodable else { return }
        var places: [String: Place] = [:]
        for (id, type) in types.sorted(by: { $0.key < $1.key }) {
            guard let object = api.models[id]?.object, !untaggedVariants.contains(id),
                type.uses.isDisjoint(with: [.encoded, .parameter])
            else { continue }
            for (name, member) in object.members where places[name] == nil && member.saysItsType {
                places[name] = member.schema.place
            }
        }
        for (name, place) in places {
            api.notes.append(Note(.skipped, "member \(name) where it always has the same text", at: place))
        }
    }

    /// Whether the decoder should convert names from snake case: if most names of several words are in snake case, and
    /// no object has two names that the conversion would make equal.
    private func hasNamesInSnakeCase() -> Bool {
        let read = types.filter { $0.value.uses.contains(.decoded) }.keys
        let objects = read.compactMap { api.models[$0]?.object?.members.keys }
        let areUnambiguous = objects.allSatisfy { names in
            Set(names.map(SwiftName.commonKey)).count == names.count
        }
        guard areUnambiguous else { return false }
        let longNames = objects.joined().filter { Words($0).words.count > 1 }
        // For one or two names, coding keys are simpler than a decoder with a setting.
        let snakeCased = longNames.count { $0.contains("_") && !$0.contains(where: \.isUppercase) }
        return snakeCased > 2 && snakeCased * 2 > longNames.count
    }

    /// Whether all dates of the API are numbers of seconds, and none of them is in a body: the encoder of bodies writes
    /// dates as texts.
    private func usesOnlyNumbersAsDates() -> Bool {
        let parameters = api.endpoints.flatMap(\.parameters).map(\.schema.core.kind)
        let all = parameters + memberKinds(of: [.decoded, .encoded, .parameter])
        return all.contains(.unixTime) && !all.contains(.date) && !memberKinds(of: .encoded).contains(.unixTime)
    }

    /// The kinds of the members and variants of all models that have at least one of the uses.
    private func memberKinds(of uses: Uses) -> [Schema.Kind] {
        let used = types.filter { !$0.value.uses.isDisjoint(with: uses) }.keys
        let schemas = used.flatMap { api.models[$0]?.schemas ?? [] }
        return schemas.map(\.schema.core.kind)
    }
}

extension Object.Member {
    /// Whether the member's text is always the same and names the type of its object.
    fileprivate var saysItsType: Bool {
        guard case .constant = schema.kind else { return false }
        return ["object", "type", "kind"].contains(Words(name).words.last)
    }
}

extension Endpoint {
    /// Splits an operation that returns either JSON or events, depending on its body, into two endpoints. The second
    /// one returns the stream of events.
    fileprivate func separatingEvents() -> [Endpoint] {
        func isEvents(_ content: Response.Content) -> Bool { MediaType(content.mediaType) == .events }
        func hasBoth(_ response: Response) -> Bool {
            response.contents.contains(where: isEvents) && !response.contents.allSatisfy(isEvents)
        }
        guard responses.contains(where: hasBoth) else { return [self] }
        var whole = self
        var stream = self
        stream.isStream = true
        for index in responses.indices where responses[index].contents.contains(where: isEvents) {
            whole.responses[index].contents.removeAll(where: isEvents)
            stream.responses[index].contents.removeAll { !isEvents($0) }
        }
        return [whole, stream]
    }
}
