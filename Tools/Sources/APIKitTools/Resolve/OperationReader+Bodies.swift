extension OperationReader {
    /// Reads the body of the request; nil if there is none. If it can be sent as one of several media types, the others
    /// are left out with a note.
    func body() throws -> Body? {
        guard let reference = element.child("requestBody") else { return nil }
        let requestBody = try schemas.target(of: reference)
        let contents = try requestBody.members("content")
        guard let best = contents.min(by: { rank($0.name) < rank($1.name) }) else { return nil }
        for other in contents where other.name != best.name {
            schemas.note(.simplified, "the body is sent as \(best.name), not as \(other.name)", at: other.value.place)
        }
        let isStructured = rank(best.name) < Self.otherRank
        let schema = try schemas.schema(
            best.value.child("schema"), or: isStructured ? .any : .bytes, at: best.value.place)
        var body = Body(
            mediaType: best.name, schema: schema, isRequired: try requestBody.flag("required"),
            place: requestBody.place)
        for (name, encoding) in try best.value.members("encoding") {
            try addStyle(of: name, encoding, to: &body)
        }
        if MediaType(body.mediaType) == .form { explodeObjects(in: &body) }
        return body
    }

    /// The preference among several media types of a body: the one with the lowest rank is sent.
    private func rank(_ mediaType: String) -> Int {
        switch MediaType(mediaType) {
        case .json: 0
        case .multipart: 1
        case .form: 2
        default: Self.otherRank
        }
    }

    private static let otherRank = 3

    // MARK: - Forms

    /// Adds the style of a form's field, if its encoding describes one, to ``Body/styles``.
    private func addStyle(of member: String, _ encoding: Element, to body: inout Body) throws {
        let isJSON = encoding.prose("contentType")?.contains("json") == true
        if isJSON { body.styles[member] = .json }
        // In a multipart form, JSON is a part of its own, which is generated with its type, and which has no style.
        let isPartInJSON = isJSON && MediaType(body.mediaType) != .form
        if isPartInJSON { return }
        if isJSON { schemas.note(.simplified, "form member \(member) is a String in JSON", at: encoding.place) }
        if encoding.child("style") != nil { body.styles[member] = try style(of: encoding) }
    }

    /// Replaces objects in a form by their members, if the description gives them the style `form` with `explode`: that
    /// style sends each member of an object as a field of its own, without the object's name (OpenAPI 3.1, 4.8.12.3).
    ///
    /// The changed form becomes a new model, since the description may use the original one elsewhere.
    private func explodeObjects(in body: inout Body) {
        guard case .model(let id) = body.schema.kind, var model = schemas.models[id], var form = model.object else {
            return
        }
        var isChanged = false
        for name in body.styles.keys.sorted() {
            // `repeated` is the style `form` with `explode`.
            guard case .repeated? = body.styles[name], let member = form.members[name] else { continue }
            guard let object = schemas.model(member.schema.kind)?.object else { continue }
            form.members[name] = nil
            body.styles[name] = nil
            addMembers(of: object, isAlwaysSent: member.isRequired, to: &form)
            let names = object.members.keys.sorted().joined(separator: ", ")
            schemas.note(.simplified, "form member \(name) is sent as its members \(names)", at: member.schema.place)
            isChanged = true
        }
        guard isChanged else { return }
        model.kind = .object(form)
        body.schema.kind = schemas.add(model, id: "\(id)<form>")
    }

    /// Adds the members of an object to a form. The form's own members take precedence. The added members can only be
    /// required if the object itself is always sent.
    private func addMembers(of object: Object, isAlwaysSent: Bool, to form: inout Object) {
        for var member in object.members.values where form.members[member.name] == nil {
            member.isRequired = member.isRequired && isAlwaysSent
            form.members[member.name] = member
        }
    }
}
