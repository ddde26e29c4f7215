/// Follows the schemas of endpoints and webhooks, and records what each model is used for, and by whom.
///
/// Each use has a hint: the name of the member or the parameter, such as `owner`, or a word such as `error`. A type
/// without a name in the description is named after its hint.
struct UseFinder {
    /// The models, with the generic model of pages.
    let models: Models
    /// The uses that have been found.
    private(set) var types: [ModelID: TypeUses] = [:]
    private let page: GenericPage?
    private let isCodable: Bool

    /// Finds the uses of all models.
    ///
    /// - Parameters:
    ///   - contents: The endpoints and webhooks.
    ///   - page: The generic model of pages, if it replaces others.
    ///   - isCodable: Whether models that are only read can also be encoded.
    init(_ contents: Contents, replacing page: GenericPage?, isCodable: Bool) {
        self.page = page
        self.isCodable = isCodable
        var models = contents.api.models
        if let page {
            models[GenericPage.id] = page.model
            // No use leads to the generic parameter.
            types[GenericPage.element] = TypeUses()
        }
        self.models = models
        followAll(of: contents)
    }

    /// Follows the schemas of all endpoints and webhooks. The payload of a webhook is read like a response.
    private mutating func followAll(of contents: Contents) {
        if let failure = contents.failure {
            follow(failure, [.decoded, .response, .failure], user: .api, hint: "error")
        }
        for (index, form) in contents.endpoints.enumerated() {
            let user = TypeOwner.endpoint(index)
            for parameter in form.endpoint.parameters {
                follow(parameter.schema, .parameter, user: user, hint: parameter.name)
            }
            followBody(of: form, user: user)
            followReply(of: form, user: user)
            if let failure = form.failure { followReading(failure, user: user, hint: "failure") }
        }
        for (index, webhook) in contents.webhooks.enumerated() {
            follow(webhook.schema, [.decoded, .response], user: .webhook(index), hint: webhook.name)
        }
    }

    /// Records the use of an enum that has been created for a constant.
    mutating func record(_ choice: OptionalConstants.Choice) {
        recordUse(of: choice.id, choice.uses, user: choice.user, hint: choice.hint, isElement: false)
    }

    // MARK: - Endpoints

    /// Records the uses of the models in an endpoint's body.
    ///
    /// If the members of the body are properties of the endpoint, their values are written as parameters, even if the
    /// body is JSON. An encoder only writes a body that is a single JSON value, and a JSON part of a multipart form.
    private mutating func followBody(of form: EndpointForm, user: TypeOwner) {
        switch form.payload {
        case .members(let object, _):
            for member in object.members(for: .parameter, isCodable: isCodable) {
                let uses: Uses = form.isJSONPart(member, in: models) ? [.encoded, .body] : .parameter
                follow(member.schema, uses, user: user, hint: member.name)
            }
        case .value(let schema, _):
            follow(schema, [.encoded, .body], user: user, hint: "body")
        case .none, .bytes, .file, .text:
            break
        }
    }

    /// Records the uses of the models in an endpoint's successful responses.
    private mutating func followReply(of form: EndpointForm, user: TypeOwner) {
        switch form.reply {
        case .one(let reading), .optional(let reading):
            followReading(reading, user: user, hint: "response")
        case .byStatus(let groups):
            for group in groups { followReading(group.reading, user: user, hint: group.name) }
        }
    }

    /// Records the uses of the models in the body of a response.
    ///
    /// - Parameters:
    ///   - reading: How the body is read.
    ///   - user: The endpoint.
    ///   - hint: The name for a type that has none in the description.
    private mutating func followReading(_ reading: EndpointForm.Reading, user: TypeOwner, hint: String) {
        switch reading {
        case .json(let schema), .envelope(let schema, of: nil):
            // The API's envelope, which many endpoints share, is a generic type that is written once. Only its content
            // is used here.
            follow(schema, [.decoded, .response], user: user, hint: hint)
        case .envelope(let schema, of: let envelope?):
            // The endpoint's own envelope is a type inside the endpoint. Its content is named after its only member.
            types[envelope] = TypeUses(uses: [.decoded, .envelope], users: [user])
            let members = models[envelope]?.object?.members(for: .decoded, isCodable: isCodable) ?? []
            follow(schema, [.decoded, .response], user: user, hint: members.first?.name ?? hint)
        case .events(let schema):
            follow(schema, [.decoded, .event], user: user, hint: "event")
        case .lines(let schema):
            follow(schema, [.decoded, .response], user: user, hint: "line")
        case .none, .text, .bytes, .file:
            break
        }
    }

