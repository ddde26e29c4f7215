import APIKitCore
import APIKitSupport
import APIKitTesting
import OpenAPIRules

/// Compares a request with the operation that describes it: its server, its parameters and its body.
struct RequestCheck {
    private let operation: Operation
    /// Whether the endpoint joins the elements of lists by commas.
    private let joinsLists: Bool
    private var problems: [APIDescription.Problem] = []

    /// The differences between an endpoint's request and its operation.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - request: The request that it creates.
    ///   - match: The operation with the request's method and path, and the values in that path.
    /// - Returns: A problem for each difference.
    static func problems(
        _ endpoint: some APIRequest, _ request: HTTPRequest, _ match: Operation.Match
    ) -> [APIDescription.Problem] {
        let joinsLists = endpoint.base.parameterStyle.lists == .commas
        var check = RequestCheck(operation: match.operation, joinsLists: joinsLists)
        if !match.hasServer {
            let message = "is sent to \(request.url.shown), and the description names other servers"
            check.problems.add(.unknownServer, "", message, match.operation.servers.pointer)
        }
        check.checkPath(match.values)
        check.checkQuery(of: request.url)
        check.checkHeaders(request.headers, endpointHeaders: endpoint.headers)
        check.checkBody(request.body, type: request.headers[.contentType].map(MIMEType.init(rawValue:)))
        return check.problems
    }

    // MARK: - Parameters

    private mutating func checkPath(_ values: [PathTemplate.Value]) {
        checkParameters(in: .path, values.map { QueryItem(name: $0.name, text: $0.text) })
    }

    /// Checks the described parameters of the query, and that all items of the query are described.
    private mutating func checkQuery(of url: URL) {
        let items = QueryItem.items(of: url.query(percentEncoded: true) ?? "")
        let remainingItems = checkParameters(in: .query, items)
        // Credentials are described as security schemes, and some descriptions write query items into their paths.
        let unknown = Set(remainingItems.map(\.name)).subtracting(operation.otherItems)
        addUnknown(.query, unknown.sorted())
    }

