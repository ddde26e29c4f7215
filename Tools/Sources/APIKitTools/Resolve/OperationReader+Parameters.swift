import OpenAPIRules

extension OperationReader {
    /// The maximum number of parameters of an operation. Each is compared with all others, so the time grows with the
    /// square of the number. Real operations have far fewer.
    private static let maximumParameters = 500

    /// Finds the parameters of the operation, also those that it inherits from its path item. An inherited one is left
    /// out if the operation describes a parameter of the same name and location. The operation's own come last.
    ///
    /// - Throws: ``DescriptionError`` if a reference leads nowhere, or if there are too many parameters.
    func parameterElements(path: String) throws -> [Element] {
        let own = try (element.list("parameters") ?? []).map(schemas.target)
        let inherited = try (item.list("parameters") ?? []).map(schemas.target)
        // Each name in the path becomes a parameter too, also if it is not described.
        let count = max(own.count + inherited.count, Endpoint.names(in: path).count)
        guard count <= Self.maximumParameters else {
            throw element.error("there are \(count) parameters")
        }
        let ownKeys = Set(own.map { ParameterKey(of: $0.node) })
        return inherited.filter { !ownKeys.contains(ParameterKey(of: $0.node)) } + own
    }

    /// Reads the parameters that a request sends: the items of a query in the path, as in `/search?type=user`, then the
    /// described parameters, and a text for each placeholder in the path, such as `{id}`, that has no description. If
    /// several have the same name and location, the last one counts.
    func parameters(describedBy elements: [Element], of key: PathKey) throws -> [Parameter] {
        var parameters = key.query.map { parameter(for: $0) }
        for element in elements {
            guard let described = try parameter(element, path: key.path) else { continue }
            for sent in sentParameters(for: described) {
                parameters.removeAll { $0.name == sent.name && $0.location == sent.location }
                parameters.append(sent)
            }
        }
        return parameters + undescribedParameters(in: key.path, besides: parameters)
    }

    /// A parameter for an item in the query of a path. `/search?type=code` always sends `code`; for
    /// `/search?type={type}` the caller gives the text.
    private func parameter(for item: QueryItem) -> Parameter {
        let isGivenByCaller = item.text.hasPrefix("{")
        let schema = Schema(isGivenByCaller ? .string : .constant(item.text), place: element.place)
        return Parameter(name: item.name, location: .query, isRequired: true, schema: schema, place: element.place)
    }

    /// Creates a text parameter for each placeholder in a path, such as `{id}`, that none of the given parameters
    /// describes, with a note. A placeholder that appears twice gives one parameter.
    private func undescribedParameters(in path: String, besides parameters: [Parameter]) -> [Parameter] {
        var knownNames = Set(parameters.filter { $0.location == .path }.map(\.name))
        var undescribed: [Parameter] = []
        for name in Endpoint.names(in: path) {
            let isNew = knownNames.insert(name).inserted
            guard isNew else { continue }
            schemas.note(.simplified, "path parameter \(name) is not described: a text", at: element.place)
            let text = Schema(.string, place: element.place)
            undescribed.append(
                Parameter(name: name, location: .path, isRequired: true, schema: text, place: element.place))
        }
        return undescribed
    }

    // MARK: - One parameter

    /// Reads a parameter as it is described; returns nil if nothing is generated for it.
    private func parameter(_ element: Element, path: String) throws -> Parameter? {
        guard let name = try element.text("name"), let locationName = try element.text("in") else {
            throw element.error("a parameter needs a name and a place in the request")
        }
        guard let location = location(locationName, of: name, element, path: path) else { return nil }
        let contents = try element.members("content")
        if contents.count > 1 {
            schemas.note(.simplified, "parameter \(name) has only the first of several media types", at: element.place)
        }
        let content = contents.first?.value
        let schemaElement = content?.child("schema") ?? element.child("schema")
        var parameter = Parameter(
            name: name, location: location, isRequired: try location == .path || element.flag("required"),
            schema: try schema(schemaElement, of: element, name: name), place: element.place)
        if parameter.hasNameOfPageSize { parameter.schema.kind = schemas.kindOfPageSize(parameter.schema.kind) }
        // Only a page size has an initial value.
        parameter.initialValue = initialPageSize(of: parameter, schemaElement)
        parameter.startsAtZero = startsAtZero(parameter, schemaElement)
        parameter.allowsUUID = try allowsUUID(schemaElement)
        if location == .header { parameter.onlyValue = try onlyValue(schemaElement) }
        if content != nil {
            // A parameter with `content` has no style: its value is a text of that media type, which is JSON.
            parameter.style = .json
        } else if location == .path {
            parameter.pathStyle = try pathStyle(of: element)
        } else {
            parameter.style = try style(of: element)
        }
        let allowsReserved = try element.flag("allowReserved")
        parameter.keepsSlashes = try element.flag("x-multi-segment") || allowsReserved
        if allowsReserved, location == .query {
            let text: NoteText = "query parameter \(name) is percent-encoded, although allowReserved says otherwise"
            schemas.note(.simplified, text, at: element.place)
        }
        return parameter
    }

    /// The query parameters that only format the response for human readers.
    private static let formattingParameters = ["opt_pretty", "pretty", "prettyPrint"]

