/// The form that an endpoint, one operation of the API, takes in Swift: what its request type sends and returns.
struct EndpointForm {
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

        /// Whether there is a case for each group of statuses.
        var isByStatus: Bool {
            if case .byStatus = self { true } else { false }
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

    /// The endpoint as the source describes it.
    var endpoint: Endpoint
    var reply: Reply
    var payload: Payload
    /// The member that the payload's members are nested in: `data` for a body of the form `{"data": {…}}`; nil if they
    /// are members of the body itself.
    let bodyMember: String?
    /// How a rejected response is read, if it does not contain the API's usual failure.
    let failure: Reading?
    var paging: Paging?
    /// The value of the `Accept` header, if the response's Swift type does not request its media type.
    let accept: String?
    /// The value of the `Content-Type` header, if the body's Swift type does not imply it.
    let contentType: String?
}

extension EndpointForm {
    /// Whether the endpoint changes something that exists.
    var isUpdate: Bool { ["PATCH", "PUT"].contains(endpoint.method) }

    /// The model of the whole response; nil if the response is something else or may be null.
    var responseModel: ModelID? {
        guard case .one(.json(let schema)) = reply, !schema.isNullable else { return nil }
        return schema.modelID
    }

    /// The schemas of all values that the endpoint sends and receives: its parameters, its body, its response and its
    /// failure.
    var schemas: [Schema] {
        var schemas = endpoint.parameters.map(\.schema)
        switch payload {
        case .members(let object, _): schemas += object.members.values.map(\.schema)
        case .value(let schema, _): schemas.append(schema)
        case .none, .bytes, .file, .text: break
        }
        // Readings without a schema are texts, bytes, or nothing.
        schemas += reply.readings.compactMap(\.schema)
        if let failure = failure?.schema { schemas.append(failure) }
        return schemas
    }

    /// Whether the property for a member of the body has to be a `Patch`, which can send null, since an Optional that
    /// is nil is not sent. A JSON part of a form is never a `Patch`, whatever the result.
    func needsPatch(_ member: Object.Member) -> Bool {
        // `JSONValue` has a case for null.
        let canBeNull = member.schema.isNullable && !member.schema.isAny
        // In an update, null and an absent member differ: null removes the value.
        let nullHasMeaning = isUpdate || member.isRequired
        return canBeNull && nullHasMeaning
    }

    /// Whether a member is sent as a JSON part of a multipart form: if the description says so, or by default if it is
    /// an object (OpenAPI 3.1, 4.8.15).
    func isJSONPart(_ member: Object.Member, in models: Models) -> Bool {
        guard case .members(_, .multipart) = payload else { return false }
        guard let style = endpoint.body?.styles[member.name] else { return models.holdsObjects(member.schema) }
        if case .json = style { return true }
        return false
    }
}

extension EndpointForm.Reading {
    /// Whether nothing is read.
    var isNone: Bool { self == .none }

    /// Whether it is in the API's envelope.
    var isEnvelope: Bool {
        if case .envelope(_, of: nil) = self { true } else { false }
    }

    /// The schema of the values that are read; nil if they are not JSON.
    var schema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema, _), .events(let schema), .lines(let schema): schema
        case .none, .text, .bytes, .file: nil
        }
    }
}
