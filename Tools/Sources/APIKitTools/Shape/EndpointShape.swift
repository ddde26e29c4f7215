/// The form that an endpoint takes in Swift.
struct EndpointShape {
    /// How a response's body is read.
    enum Reading: Equatable {
        case none, text, bytes, file
        case json(Schema)
        /// The content of an envelope. The identifier is nil for the API's envelope, which many endpoints share.
        case envelope(Schema, of: ModelID?)
        case events(Schema)
        case lines(Schema)
    }

    /// What an endpoint returns.
    enum Reply {
        case one(Reading)
        /// A value, or nil for a status without content.
        case optional(Reading)
        /// A case for each group of statuses.
        case byStatus([StatusReading])

        /// The readings of all statuses.
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
        /// Whether it also applies to all successful statuses that the other groups do not list.
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
        /// Bytes that may not fit into memory.
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
    /// The member that the payload's members are nested in: `data` for a body of the form `{"data": {…}}`; nil if they
    /// are members of the body itself.
    var bodyMember: String?
    /// How a rejected response is read, if it does not contain the API's usual failure.
    var failure: Reading?
    var paging: Paging?
    /// The type's name.
    var name = ""
    /// The name of its base; nil if it is the API's main base.
    var base: String?
    /// How its base writes lists.
    var lists = Base.Lists.repeated
    /// The value of the `Accept` header, if the response's Swift type does not request its media type.
    var accept: String?
    /// The value of the `Content-Type` header, if the body's Swift type does not imply it.
    var contentType: String?

    /// The thing that the endpoint is about, such as an issue.
    var noun: Words {
        EndpointName.noun(of: String(name.dropLast("Request".count)), isGet: endpoint.method == "GET")
    }
}

/// The uses of a type.
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

/// The form that a model takes in Swift.
struct TypeShape {
    /// The declaration or the file that a type is declared in.
    enum Owner: Hashable {
        /// The type has a file of its own, since it is used in several places.
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
    /// The member or the parameter that uses the type. A type without a name of its own is named after it.
    var hint = ""
    var isElement = false
    var name = ""
    /// Whether it is declared inside its owner, and not beside it.
    var isNested = false
    /// Whether it contains itself, other than in a list.
    var isIndirect = false
}
