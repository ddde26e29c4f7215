extension OperationReader {
    /// Reads the body of the request; nil if there is none.
    func body() throws -> Body? {
        guard let reference = element.child("requestBody") else { return nil }
        let requestBody = try schemas.target(of: reference)
        guard let (mediaType, content) = try chosenContent(of: requestBody) else { return nil }
        // JSON or a form without a schema may have any members. All that is known of other media types is the bytes.
        let isStructured = isStructured(mediaType)
        let usualKind: Schema.Kind = isStructured ? .any : .bytes
        let schema = try schemas.schema(content.child("schema"), or: usualKind, at: content.place)
        var body = Body(
            mediaType: mediaType, schema: schema, isRequired: try requestBody.flag("required"),
            place: requestBody.place)
        if !isStructured, schema.holdsModels {
            let text: NoteText = "a body in \(exact: mediaType) is bytes or a text, without its members"
            schemas.note(.simplified, text, at: content.place)
        }
        for (name, encoding) in try content.members("encoding") {
            try addStyle(of: name, encoding, to: &body)
            noteIgnoredParts(of: name, encoding)
        }
        if MediaType(mediaType) == .form { explodeObjects(in: &body) }
        return body
    }

    /// Chooses the media type that a body is sent as, with its content: JSON before forms, and forms before the rest.
    /// The other media types are left out with a note. Nil if there is none.
    private func chosenContent(of requestBody: Element) throws -> (mediaType: String, content: Element)? {
        let contents = try requestBody.members("content")
        guard let best = contents.min(by: { rank($0.name) < rank($1.name) }) else { return nil }
        for other in contents where other.name != best.name {
            // Frameworks describe a body in JSON with all of these types, and servers accept any of them.
            let areBothGeneral = MediaType.isGeneralJSON(best.name) && MediaType.isGeneralJSON(other.name)
            if areBothGeneral { continue }
            let text: NoteText = "the body is sent as \(exact: best.name), not as \(exact: other.name)"
            schemas.note(.simplified, text, at: other.value.place)
        }
        return (best.name, best.value)
    }

    /// The preference among several media types of a body, in the order of the cases: the first one is sent.
    private enum Rank: Comparable {
        /// A type for JSON, with its position among these types.
        case json(Int)
        case multipart
        case form
        case other
    }

    /// The rank of a media type among those that a body may have.
    private func rank(_ mediaType: String) -> Rank {
        switch MediaType(mediaType) {
        case .json: .json(MediaType.rankOfJSON(mediaType))
        case .multipart: .multipart
        case .form: .form
        default: .other
        }
    }

    /// Whether the members of a body are known, and not just its bytes.
    private func isStructured(_ mediaType: String) -> Bool {
        [.json, .multipart, .form].contains(MediaType(mediaType))
    }

    // MARK: - Forms

    /// Records in ``Body/styles`` how a form's field is written, if its encoding describes that.
    ///
    /// A field in JSON has the style `json`. In a multipart form, it is a part in JSON that is generated with its type.
    /// In any other form, the caller provides the JSON as a text, which a note says. A `style` of such a form takes
    /// precedence over JSON (OpenAPI 3.1, 4.8.15).
    private func addStyle(of member: String, _ encoding: Element, to body: inout Body) throws {
        let isJSON = encoding.prose("contentType")?.contains("json") == true
        if isJSON {
            body.styles[member] = .json
            let isPart = MediaType(body.mediaType) != .form
            if isPart { return }
            schemas.note(.simplified, "form member \(member) is a String in JSON", at: encoding.place)
        }
        let hasStyle = encoding.hasAny(of: "style", "explode")
        if hasStyle { body.styles[member] = try style(of: encoding) }
    }

    /// Adds notes for what an encoding says and the code does not do. The caller chooses the media type of a file.
    private func noteIgnoredParts(of member: String, _ encoding: Element) {
        if encoding.has("headers") {
            schemas.note(.skipped, "headers of the form member \(member)", at: encoding.place)
        }
        if let type = encoding.prose("contentType"), !type.contains("json") {
            schemas.note(.simplified, "form member \(member) has any media type, not only \(type)", at: encoding.place)
        }
    }

    /// Replaces objects in a form by their members if the description gives them the style `form` with `explode`. That
    /// style sends each member of an object as a field of its own, without the object's name (OpenAPI 3.1, 4.8.12.3):
    /// an object `place` with the member `city` is sent as `city=Rome`.
    ///
    /// The changed form becomes a new model, since the description may use the original one elsewhere.
    private func explodeObjects(in body: inout Body) {
        guard case .model(let id) = body.schema.kind, var model = schemas.models[id], var form = model.object else {
            return
        }
        var isChanged = false
        for name in body.styles.keys.sorted() {
            // `repeated` is the style `form` with `explode`.
            guard case .repeated? = body.styles[name] else { continue }
            let isReplaced = replaceObject(name, in: &form)
            if isReplaced {
                body.styles[name] = nil
                isChanged = true
            }
        }
        guard isChanged else { return }
        model.kind = .object(form)
        // The ending makes the identifier different from that of the original model.
        body.schema.kind = schemas.add(model, id: "\(id)<form>")
    }

    /// Replaces a member of a form by its own members, with a note, if it is an object. Returns whether it is one.
    private func replaceObject(_ name: String, in form: inout Object) -> Bool {
        guard let member = form.members[name], let object = schemas.model(member.schema.kind)?.object else {
            return false
        }
        form.members[name] = nil
        addMembers(of: object, isAlwaysSent: member.isRequired, to: &form)
        let names = object.members.keys.sorted().joined(separator: ", ")
        schemas.note(.simplified, "form member \(name) is sent as its members \(names)", at: member.schema.place)
        return true
    }

    /// Adds the members of an object to a form. The form's own members take precedence. If the form may be sent without
    /// the object, none of the added members is required.
    private func addMembers(of object: Object, isAlwaysSent: Bool, to form: inout Object) {
        for var member in object.members.values where form.members[member.name] == nil {
            member.isRequired = member.isRequired && isAlwaysSent
            form.members[member.name] = member
        }
    }
}
