import OpenAPIRules

extension OperationReader {
    /// The bodies that an operation may have.
    struct Bodies {
        /// The body; nil if there is none.
        var main: Body?
        /// A multipart form that may be sent instead, if only the form has files.
        var upload: Body?
    }

    /// Reads the bodies of the request. Of several media types, one is chosen, and the others are left out with a note,
    /// apart from a form that is the only one to have files.
    func bodies() throws -> Bodies {
        guard let reference = element.child("requestBody") else { return Bodies() }
        let requestBody = try schemas.target(of: reference)
        let contents = try requestBody.members("content")
        guard let best = contents.min(by: { rank($0.name) < rank($1.name) }) else { return Bodies() }
        let main = try body(best.name, best.value, of: requestBody)
        var bodies = Bodies(main: main)
        if MediaType(best.name) == .json, let form = contents.first(where: { MediaType($0.name) == .multipart }) {
            do {
                bodies.upload = try upload(form.name, form.value, of: requestBody, insteadOf: main)
            } catch let error as DescriptionError where error.isBrokenReference {
                // JSON can be sent without the form.
                schemas.note(.skipped, "a form beside a body in JSON: \(exact: error.message)", at: error.place)
            }
        }
        for other in contents where other.name != best.name && other.name != bodies.upload?.mediaType {
            // Frameworks describe a body in JSON with all of these types, and servers accept any of them.
            let areBothGeneral = MediaType.isGeneralJSON(best.name) && MediaType.isGeneralJSON(other.name)
            if areBothGeneral { continue }
            let text: NoteText = "the body is sent as \(exact: best.name), not as \(exact: other.name)"
            schemas.note(.simplified, text, at: other.value.place)
        }
        return bodies
    }

    /// Reads a body with one of its media types.
    private func body(_ mediaType: String, _ content: Element, of requestBody: Element) throws -> Body {
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

    // MARK: - Files

    /// Reads a multipart form that has files. Nil if it has no file, or if the body in JSON has a member for each file:
    /// then the body in JSON can send everything that the form can.
    ///
    /// If the form is a union of objects, its fields are those of all of them. The caller chooses which ones to send.
    private func upload(
        _ mediaType: String, _ content: Element, of requestBody: Element, insteadOf json: Body
    ) throws -> Body? {
        let schema = try schemas.schema(content.child("schema"), or: .any, at: content.place)
        guard let form = form(of: schema) else { return nil }
        let membersInJSON = self.form(of: json.schema)?.object.members ?? [:]
        let hasFiles = form.object.members.values.contains {
            $0.schema.core.isBytes && membersInJSON[$0.name] == nil
        }
        guard hasFiles else { return nil }
        var upload = try body(mediaType, content, of: requestBody)
        noteMixedMembers(of: form, content)
        let isUnion = schemas.model(schema.kind)?.object == nil
        if isUnion, let id = schema.modelID {
            // The union stays as it is for its other users, so its fields become a model of their own.
            let model = Model(kind: .object(form.object), place: content.place)
            // The ending makes the identifier different from that of the union.
            upload.schema.kind = schemas.add(model, id: "\(id)<upload>")
        }
        return upload
    }

    /// The fields of a form.
    private struct Form {
        /// The object whose members they are.
        var object: Object
        /// The names of the members that have several kinds of values.
        var mixedMembers: Set<String> = []
    }

    /// The fields of a form. For a union of objects, they are the members of all of them, and required are those that
    /// each of them requires; a member with several kinds of values is any JSON. Nil for other values.
    private func form(of schema: Schema) -> Form? {
        guard let model = schemas.model(schema.kind) else { return nil }
        if let object = model.object { return Form(object: object) }
        let objects = model.variants.compactMap { schemas.model($0.schema.kind)?.object }
        guard let first = objects.first, objects.count == model.variants.count else { return nil }
        var form = Form(object: first)
        for object in objects.dropFirst() {
            for (name, member) in object.members {
                guard let known = form.object.members[name] else {
                    form.object.members[name] = member
                    continue
                }
                if known.schema != member.schema {
                    form.object.members[name]?.schema.kind = .any
                    form.mixedMembers.insert(name)
                }
            }
        }
        for name in form.object.members.keys {
            let isAlwaysRequired = objects.allSatisfy { $0.members[name]?.isRequired == true }
            form.object.members[name]?.isRequired = isAlwaysRequired
        }
        return form
    }

    /// Adds notes for the members of a form that are any JSON, since they have several kinds of values.
    private func noteMixedMembers(of form: Form, _ content: Element) {
        for name in form.mixedMembers.sorted() {
            // A name from a referenced file is not quoted.
            let isInSameFile = form.object.members[name]?.schema.place.file == content.place.file
            let member = isInSameFile ? "form member \(name)" : "a form member"
            schemas.note(.simplified, "\(member) has several kinds of values and is any JSON", at: content.place)
        }
    }

    // MARK: - Media types

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
        if (try? encoding.flag("allowReserved")) == true {
            let text: NoteText = "form member \(member) is percent-encoded, although allowReserved says otherwise"
            schemas.note(.simplified, text, at: encoding.place)
        }
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