    // MARK: - Models

    /// Records the uses of the models in a schema, at any depth.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - uses: The uses of its values.
    ///   - user: The model or the endpoint that uses them.
    ///   - hint: The name of the member or the parameter that uses them.
    ///   - isElement: Whether they are elements of a list or a dictionary.
    private mutating func follow(
        _ schema: Schema, _ uses: Uses, user: TypeOwner, hint: String, isElement: Bool = false
    ) {
        switch schema.kind {
        case .list(let inner), .dictionary(let inner):
            follow(inner, uses, user: user, hint: hint, isElement: true)
        case .model(let id):
            if let element = page?.elements[id] {
                followPage(of: element, uses, user: user, hint: hint, at: schema.place)
            } else if let model = models[id] {
                let hasNewUses = recordUse(of: id, uses, user: user, hint: hint, isElement: isElement)
                // Without new uses, the members have been followed before. This also ends the recursion.
                if hasNewUses { followMembers(of: model, id) }
            }
        default:
            break
        }
    }

    /// Records the uses of a page of elements. Only responses have pages.
    ///
    /// The response is the API's generic type of pages, which the API uses. The endpoint uses the elements, which are
    /// read as a part of the response.
    private mutating func followPage(of element: Schema, _ uses: Uses, user: TypeOwner, hint: String, at place: Place) {
        let genericPage = Schema(.model(GenericPage.id), place: place)
        follow(genericPage, [.decoded, .response], user: .api, hint: hint)
        follow(element, uses.subtracting(.response), user: user, hint: hint, isElement: true)
    }

    /// Adds uses, a user and a hint to the type of a model.
    ///
    /// - Parameters:
    ///   - id: The model.
    ///   - uses: The uses of its values.
    ///   - user: The model or the endpoint that uses them.
    ///   - hint: The name for a type that has none in the description: that of the member, such as `items`.
    ///   - isElement: Whether the values are elements of a list, so that this hint has to be put in the singular.
    /// - Returns: Whether one of the uses is new.
    @discardableResult
    private mutating func recordUse(
        of id: ModelID, _ uses: Uses, user: TypeOwner, hint: String, isElement: Bool
    ) -> Bool {
        var type = types[id] ?? TypeUses()
        let hasNewUses = !uses.isSubset(of: type.uses)
        type.uses.formUnion(uses)
        type.users.insert(user)
        // The first hint in alphabetical order is kept, so that the order of the description does not matter.
        if type.hint.isEmpty || hint < type.hint {
            type.hint = hint
            type.isElement = isElement
        }
        types[id] = type
        return hasNewUses
    }

    /// Records the uses of the models in a model's members or variants.
    ///
    /// They inherit how values are read and written, but not what the model as a whole is: a member of a response is
    /// not a response itself.
    private mutating func followMembers(of model: Model, _ id: ModelID) {
        let uses = types[id]?.uses ?? []
        let inherited = uses.intersection([.decoded, .encoded, .parameter])
        for (name, schema) in model.schemas where isUsed(name, of: model, for: inherited) {
            follow(schema, inherited, user: .model(id), hint: name)
        }
    }

    /// Whether a member exists for some uses: `readOnly` members are not sent, and `writeOnly` members are not read. A
    /// model that is both read and sent has all members. The variants of a union exist for all uses.
    private func isUsed(_ name: String, of model: Model, for uses: Uses) -> Bool {
        guard let member = model.object?.members[name] else { return true }
        if uses.isRead && uses.isWritten { return true }
        return uses.isRead ? !member.isWriteOnly : !member.isReadOnly
    }
}
