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
    var types: [ModelID: TypeShape] = [:]
    /// What the API reports for most rejected requests.
    var failure: Schema?
    /// The properties of structs inside of which the struct itself may be, by struct and JSON name.
    var indirectMembers: Set<String> = []
    /// See `nested(in:)`.
    var children: [TypeShape.Owner: [ModelID]]?
    /// See `references`.
    var knownReferences: [ModelID: Int]?
    /// Whether dates are numbers: the API has no others.
    private(set) var datesAreNumbers = false

    init(_ api: API, options: Options) {
        self.api = api
        self.options = options
        var sorted = api.endpoints
        sorted.sort { ($0.path, $0.method) < ($1.path, $1.method) }
        sorted = sorted.flatMap { $0.separatingEvents() }
        self.api.endpoints = sorted
        shapeFailures()
        endpoints = sorted.map { shape(of: $0) }
        findBases()
        nameVariants()
        findUses()
        datesAreNumbers = usesOnlyNumbersAsDates()
        if options.isCodable {
            for (id, type) in types where type.uses.contains(.decoded) { types[id]?.uses.insert(.encoded) }
        }
        findOwners()
        findCycles()
        nameTypes()
    }

    /// What precedes declarations that users of the API see.
    var access: String { options.isPublic ? "public " : "" }

    /// The model of a schema; nil if it needs no type of its own.
    func model(_ schema: Schema) -> Model? {
        guard case .model(let id) = schema.kind else { return nil }
        return api.models[id]
    }

    /// The object of a schema; nil if it is something else.
    func object(_ schema: Schema) -> Object? {
        guard case .object(let object)? = model(schema)?.kind else { return nil }
        return object
    }

    /// The members of a model that its uses have, in the order in which they are declared: requests begin with what is
    /// required.
    func members(of object: Object, _ uses: Uses) -> [Object.Member] {
        let isRead = uses.contains(.decoded)
        let isWritten = !uses.isDisjoint(with: [.encoded, .parameter]) && !(options.isCodable && isRead)
        var members: [Object.Member] = []
        for var member in object.members.values {
            if member.isReadOnly, !isRead { continue }
            if member.isWriteOnly, !isWritten { continue }
            if isRead, isWritten, member.isReadOnly || member.isWriteOnly { member.isRequired = false }
            members.append(member)
        }
        return members.sorted { first, second in
            if !isRead, first.isRequired != second.isRequired { return first.isRequired }
            if first.name == "id" || second.name == "id" { return first.name == "id" && second.name != "id" }
            return first.name < second.name
        }
    }

    /// Whether the API has dates in seconds and no others. The encoder of bodies would write them as texts.
    private func usesOnlyNumbersAsDates() -> Bool {
        func kinds(_ uses: Uses) -> [Schema.Kind] {
            types.filter { !$0.value.uses.isDisjoint(with: uses) }.keys.flatMap { api.models[$0]?.schemas ?? [] }
                .map(\.schema.core.kind)
        }
        let (encoded, all) = (kinds(.encoded), kinds([.decoded, .encoded, .parameter]))
        let kinds = api.endpoints.flatMap(\.parameters).map(\.schema.core.kind) + all
        let hasTexts = kinds.contains { if case .date = $0 { true } else { false } }
        let isSeconds = { (kind: Schema.Kind) in if case .unixTime = kind { true } else { false } }
        return !hasTexts && kinds.contains(where: isSeconds) && !encoded.contains(where: isSeconds)
    }
}

extension Endpoint {
    /// An operation that returns JSON or events, as its body asks for, is two endpoints.
    fileprivate func separatingEvents() -> [Endpoint] {
        func isEvents(_ content: (mediaType: String, schema: Schema)) -> Bool {
            MediaType(content.mediaType) == .events
        }
        guard responses.contains(where: { $0.contents.contains(where: isEvents) && !$0.contents.allSatisfy(isEvents) })
        else { return [self] }
        var (whole, stream) = (self, self)
        stream.isStream = true
        for index in responses.indices where responses[index].contents.contains(where: isEvents) {
            whole.responses[index].contents.removeAll(where: isEvents)
            stream.responses[index].contents.removeAll { !isEvents($0) }
        }
        return [whole, stream]
    }
}
