/// What is written for an API: the result of all steps before the last.
///
/// It always covers the whole API, also if only some endpoints are written. So what is written does not depend on what
/// else is.
final class Plan {
    /// What the user chooses.
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
    /// The bases by their names; the first one is that of the API.
    var bases: [(name: String, base: Base)] = []
    /// The version that all paths of a server begin with, such as `/v1`, by its URL; that of the API is nil.
    var versions: [String?: String] = [:]
    var types: [ModelID: TypeShape] = [:]
    /// The member of the object that is around the content of responses; nil if there is none.
    var envelopeMember: String?
    /// The elements of the models that are pages of the API's generic type.
    var pageElements: [ModelID: Schema] = [:]
    /// The names of the models that have one in the description.
    var modelNames: [ModelID: String] = [:]
    /// What the API reports for most rejected requests.
    var failure: Schema?
    /// The properties of structs inside of which the struct itself may be, by struct and JSON name.
    var indirectMembers: Set<String> = []
    /// The variants of unions that no tag tells apart from others.
    private(set) var untaggedVariants: Set<ModelID> = []
    /// The types that are declared in another one.
    private(set) lazy var children = Dictionary(grouping: types.keys) { types[$0]?.owner ?? .none }
    /// How often each model is referenced, by endpoints and by other models.
    private(set) lazy var references = countReferences()
    /// Whether dates are numbers: the API has no others.
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

    /// What precedes declarations that users of the API see.
    var access: String { options.isPublic ? "public " : "" }

    /// The arguments of the decoder that all models have; empty if that is the usual one.
    var decoderArguments: [String] {
        var arguments: [String] = []
        if convertsNames { arguments.append("keys: .convertFromSnakeCase") }
        if datesAreNumbers { arguments.append("dates: .secondsSince1970") }
        return arguments
    }

    /// The protocol of models that are read.
    var modelProtocol: String { decoderArguments.isEmpty ? "JSONResponse" : "\(options.name)Model" }

    /// Whether a coding key has to say the name in JSON. An encoder does not convert names.
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

    /// The members of a model that its uses have, in the order in which they are declared: requests begin with what is
    /// required.
    ///
    /// A member such as `object`, which always has the same text, is not read: it says what the Swift type says. It is
    /// read if models can also be encoded, or if it may be what tells the variants of a union apart.
    func members(of object: Object, _ uses: Uses, isVariant: Bool = false) -> [Object.Member] {
        let isRead = uses.contains(.decoded)
        // With `--codable`, what is read can be encoded, too, but need not be sent.
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

    /// The members in their order: required ones first, but in a model that is read only among its contents.
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

    /// Notes each name of members that are not read, since they say what the type says.
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

    /// Whether most names of several words are in snake case, and no object has two that the decoder would confuse.
    private func hasNamesInSnakeCase() -> Bool {
        let read = types.filter { $0.value.uses.contains(.decoded) }.keys
        let objects = read.compactMap { api.models[$0]?.object?.members.keys }
        let areUnambiguous = objects.allSatisfy { names in
            Set(names.map(SwiftName.commonKey)).count == names.count
        }
        guard areUnambiguous else { return false }
        let longNames = objects.joined().filter { Words($0).words.count > 1 }
        let snakeCased = longNames.count { $0.contains("_") && !$0.contains(where: \.isUppercase) }
        return snakeCased > 2 && snakeCased * 2 > longNames.count
    }

    /// Whether the API has dates in seconds and no others. The encoder of bodies would write them as texts.
    private func usesOnlyNumbersAsDates() -> Bool {
        let parameters = api.endpoints.flatMap(\.parameters).map(\.schema.core.kind)
        let all = parameters + memberKinds(of: [.decoded, .encoded, .parameter])
        return all.contains(.unixTime) && !all.contains(.date) && !memberKinds(of: .encoded).contains(.unixTime)
    }

    /// What members and variants of the models with one of some uses are.
    private func memberKinds(of uses: Uses) -> [Schema.Kind] {
        let used = types.filter { !$0.value.uses.isDisjoint(with: uses) }.keys
        let schemas = used.flatMap { api.models[$0]?.schemas ?? [] }
        return schemas.map(\.schema.core.kind)
    }
}

extension Object.Member {
    /// Whether its text is always the same, and is the name of the object's type.
    fileprivate var saysItsType: Bool {
        guard case .constant = schema.kind else { return false }
        return ["object", "type", "kind"].contains(Words(name).words.last)
    }
}

extension Endpoint {
    /// An operation that returns JSON or events, as its body asks for, is two endpoints.
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
