import OpenAPIRules

/// Reads one operation of a path.
///
/// `OperationReader+Parameters.swift` reads the parameters, and `OperationReader+Bodies.swift` the body of the request.
struct OperationReader {
    let schemas: SchemaReader
    /// The path item, from which the operation inherits parameters.
    let item: Element
    let element: Element

    /// Reads the operation as an endpoint.
    ///
    /// - Parameters:
    ///   - method: The method in upper case.
    ///   - path: The key of the path item in `paths`, which may contain a query.
    /// - Returns: The endpoint.
    /// - Throws: ``DescriptionError`` if a member that the endpoint needs cannot be read.
    func endpoint(method: String, path: String) throws -> Endpoint {
        let key = PathKey(path)
        var endpoint = Endpoint(
            name: try element.text("operationId"), method: method, path: key.path, place: element.place)
        endpoint.tags = try element.texts("tags")
        endpoint.summary = element.prose("summary") ?? item.prose("summary")
        endpoint.documentation = element.prose("description")
        endpoint.isDeprecated = try element.flag("deprecated")
        let parameterElements = try parameterElements(path: key.path)
        endpoint.parameters = try parameters(describedBy: parameterElements, of: key)
        let bodies = try bodies()
        endpoint.body = bodies.main
        endpoint.upload = bodies.upload
        // A body has no meaning for these methods (RFC 9110, 9.3).
        if let body = endpoint.body, ["GET", "HEAD", "TRACE"].contains(method) {
            noteLostBody(body, of: endpoint)
            endpoint.body = nil
            endpoint.upload = nil
        }
        for (status, value) in try element.members("responses") where !status.hasPrefix("x-") {
            endpoint.responses.append(try response(status, schemas.target(of: value)))
        }
        return endpoint
    }

    /// Adds a note that a body is not sent, unless it has no members.
    private func noteLostBody(_ body: Body, of endpoint: Endpoint) {
        // Some descriptions give each operation a body without members. Nothing is lost if it is not sent.
        if case .dictionary = body.schema.kind { return }
        schemas.note(.skipped, "body of \(endpoint.method) \(endpoint.path)", at: element.place)
    }

    /// Finds how a parameter, or a form's field, writes lists and objects, by its `style` and `explode`:
    ///
    /// - `members` for `deepObject`: `user[name]=a`,
    /// - `repeated` for `form` with `explode`, the default of a query: `ids=1&ids=2`,
    /// - `commas`, `spaces` and `pipes` for a list that is sent as one text: `ids=1,2`.
    ///
    /// - Parameter element: The parameter, or the encoding of a form's field.
    /// - Returns: The style.
    /// - Throws: ``DescriptionError`` if `style` is not a text, or `explode` is not a Boolean.
    func style(of element: Element) throws -> Parameter.Style {
        let serialization = try serialization(of: element)
        if serialization.style == .deepObject { return .members }
        // An encoding has no `in`: the fields of a form are written like a query.
        let isLikeQuery = ParameterLocation(of: element.node) == .query
        if isLikeQuery, serialization.explodes { return .repeated }
        switch serialization.style {
        case .spaceDelimited: return .spaces
        case .pipeDelimited: return .pipes
        default: return .commas
        }
    }

    /// The `style` and `explode` of a parameter or a form's field, with OpenAPI's defaults. A note says if OpenAPI has
    /// no such style for its location.
    func serialization(of element: Element) throws -> ParameterSerialization {
        let location = ParameterLocation(of: element.node)
        if let name = try element.text("style"),
            location.styles?.contains(ParameterSerialization.Style(rawValue: name)) == false
        {
            schemas.note(.simplified, "the style \(name) is unknown in a \(location.name)", at: element.place)
        }
        // Throws an error if the value is not a Boolean.
        _ = try element.flag("explode")
        return ParameterSerialization(of: element.node)
    }

    // MARK: - Responses

    /// Reads a response with its contents and examples. The status is its key in `responses`, such as `404`.
    private func response(_ status: String, _ element: Element) throws -> Response {
        var response = Response(statuses: try statuses(status, element), place: element.place)
        response.headers = Set(try element.members("headers").map { $0.name.lowercased() })
        noteIgnoredParts(of: element, headers: response.headers)
        for (name, media) in try element.members("content") {
            let schema = try schemas.schema(media.child("schema"), or: kindWithoutSchema(name), at: media.place)
            response.contents.append((name, schema))
            response.examples += Self.examples(of: media).map { (schema, $0) }
        }
        return response
    }

    /// The headers of responses that the library or the generated code reads itself.
    ///
    /// ``Contents`` adds the notes on headers with the number of all items, since only pages have it.
    private static let readHeaders: Set = [
        "cache-control", "content-length", "content-type", "date", "etag", "last-modified", "link", "location",
        "retry-after", "x-total", "x-total-count",
    ]

    /// Adds notes for what a response describes and the code does not have: links to other operations, and headers. The
    /// headers are in the library's reply, but not as properties.
    private func noteIgnoredParts(of element: Element, headers: Set<String>) {
        if element.has("links") { schemas.note(.skipped, "links of a response", at: element.place) }
        for name in headers.subtracting(Self.readHeaders).sorted() {
            schemas.note(.skipped, "response header \(name): read it from the reply", at: element.place)
        }
    }

    /// The kind of a content that has a media type, but no schema.
    private func kindWithoutSchema(_ mediaType: String) -> Schema.Kind {
        switch MediaType(mediaType) {
        case .text: .string
        case .json: .any
        default: .bytes
        }
    }

    /// The examples of a media type, from both of its members `examples` and `example`. Some descriptions hold an
    /// example as a text that contains JSON.
    static func examples(of media: Element) -> [Node] {
        var examples: [Node] = []
        // Examples that are not described as OpenAPI requires are ignored, since the code does not depend on them.
        if let named = try? media.members("examples") {
            examples = named.compactMap { $0.value.child("value")?.node }
        }
        if let example = media.child("example") { examples.append(example.node) }
        return examples.map { example in
            guard case .text(let text) = example.content else { return example }
            return (try? JSONParser.parse(Array(text.utf8), file: "")) ?? example
        }
    }

    /// The statuses that a key stands for: 404 for `404`, 400 to 499 for `4XX` or `4xx`, and nil for `default`.
    private func statuses(_ key: String, _ element: Element) throws -> ClosedRange<Int>? {
        switch ResponseStatus(key) {
        case .default?:
            return nil
        case .code(let code)? where 100...599 ~= code:
            return code...code
        case .hundred(let digit)?:
            let first = digit * 100
            return first...first + 99
        case .code?, nil:
            throw element.error(about: key, "is not a status")
        }
    }
}
