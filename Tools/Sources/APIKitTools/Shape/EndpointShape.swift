/// What an endpoint is in Swift.
struct EndpointShape {
    /// How a response's body is read.
    enum Reading: Equatable {
        case none, text, bytes, file
        case json(Schema)
        /// What is in the API's envelope, or in one of the endpoint.
        case envelope(Schema, of: ModelID?)
        case events(Schema)
        case lines(Schema)
    }

    /// What an endpoint returns.
    enum Reply {
        case one(Reading)
        /// What there is, or nothing for another status.
        case optional(Reading)
        /// A case for each group of statuses.
        case byStatus([StatusReading])

        /// How bodies of all statuses are read.
        var readings: [Reading] {
            switch self {
            case .one(let reading), .optional(let reading): [reading]
            case .byStatus(let readings): readings.map(\.reading)
            }
        }
    }

    /// How the bodies of some successful statuses are read.
    struct StatusReading {
        /// The statuses, in ascending order; empty if there is only a range such as 2XX.
        var statuses: [Int]
        /// Whether it is also for all successful statuses that no other group has.
        var isForOthers: Bool
        var reading: Reading

        /// The name of its case, such as `created`.
        var name: String { statuses.first.map(StatusName.name) ?? "success" }
    }

    /// What an endpoint sends in its body.
    enum Payload {
        case none
        /// Members, each a property of the endpoint.
        case members(Object, MediaType)
        /// One value as JSON.
        case value(Schema, isRequired: Bool)
        case bytes(String)
        /// Bytes that may be too many for memory.
        case file(String)
        case text(String)

        /// The members that are properties of the endpoint, in any order.
        var members: [Object.Member] {
            guard case .members(let object, _) = self else { return [] }
            return Array(object.members.values)
        }
    }

    let endpoint: Endpoint
    var reply: Reply
    var payload: Payload
    /// The only member of the body, if the members of the payload are in it: `data` of `{"data": {…}}`.
    var bodyMember: String?
    /// What a rejected response holds, if that is not what the API usually reports.
    var failure: Reading?
    var paging: Paging?
    /// The type's name.
    var name = ""
    /// The name of its base; nil if it is that of the API.
    var base: String?
    /// How its base writes lists.
    var lists = Base.Lists.repeated
    /// A media type that the response has and its Swift type does not ask for.
    var accept: String?
    /// A media type that the body has, if its Swift type does not say it.
    var contentType: String?

    /// What the endpoint is about.
    var noun: Words {
        EndpointName.noun(of: String(name.dropLast("Request".count)), isGet: endpoint.method == "GET")
    }
}

/// What a type is used for.
struct Uses: OptionSet {
    let rawValue: Int
    /// It is read from JSON.
    static let decoded = Uses(rawValue: 1)
    /// It is written as JSON by an encoder.
    static let encoded = Uses(rawValue: 2)
    /// It is written as a parameter.
    static let parameter = Uses(rawValue: 4)
    /// It is all of a response.
    static let response = Uses(rawValue: 8)
    /// It is all of a body.
    static let body = Uses(rawValue: 16)
    /// It is an event of a stream.
    static let event = Uses(rawValue: 32)
    /// It is what the API reports for a rejected request.
    static let failure = Uses(rawValue: 64)
    /// It is the object around what is read.
    static let envelope = Uses(rawValue: 128)
}

/// What a model is in Swift.
struct TypeShape {
    /// What a type is declared in.
    enum Owner: Hashable {
        /// Nothing: it is used in several places, and has a file of its own.
        case none
        case model(ModelID)
        /// The file of an endpoint, by its index.
        case endpoint(Int)
        /// The file of the API's base.
        case api
    }

    var uses: Uses = []
    var users: Set<Owner> = []
    var owner = Owner.none
    /// The member or the parameter that uses it, after which it is named if it has no name.
    var hint = ""
    var isElement = false
    var name = ""
    /// Whether it is declared inside its owner, and not beside it.
    var isNested = false
    /// Whether it contains itself, other than in a list.
    var isIndirect = false
}