    /// Headers that need no description: HTTP defines them, or the description states them in another way, such as
    /// `Authorization` as a security scheme and `Content-Type` as a key of `content`.
    private static let standardHeaders: Set<HTTPHeaders.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl, .contentEncoding, .contentType,
        .cookie, .idempotencyKey, .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .lastEventID, .range, .userAgent,
    ]

    /// Checks the values of all described headers, and that the endpoint's own headers are described.
    ///
    /// The headers that the API's base adds to all of its requests need no description, since many descriptions leave
    /// them out.
    ///
    /// - Parameters:
    ///   - headers: All headers of the request.
    ///   - endpointHeaders: The headers that the endpoint itself adds.
    private mutating func checkHeaders(_ headers: HTTPHeaders, endpointHeaders: HTTPHeaders) {
        let fields = operation.parameters.filter { $0.key.location == .header }.map(\.field)
        var described = Self.standardHeaders
        var items: [QueryItem] = []
        for field in fields {
            let name = HTTPHeaders.Name(rawValue: field.name)
            described.insert(name)
            if let text = headers[name] { items.append(QueryItem(name: field.name, text: text)) }
        }
        checkParameters(in: .header, items)

        // Some credentials are sent in headers, which are described as security schemes.
        for name in operation.otherItems { described.insert(HTTPHeaders.Name(rawValue: name)) }
        let unknown = endpointHeaders.map(\.name).filter { !described.contains($0) }
        addUnknown(.header, unknown.map(\.rawValue))
    }

    /// Adds a problem for each name that the description does not have in a location, such as the query.
    private mutating func addUnknown(_ location: ParameterLocation, _ names: [String]) {
        let pointer = operation.definition.pointer
        for name in names {
            problems.add(.unknown, "\(location.name) \(name)", "is not in the description", pointer)
        }
    }

    /// Checks the values of the described parameters in one location, and that no required one is missing.
    ///
    /// - Parameters:
    ///   - location: The location.
    ///   - items: All names and values that the request sends in this location.
    /// - Returns: The items that do not belong to a described parameter.
    @discardableResult
    private mutating func checkParameters(in location: ParameterLocation, _ items: [QueryItem]) -> [QueryItem] {
        var remainingItems = items
        for parameter in operation.parameters where parameter.key.location == location {
            let field = parameter.field
            let member = "\(location.name) \(field.name)"
            if let reading = field.takeValue(from: &remainingItems, joinsLists: joinsLists) {
                addStyleProblem(of: reading, field, member)
                checkValue(reading.value, of: field, member)
            } else if field.definition.isTrue("required"), location != .path {
                // Values in the path are never missing: without them, the operation would not match the request.
                problems.add(.missing, member, "is required, and missing", field.definition.pointer)
            }
        }
        return remainingItems
    }

    /// Adds a problem if a value is sent in another style, such as joined with commas instead of repeated.
    private mutating func addStyleProblem(of reading: Field.Reading, _ field: Field, _ member: String) {
        guard let fault = reading.fault else { return }
        problems.add(.style, member, fault, field.definition.pointer)
    }

    /// Checks the value of a parameter against its schema.
    ///
    /// A parameter has a schema, or a `content` with one. Then its text is JSON.
    private mutating func checkValue(_ value: JSONValue, of field: Field, _ member: String) {
        if value.string == "", field.definition.isTrue("allowEmptyValue") { return }
        let place = Place.named(member)
        if let schema = field.schema {
            // Numbers and booleans in a query, a path or a header are written as texts.
            problems.add(SchemaCheck.problems(value, schema, at: place, .request, isText: true))
        } else if let text = value.string, let media = field.definition["content"]?["application/json"] {
            problems.add(media.problems(with: Data(text.utf8), media["schema"], at: place, .request))
        }
    }

    // MARK: - The body

    /// Checks that a body is sent if one is required, that it is described, and that it has a described content type.
    /// Then checks its contents.
    private mutating func checkBody(_ body: RequestBody?, type: MIMEType?) {
        let described = operation.definition["requestBody"]
        guard let body else {
            if let described, described.isTrue("required") {
                problems.add(.missing, "body", "is required, and missing", described.pointer)
            }
            return
        }
        guard let described else {
            problems.add(.unknown, "body", "is not in the description", operation.definition.pointer)
            return
        }
        // A description without `content` does not say what the body is, so any body fits.
        guard let content = described["content"] else { return }
        // A body without a content type matches the description of `*/*` only.
        let essence = type?.essence ?? ""
        if let media = content.media(essence) {
            checkContents(of: body, type: essence, media)
        } else {
            problems.add([content.unknownType(essence, "body")])
        }
    }

    /// Checks the contents of a body against its schema if it is a form or JSON. Bodies of other types are not checked,
    /// and neither are bodies that are not in memory, such as files.
    private mutating func checkContents(of body: RequestBody, type essence: String, _ media: Definition) {
        if let form = body.form {
            checkParts(of: form, media)
            return
        }
        guard let data = body.data else { return }
        if essence == MIMEType.formURLEncoded.essence {
            checkForm(QueryItem.items(of: String(decoding: data, as: UTF8.self)), media)
        } else if essence.isJSON {
            problems.add(media.problems(with: data, media["schema"], at: .named("body"), .request))
        }
    }

    /// Checks the parts of a multipart form: parts in JSON one by one, and all parts together as the fields of a form.
    private mutating func checkParts(of form: MultipartForm, _ media: Definition) {
        var fields: [QueryItem] = []
        for part in form.parts {
            if let text = Self.plainText(of: part) {
                fields.append(QueryItem(name: part.name, text: text))
            } else {
                let index = fields.count { $0.name == part.name }
                checkJSON(of: part, index: index, media)
                // The value of the part is checked above or not at all. As a field, it has the mask, which fits every
                // schema, so that it only counts as present.
                fields.append(QueryItem(name: part.name, text: Masking.mask))
            }
        }
        checkForm(fields, media)
    }

    /// The text of a part that has no content type of its own; nil for a file and for a body that is not in memory.
    private static func plainText(of part: MultipartForm.Part) -> String? {
        guard part.body.contentType == nil, part.filename == nil, let data = part.body.data else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Checks a part whose content type is JSON against the schema of its property; other parts are ignored.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - index: How many parts of the same name precede it.
    ///   - media: The description of the form.
    private mutating func checkJSON(of part: MultipartForm.Part, index: Int, _ media: Definition) {
        guard part.filename == nil, let data = part.body.data else { return }
        guard let type = part.body.contentType, type.essence.isJSON else { return }
        guard let property = media["schema"]?.property(part.name) else { return }
        let schema = Self.schema(ofPart: data, index: index, property)
        problems.add(media.problems(with: data, schema, at: .named("body.\(part.name)"), .request))
    }

    /// The schema for a JSON part of a form.
    ///
    /// If the property is a list, a form may send it as one part that holds the whole list, or as one part for each
    /// element.
    private static func schema(ofPart data: Data, index: Int, _ property: Definition) -> Definition {
        guard let element = property.element(at: index) else { return property }
        let isList = JSONValue(data)?.kind == "list"
        // A list is the whole value, unless the elements are lists themselves.
        let isWholeValue = isList && !element.kinds.contains("array")
        return isWholeValue ? property : element
    }

    /// Checks the fields of a form as the members of an object.
    ///
    /// Several fields can be parts of one member, such as `device[name]` and `device[model]` of `device`.
    private mutating func checkForm(_ fields: [QueryItem], _ media: Definition) {
        guard let schema = media["schema"] else { return }
        var remainingFields = fields
        var members: [JSONValue.Object.Member] = []
        // Each pass removes the first field and all others that belong to the same member.
        while let first = remainingFields.first {
            let field = describedField(of: first, schema, media)
            if let field, let reading = field.takeValue(from: &remainingFields, joinsLists: joinsLists) {
                addStyleProblem(of: reading, field, "body.\(field.name)")
                members.append((field.name, reading.value))
            } else {
                // The schema does not name the field. Of several fields of one name, the first one counts.
                members.append((first.name, .string(first.text)))
                remainingFields.removeAll { $0.name == first.name }
            }
        }
        problems.add(
            SchemaCheck.problems(.object(JSONValue.Object(members)), schema, at: .named("body"), .request, isText: true)
        )
    }

    /// The property of the schema that a field of a form belongs to, such as `device` for `device[name]` and
    /// `device.name`; nil if the schema has no such property.
    private func describedField(of item: QueryItem, _ schema: Definition, _ media: Definition) -> Field? {
        let nameBeforeKeys = String(item.name.prefix { $0 != "[" && $0 != "." })
        for name in [item.name, nameBeforeKeys] {
            guard let property = schema.property(name) else { continue }
            return Field(name, property, encoding: media["encoding"]?[name])
        }
        return nil
    }
}
