extension EndpointWriter {
    /// Writes the declarations that the library's protocol requires. One that would only repeat the protocol's default
    /// has no lines:
    ///
    ///     var base: APIBase { .shopUploads }
    ///     var method: HTTPMethod { .put }
    ///     var path: URLPath { "files/\(segments: filePath)" }
    func requirements() -> [[String]] {
        [base(), method(), path(), headers(), query(), parameters(), body(), options()]
    }

    /// Writes the base, which is the server with its settings, if it is not the API's main base.
    private func base() -> [String] {
        guard let base = shape.base else { return [] }
        return Lines.property("\(plan.endpointAccess)var base: APIBase", ".\(SwiftName.code(base))", depth: 1)
    }

    /// Writes the options of an endpoint that differ from those of its base:
    ///
    ///     var options: RequestOptions { RequestOptions(addsCredentials: false) }
    ///     var options: RequestOptions { RequestOptions(isIdempotent: true, retries: .init(attempts: 5)) }
    ///
    /// If it needs no credential, no client adds one.
    private func options() -> [String] {
        var arguments: [String] = []
        if isIdempotentByDescription { arguments.append("isIdempotent: true") }
        if sendsIdempotencyKey { arguments.append("sendsIdempotencyKey: true") }
        let retries = plan.usualRetries.difference(of: endpoint)
        if !retries.isEmpty { arguments.append("retries: \(retries.code)") }
        if case .none = plan.security.ownSecurity(of: endpoint) { arguments.append("addsCredentials: false") }
        if arguments.isEmpty { return [] }
        let head = "\(plan.endpointAccess)var options: RequestOptions"
        let value = Lines.list("RequestOptions(", arguments, ")", depth: 2)
        if value.count == 1 { return Lines.property(head, value[0], depth: 1) }
        return ["\(head) {"] + Lines.indented(value) + ["}"]
    }

    /// The methods that are idempotent in HTTP (RFC 9110, section 9.2.2), also in a description that says so.
    private static let idempotentMethods: Set = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"]

    /// Whether the description says that the endpoint is idempotent, and its method does not.
    private var isIdempotentByDescription: Bool {
        endpoint.behavior.isIdempotent && !Self.idempotentMethods.contains(endpoint.method)
    }

    /// Whether the library has to send an idempotency key, since the server knows it and the endpoint has no property
    /// for it.
    private var sendsIdempotencyKey: Bool {
        let needsKey = endpoint.behavior.knowsIdempotencyKeys && !Self.idempotentMethods.contains(endpoint.method)
        return needsKey && !endpoint.parameters.contains { $0.isIdempotencyKey }
    }

    /// The methods for which the library has constants, apart from GET, which is the default.
    private static let namedMethods: Set = ["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"]

    /// Writes the method, unless it is GET. A method without a constant in the library is a literal, such as `"PURGE"`.
    private func method() -> [String] {
        if endpoint.method == "GET" { return [] }
        let hasName = Self.namedMethods.contains(endpoint.method)
        let method = hasName ? ".\(endpoint.method.lowercased())" : Lines.literal(endpoint.method)
        return ["\(plan.endpointAccess)var method: HTTPMethod { \(method) }"]
    }

    /// Writes the path: `var path: URLPath { "orders/\(id)" }`.
    private func path() -> [String] {
        Lines.property("\(plan.endpointAccess)var path: URLPath", pathLiteral(), depth: 1)
    }