    /// Where a parameter is sent; nil if it is left out.
    ///
    /// Parameters that cannot be sent, or that only affect the formatting of the response, are left out with a note.
    /// Headers that OpenAPI ignores are left out without one, except for an `Accept` that selects a version.
    private func location(
        _ locationName: String, of name: String, _ element: Element, path: String
    ) -> Parameter.Location? {
        switch ParameterLocation(locationName) {
        case .cookie, .other:
            schemas.note(.skipped, "\(exact: locationName) parameter \(name)", at: element.place)
            return nil
        case .header:
            if ParameterKey(location: .header, name: name).isIgnored {
                noteVersion(inHeader: name, element)
                return nil
            }
            if Self.isToken(name) { return .header }
            // A request with that header could not be sent.
            schemas.note(.skipped, "header parameter \(name), which is not a valid name", at: element.place)
            return nil
        case .query:
            guard Self.formattingParameters.contains(name) else { return .query }
            schemas.note(.skipped, "query parameter \(name), which only adds spaces", at: element.place)
            return nil
        case .path:
            if Endpoint.names(in: path).contains(name) { return .path }
            schemas.note(.skipped, "path parameter \(name), which the path does not have", at: element.place)
            return nil
        }
    }

    /// Adds a note about an `Accept` that names a media type of the API's own, such as
    /// `application/vnd.shop+json;version=2`. The code sends the types of the responses, which lack that version.
    private func noteVersion(inHeader name: String, _ element: Element) {
        guard name.lowercased() == "accept", let value = try? onlyValue(element.child("schema")) else { return }
        guard value.contains("vnd.") else { return }
        let text: NoteText = "header parameter Accept: add \(value) to the headers of the base to send it"
        schemas.note(.skipped, text, at: element.place)
    }

    /// Whether a text can be the name of a header (RFC 9110, 5.6.2).
    private static func isToken(_ name: String) -> Bool {
        let signs = "!#$%&'*+-.^_`|~"
        return !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) }
    }

    /// Reads the schema of a parameter; without one, the values are texts. If the values are names of members of the
    /// response, as in `fields=id,owner.name`, they become any texts. The description of the parameter takes precedence
    /// over that of its schema.
    private func schema(_ schemaElement: Element?, of element: Element, name: String) throws -> Schema {
        var schema = try schemas.schema(schemaElement, or: .string, at: element.place)
        if case .list(let inner) = schema.kind, schemas.isPlain(inner.kind) {
            // The values select members of the response, such as `owner.name`. A description rarely lists all names
            // that a server accepts, so an enum of them would be too narrow.
            let selectsMembers = name.hasSuffix("fields") || schemas.hasPathsOfMembers(inner.kind)
            if selectsMembers { schema.kind = .list(Schema(.string, place: inner.place)) }
        }
        schema.documentation = element.prose("description") ?? schema.documentation
        schema.isDeprecated = try element.flag("deprecated") || schema.isDeprecated
        return schema
    }

    /// The default size of a page; nil if the parameter is not a page size. It becomes the property's initial value, so
    /// that the generated code shows how many items a page has.
    private func initialPageSize(of parameter: Parameter, _ schemaElement: Element?) -> Node? {
        guard parameter.isPageSize, let defaultValue = schemaElement?.child("default")?.node else { return nil }
        // A default value that its Swift type cannot represent is left out.
        guard case .number(let text) = defaultValue.content, let number = Int(text) else { return nil }
        if case .integer(let type) = parameter.schema.kind, type.isUnsigned, number < 0 { return nil }
        return defaultValue
    }

    /// Whether the lowest value of a number, such as that of a page, is 0. Its default value decides, or else its
    /// minimum or its description. Pages are numbered from 0 in some frameworks, and from 1 in others.
    private func startsAtZero(_ parameter: Parameter, _ schemaElement: Element?) -> Bool {
        guard case .integer = parameter.schema.kind else { return false }
        if let defaultValue = schemaElement?.child("default")?.node.text { return defaultValue == "0" }
        if schemaElement?.child("minimum")?.node.text == "0" { return true }
        let phrases = /\b(zero|0)[ -](based|indexed)|\b(starts?|starting|begins?|beginning) (at|from|with) (zero|0)\b/
        // Nothing more is read of a long text than its beginning.
        let documentation = parameter.schema.documentation?.prefix(1_000) ?? ""
        return documentation.firstMatch(of: phrases.ignoresCase()) != nil
    }

    /// The value of a header, if the description names only one:
    ///
    ///     enum: ["2024-01-01"]         the only value of an enum
    ///     const: "2024-01-01"          a constant
    ///     default: "2024-01-01"        a default value, if there is neither an enum nor a constant
    ///
    /// Nil if there is none, or if it is not a text, a number or a Boolean.
    private func onlyValue(_ schemaElement: Element?) throws -> String? {
        guard let schemaElement else { return nil }
        let schema = try schemas.target(of: schemaElement)
        if let values = try schema.list("enum") { return values.count == 1 ? values[0].node.text : nil }
        if let constant = schema.child("const") { return constant.node.text }
        // OpenAPI 3.1 allows a default value beside a reference.
        let defaultValue = schemaElement.child("default") ?? schema.child("default")
        return defaultValue?.node.text
    }

    private static let lengthOfUUID = 36

    /// Whether the description's limits on the values allow a UUID, which is the default for an idempotency key. With a
    /// `pattern`, that is unknown, and the result is false.
    private func allowsUUID(_ schemaElement: Element?) throws -> Bool {
        guard let limits = try schemaElement.map(schemas.target) else { return true }
        if limits.has("pattern") { return false }
        guard case .number(let text)? = limits.child("maxLength")?.node.content, let length = Int(text) else {
            return true
        }
        return length >= Self.lengthOfUUID
    }
}

extension Node {
    /// A text, a number or a Boolean as text; nil for null, lists and objects.
    fileprivate var text: String? {
        switch content {
        case .text(let text): text
        case .number(let number): number
        case .boolean(let flag): "\(flag)"
        case .null, .list, .object: nil
        }
    }
}
