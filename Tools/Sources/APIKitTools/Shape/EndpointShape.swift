/// The form that an endpoint, one operation of the API, takes in Swift: what its request type sends and returns.
struct EndpointShape {
    /// How a response's body is read.
    enum Reading: Equatable {
        /// The response has no body.
        case none
        case text
        /// Bytes in memory.
        case bytes
        /// Bytes that may not fit into memory.
        case file
        case json(Schema)
        /// The content of an envelope, an object such as `{"data": …}` around the values that the endpoint returns. The
        /// identifier is that of the envelope's model; nil for the API's envelope, which many endpoints share.
        case envelope(Schema, of: ModelID?)
        /// A stream of server-sent events, each with a value of the schema.
        case events(Schema)
        /// Newline-delimited JSON, with a value of the schema on each line.
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
        /// Bytes of the media type.
        case bytes(String)
        /// Bytes of the media type that may not fit into memory.
        case file(String)
        /// Text of the media type.
        case text(String)

        /// The members that are properties of the endpoint, in any order.
        var members: [Object.Member] {
            guard case .members(let object, _) = self else { return [] }
            return Array(object.members.values)
        }
    }

    /// The word at the end of the names of all endpoints' types.
    static let suffix = "Request"

    /// The endpoint as the source describes it.
    var endpoint: Endpoint
    var reply: Reply
    var payload: Payload
    /// The member that the payload's members are nested in: `data` for a body of the form `{"data": {…}}`; nil if they
    /// are members of the body itself.
    var bodyMember: String?
    /// How a rejected response is read, if it does not contain the API's usual failure.
    var failure: Reading?
    var paging: Paging?
    /// The type's name, such as `CreateIssueRequest`.
    var name = ""
    /// The name of its base; nil if it is the API's main base.
    var base: String?
    /// The value of the `Accept` header, if the response's Swift type does not request its media type.
    var accept: String?
    /// The value of the `Content-Type` header, if the body's Swift type does not imply it.
    var contentType: String?

    /// The type's name without its suffix: `CreateIssue` for `CreateIssueRequest`.
    var nameWithoutSuffix: String { String(name.dropLast(Self.suffix.count)) }

    /// The thing that the endpoint is about: `Issue` for `CreateIssueRequest`.
    var noun: Words { EndpointName.noun(of: nameWithoutSuffix, isGet: endpoint.method == "GET") }
}

/// What the values of a model's Swift type are used for. The uses decide the protocols that the type conforms to.
struct Uses: OptionSet {
    let rawValue: Int
    /// They are read from JSON.
    static let decoded = Uses(rawValue: 1)
    /// They are written as JSON by an encoder.
    static let encoded = Uses(rawValue: 2)
    /// They are written as parameters: in a path, a query or a form, or as members of a JSON body.
    static let parameter = Uses(rawValue: 4)
    /// A value is all of a response. The type conforms to `JSONResponse`.
    static let response = Uses(rawValue: 8)
    /// A value is all of a body. The type conforms to `JSONBody`.
    static let body = Uses(rawValue: 16)
    /// A value is an event of a stream.
    static let event = Uses(rawValue: 32)
    /// A value is what the API reports for a rejected request.
    static let failure = Uses(rawValue: 64)
    /// A value is the object around what an endpoint returns.
    static let envelope = Uses(rawValue: 128)

    /// Whether values are received from the API.
    var isRead: Bool { contains(.decoded) }

    /// Whether values can be written, by an encoder or as parameters.
    var isWritten: Bool { !isDisjoint(with: [.encoded, .parameter]) }
}

/// The form that a model, a type of the description, takes in Swift: its name, and where it is declared.
struct TypeShape {
    /// What a type is declared in: another type, or a file.
    enum Owner: Hashable {
        /// The type has a file of its own, since it is used in several places.
        case none
        /// It is declared inside the type of this model.
        case model(ModelID)
        /// It is declared in the file of the endpoint with this index.
        case endpoint(Int)
        /// It is declared in the file of the webhook with this index.
        case webhook(Int)
        /// It is declared in the file of the API's base.
        case api
    }

    var uses: Uses = []
    /// The models, endpoints and webhooks that use the type. Each of them could be its owner.
    var users: Set<Owner> = []
    var owner = Owner.none
    /// The name of the member or the parameter that uses the type. A type without a name in the description is named
    /// after it: `Owner` for the values of the member `owner`.
    var hint = ""
    /// Whether values are elements of a list or a dictionary, so that the hint has to be put in the singular: `Item`
    /// for the elements of the member `items`.
    var isElement = false
    var name = ""
    /// Whether it is declared inside its owner, and not beside it in the same file.
    var isNested = false
    /// Whether it is an enum that contains itself, other than in a list. Swift requires `indirect` for it.
    var isIndirect = false
}