    /// The path below the base as a literal, in which properties are interpolated: `orders/{order_id}` becomes
    /// `"orders/\(orderID)"`.
    private func pathLiteral() -> String {
        var code = ""
        var rest = plan.path(of: endpoint)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let placeholder = rest[open...close]
            code += Lines.literalContent(String(rest[..<open]))
            code += pathValue(inPlaceOf: placeholder)
            rest = rest[rest.index(after: close)...]
        }
        return "\"\(code)\(Lines.literalContent(String(rest)))\""
    }

    /// The interpolation of a property in place of a placeholder, a name in braces: `{order_id}` becomes `\(orderID)`.
    /// If no parameter has the name, the placeholder stays in the literal.
    private func pathValue(inPlaceOf placeholder: Substring) -> String {
        let name = placeholder.dropFirst().dropLast()
        let property = properties.first { $0.source == .path && $0.property.wireName == name }
        guard let property else { return Lines.literalContent(String(placeholder)) }
        return "\\(\(property.pathValue))"
    }

    // MARK: - Parameters

    /// The elements of a dictionary with the properties that are sent in a part of the request: `"sort": sort`.
    private func elements(of source: EndpointProperty.Source) -> [String] {
        properties.filter { $0.source == source }.map { item in
            "\(Lines.literal(item.property.wireName)): \(item.parameterValue)"
        }
    }

    /// Writes a property whose value is a dictionary, or nothing if the dictionary is empty.
    private func dictionary(_ declaration: String, _ elements: [String]) -> [String] {
        if elements.isEmpty { return [] }
        return Lines.property("\(plan.endpointAccess)var \(declaration)", DictionaryLiteral(elements), depth: 1)
    }

    /// Writes the property `query` of a request whose `parameters` are in its body:
    /// `var query: Parameters { ["dry_run": dryRun] }`. Nothing is written for other requests, which send the query as
    /// their `parameters`.
    private func query() -> [String] {
        guard sendsParametersInBody else { return [] }
        return dictionary("query: Parameters", elements(of: .query))
    }

    /// Writes the property `parameters`, or nothing if there are none. The library sends them in the body or in the
    /// query, depending on the method, so they are the members of the body or the items of the query:
    ///
    ///     var parameters: Parameters { ["name": name, "sort": sort] }
    ///
    /// All members of a body may be nested in a single one:
    ///
    ///     var parameters: Parameters { ["data": .object(["name": name])] }
    private func parameters() -> [String] {
        let elements = sendsParametersInBody ? membersOfBody() : elements(of: .query)
        if sendsParametersInBody, let outerMember {
            let literal = DictionaryLiteral(elements, outerMember: outerMember)
            return Lines.property("\(plan.endpointAccess)var parameters: Parameters", literal, depth: 1)
        }
        return dictionary("parameters: Parameters", elements)
    }

    /// The elements of a dictionary with the members of the body: `"name": name`. A body that is not made of members
    /// has one property for its whole content, which is not a parameter.
    private func membersOfBody() -> [String] {
        if case .members = shape.payload { elements(of: .body) } else { [] }
    }

    /// The literal for the name of the only member of the body, in which all others are nested; nil if they are not
    /// nested.
    private var outerMember: String? { shape.form.bodyMember.map(Lines.literal) }

    // MARK: - Headers

    /// Writes the property `headers`, or nothing if there are none. It has the parameters in headers, and the media
    /// types that the library would not choose by itself:
    ///
    ///     var headers: HTTPHeaders { ["X-Trace": xTrace, .accept: "application/vnd.github+json"] }
    private func headers() -> [String] {
        var elements = properties.filter { $0.source == .header }.map { item in
            "\(Self.headerName(item.property.wireName)): \(item.headerValue)"
        }
        // For JSON, the library would ask for `application/json`, not for the API's own media type. For other
        // responses, the Swift type decides what to ask for.
        let readsJSON = shape.reply.readings.contains { $0.schema != nil }
        if let accept = shape.form.accept, readsJSON {
            elements.append(".accept: \(Lines.literal(accept))")
        }
        if let type = shape.form.contentType { elements.append(".contentType: \(Lines.literal(type))") }
        return dictionary("headers: HTTPHeaders", elements)
    }

    /// The request headers for which the library has constants.
    private static let namedHeaders: Set = [
        "accept-language", "cache-control", "idempotency-key", "if-match", "if-modified-since", "if-none-match",
        "if-range", "last-event-id", "range", "user-agent",
    ]

    /// The code for the name of a header: the library's constant `.ifMatch`, or the literal `"X-Trace"`.
    private static func headerName(_ name: String) -> String {
        let hasConstant = namedHeaders.contains(name.lowercased())
        return hasConstant ? ".\(Words(name).lowerCamel)" : Lines.literal(name)
    }

    // MARK: - Bodies

    /// Writes the property `body`, or nothing if the library creates the body from the `parameters`:
    ///
    ///     var body: RequestBody? { .json(product) }
    private func body() -> [String] {
        let head = "\(plan.endpointAccess)var body: RequestBody?"
        switch shape.payload {
        case .none:
            return []
        case .members(_, let type):
            // The library creates JSON and most forms from the `parameters`. It needs help for some multipart forms,
            // and if the method, such as DELETE, sends the `parameters` in the query.
            return sendsParametersInBody ? bodyIfMultipart(head, type) : bodyBesideQuery(head, type)
        case .value(let schema, let isRequired):
            return Lines.property(head, jsonValue(schema, isRequired: isRequired), depth: 1)
        case .bytes(let type):
            return Lines.property(head, dataValue(content, type), depth: 1)
        case .text(let type):
            return Lines.property(head, dataValue("Data(\(content).utf8)", type), depth: 1)
        case .file:
            return Lines.property(head, content, depth: 1)
        }
    }

    /// The code for the property with the whole content of the body.
    private var content: String { properties.last { $0.source == .body }?.property.code ?? "" }

    /// The code for a body of bytes: `.data(data, contentType: "image/png")`.
    private func dataValue(_ data: String, _ type: String) -> String {
        ".data(\(data), contentType: \(Lines.literal(type)))"
    }

    /// The code for a body with a JSON value: `.json(product)`, or `product.map { .json($0) }` if it need not be sent.
    private func jsonValue(_ schema: Schema, isRequired: Bool) -> String {
        // Models bring their own encoder. Other values need the library's default encoder for APIs.
        let encoder = schema.holdsModels ? "" : ", encoder: .api"
        return isRequired ? ".json(\(content)\(encoder))" : "\(content).map { .json($0\(encoder)) }"
    }

    /// Writes the body of a multipart form that may have only plain values:
    ///
    ///     var body: RequestBody? { .multipart(MultipartForm(parameters, style: base.parameterStyle)) }
    ///
    /// Nothing is written for other forms. By default, the library creates the body from the parameters, and makes it a
    /// multipart form if a parameter is a file or a JSON part.
    private func bodyIfMultipart(_ head: String, _ type: MediaType) -> [String] {
        let hasMembers = !elements(of: .body).isEmpty
        let needsDeclaration = type == .multipart && hasMembers && !alwaysHasPart
        if !needsDeclaration { return [] }
        return Lines.property(head, ".multipart(MultipartForm(parameters, style: base.parameterStyle))", depth: 1)
    }

    /// Whether every request has a file or a JSON part.
    private var alwaysHasPart: Bool {
        properties.contains { item in
            let property = item.property
            let isRequiredPart = item.isJSONPart && !property.isOptional && !property.schema.isList
            let isRequiredFile = property.type == "FilePart"
            return isRequiredPart || isRequiredFile
        }
    }

    /// Writes the body of a request that has members in its body, but whose method sends the `parameters` in the query,
    /// such as DELETE:
    ///
    ///     var body: RequestBody? { .json(["reason": reason]) }
    private func bodyBesideQuery(_ head: String, _ type: MediaType) -> [String] {
        let members = elements(of: .body)
        if members.isEmpty, outerMember == nil { return [] }
        let kind = type == .json ? "json" : "form"
        let literal = DictionaryLiteral(start: ".\(kind)([", members, end: "])", outerMember: outerMember)
        return Lines.property(head, literal, depth: 1)
    }
}
