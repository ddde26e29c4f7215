/// Gives each member or parameter that has a single legal value, and that need not be sent, an enum with one case:
///
///     var type: Kind?
///     enum Kind: String { case external }
///
/// The enum is called a choice, since the caller chooses whether to send the value. A value that is required needs no
/// choice: it is always sent.
struct OptionalConstants {
    /// An enum that has been created for a constant.
    struct Choice {
        let id: ModelID
        /// The enum, with the constant as its only value.
        let model: Model
        let uses: Uses
        /// The model or the endpoint that has the member or the parameter.
        let user: TypeOwner
        /// The name of the member or the parameter.
        let hint: String
    }

    /// The forms of the endpoints, with choices in place of constants.
    let endpoints: [EndpointForm]
    /// The models, with the choices, and with choices in place of constants.
    let models: Models
    let choices: [Choice]

    /// Replaces the optional constants in the endpoints and in the models that are sent.
    init(_ described: [EndpointForm], _ describedModels: Models, _ types: [ModelID: TypeUses]) {
        var endpoints = described
        var models = describedModels
        var choices: [Choice] = []
        for (id, type) in types where type.uses.isWritten {
            for (name, choice) in Self.choices(inModel: id, type, describedModels) {
                models[id]?.object?.members[name]?.schema.kind = .model(choice.id)
                choices.append(choice)
            }
        }
        for (index, form) in described.enumerated() {
            for (position, choice) in Self.choicesInParameters(of: form, index) {
                endpoints[index].endpoint.parameters[position].schema.kind = .model(choice.id)
                choices.append(choice)
            }
            guard case .members(var object, let mediaType) = form.payload else { continue }
            for (name, choice) in Self.choicesInBody(of: form, object, index, describedModels) {
                object.members[name]?.schema.kind = .model(choice.id)
                choices.append(choice)
            }
            endpoints[index].payload = .members(object, mediaType)
        }
        for choice in choices { models[choice.id] = choice.model }
        self.endpoints = endpoints
        self.models = models
        self.choices = choices
    }

    /// The choices for the optional constants of a model that is sent, with the names of the members.
    private static func choices(
        inModel id: ModelID, _ type: TypeUses, _ models: Models
    ) -> [(name: String, choice: Choice)] {
        let uses = type.uses.intersection([.decoded, .encoded, .parameter])
        return (models[id]?.object?.members.values.map(\.self) ?? []).compactMap { member in
            let choice = choice(of: member, id: "\(id)/\(member.name)", uses, user: .model(id))
            return choice.map { (member.name, $0) }
        }
    }

    /// The choices for the optional constants among an endpoint's parameters, with the positions of the parameters.
    private static func choicesInParameters(
        of form: EndpointForm, _ index: Int
    ) -> [(position: Int, choice: Choice)] {
        var choices: [(position: Int, choice: Choice)] = []
        for (position, parameter) in form.endpoint.parameters.enumerated() where !parameter.isRequired {
            let id = "\(index) \(parameter.location) \(parameter.name)"
            guard let model = parameter.schema.enumOfConstant else { continue }
            let choice = Choice(
                id: id, model: model, uses: .parameter, user: .endpoint(index), hint: parameter.name)
            choices.append((position, choice))
        }
        return choices
    }

    /// The choices for the optional constants of an endpoint's body whose members are properties of the endpoint, with
    /// the names of the members.
    private static func choicesInBody(
        of form: EndpointForm, _ body: Object, _ index: Int, _ models: Models
    ) -> [(name: String, choice: Choice)] {
        let sent = body.members.values.filter { !$0.isReadOnly }
        return sent.compactMap { member in
            let uses: Uses = form.isJSONPart(member, in: models) ? [.encoded, .body] : .parameter
            let choice = choice(of: member, id: "\(index) body \(member.name)", uses, user: .endpoint(index))
            return choice.map { (member.name, $0) }
        }
    }

    /// The choice for the only value of a member; nil if the member has several values or is always sent.
    private static func choice(of member: Object.Member, id: ModelID, _ uses: Uses, user: TypeOwner) -> Choice? {
        if member.isAlwaysThere { return nil }
        guard let model = member.schema.enumOfConstant else { return nil }
        return Choice(id: id, model: model, uses: uses, user: user, hint: member.name)
    }
}

extension Schema {
    /// An enum of the only text or number that the schema allows; nil for other schemas.
    fileprivate var enumOfConstant: Model? {
        switch kind {
        case .constant(let text): Model(kind: .texts([Text(value: text)]), place: place)
        case .fixed(let literal, let numbers) where numbers.isNumber:
            Model(kind: .numbers([Text(value: literal)], numbers), place: place)
        default: nil
        }
    }
}
