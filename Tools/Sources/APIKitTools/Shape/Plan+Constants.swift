extension Plan {
    /// Gives each member or parameter that has a single legal value, and that need not be sent, an enum with one case:
    ///
    ///     var type: Kind?
    ///     enum Kind: String { case external }
    ///
    /// The enum is called a choice, since the caller chooses whether to send the value. A value that is required needs
    /// no choice: it is always sent.
    func findChoicesOfOptionalConstants() {
        for id in types.keys.sorted() where types[id]?.uses.isWritten == true {
            let uses = types[id]?.uses.intersection([.decoded, .encoded, .parameter]) ?? []
            for (name, member) in api.models[id]?.object?.members ?? [:] {
                guard let kind = choice(of: member, id: "\(id)/\(name)") else { continue }
                api.models[id]?.object?.members[name]?.schema.kind = kind
                // The uses of other models are known already, but the enum is new.
                follow(Schema(kind, place: member.schema.place), uses, user: .model(id), hint: name)
            }
        }
        for index in endpoints.indices {
            findChoicesInParameters(ofEndpoint: index)
            findChoicesInBody(ofEndpoint: index)
        }
    }

    /// Replaces the optional constants among an endpoint's parameters by enums.
    private func findChoicesInParameters(ofEndpoint index: Int) {
        for (position, parameter) in endpoints[index].endpoint.parameters.enumerated() where !parameter.isRequired {
            let id = "\(index) \(parameter.location) \(parameter.name)"
            guard let kind = choice(of: parameter.schema, id: id) else { continue }
            endpoints[index].endpoint.parameters[position].schema.kind = kind
            let schema = Schema(kind, place: parameter.schema.place)
            follow(schema, .parameter, user: .endpoint(index), hint: parameter.name)
        }
    }

    /// Replaces the optional constants in an endpoint's body by enums, if its members are properties of the endpoint.
    private func findChoicesInBody(ofEndpoint index: Int) {
        guard case .members(var object, let mediaType) = endpoints[index].payload else { return }
        for (name, member) in object.members where !member.isReadOnly {
            guard let kind = choice(of: member, id: "\(index) body \(name)") else { continue }
            object.members[name]?.schema.kind = kind
            let uses: Uses = isJSONPart(member, of: endpoints[index]) ? [.encoded, .body] : .parameter
            follow(Schema(kind, place: member.schema.place), uses, user: .endpoint(index), hint: name)
        }
        endpoints[index].payload = .members(object, mediaType)
    }

    /// Adds an enum for the only value of a member; nil if the member has several values or is always sent.
    private func choice(of member: Object.Member, id: ModelID) -> Schema.Kind? {
        let isAlwaysSent = member.isRequired && !member.schema.isNullable
        if isAlwaysSent { return nil }
        return choice(of: member.schema, id: id)
    }

    /// Adds an enum for the only text or number that a schema allows; nil for other schemas.
    private func choice(of schema: Schema, id: ModelID) -> Schema.Kind? {
        let kind: Model.Kind
        switch schema.kind {
        case .constant(let text): kind = .texts([Text(value: text)])
        case .fixed(let literal, let numbers) where numbers.isNumber:
            kind = .numbers([Text(value: literal)], numbers)
        default: return nil
        }
        api.models[id] = Model(kind: kind, place: schema.place)
        return .model(id)
    }
}
