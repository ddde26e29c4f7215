// MARK: - Response types

extension EndpointWriter {
    /// The endpoint's response type: `Order`, `Order?` if some statuses have no content, or the enum with a case for
    /// each status.
    func responseType() -> String {
        switch shape.reply {
        case .one(let reading): responseType(for: reading)
        case .optional(let reading): "\(responseType(for: reading))?"
        case .byStatus: shape.statusEnum
        }
    }

    /// The response type for a reading, which is the way in which a body is read:
    ///
    ///     no body             NoContent
    ///     text, bytes         String, Data
    ///     a large file        DownloadedFile
    ///     JSON                Order for a model, JSON<[String]> for a value without one
    ///     an envelope         ShopEnvelope<Order>, or the endpoint's own type Response
    ///     a stream            JSONEvents<Order> or ServerSentEvents, or JSONLines<Order>
    func responseType(for reading: EndpointForm.Reading) -> String {
        switch reading {
        case .none:
            return "NoContent"
        case .text:
            return "String"
        case .bytes:
            return "Data"
        case .file:
            return "DownloadedFile"
        case .json(let schema):
            return plan.conformsToJSONResponse(schema) ? plan.typeName(schema) : "JSON<\(modelType(of: schema))>"
        case .envelope(let schema, of: nil):
            return "\(plan.options.name)Envelope<\(modelType(of: schema))>"
        case .envelope(_, of: _?):
            // The endpoint's own envelope is a type that is nested in the endpoint.
            return "Response"
        case .events(let schema):
            let isModel = plan.model(schema) != nil
            return isModel ? "JSONEvents<\(plan.typeName(schema))>" : "ServerSentEvents"
        case .lines(let schema):
            return "JSONLines<\(plan.typeName(schema))>"
        }
    }

    /// The type of the value that a caller receives from the endpoint. It is the response type, or its content:
    /// `[String]` for the response type `JSON<[String]>`.
    func modelType() -> String {
        if case .one(let reading) = shape.reply { return modelType(for: reading) }
        return responseType()
    }

    /// The type of the value that a caller receives for a reading, which is the way in which a body is read.
    func modelType(for reading: EndpointForm.Reading) -> String {
        switch reading {
        case .json(let schema), .envelope(let schema, _): modelType(of: schema)
        case .none, .text, .bytes, .file, .events, .lines: responseType(for: reading)
        }
    }

    /// The type of a schema's values, optional if they may be null. `JSONValue` has a case for null instead.
    private func modelType(of schema: Schema) -> String {
        let isOptional = schema.isNullable && !schema.isAny
        return plan.typeName(schema) + (isOptional ? "?" : "")
    }
}

extension Plan {
    /// Whether a schema's type conforms to `JSONResponse`: models and `JSONValue` do, and so do lists and dictionaries
    /// of them, such as `[Order]`. Optional types do not, whether the value itself or an element may be null.
    func conformsToJSONResponse(_ schema: Schema) -> Bool {
        // `JSONValue` has a case for null.
        if schema.isAny { return true }
        if schema.isNullable { return false }
        switch schema.kind {
        case .model: return true
        case .list(let element), .dictionary(let element): return conformsToJSONResponse(element)
        default: return false
        }
    }
}

// MARK: - Responses by status

extension EndpointWriter {
    /// Writes the enum `Response` of an endpoint whose statuses have different contents:
    ///
    ///     enum Response: APIResponse {
    ///         case created(Order)
    ///         case accepted(Receipt)
    ///
    ///         static var acceptedTypes: [MIMEType] { [.json] }
    ///         static func process(data: Data) throws -> Response { .created(try Order.process(data: data)) }
    ///
    ///         static func process(response: HTTPResponse) async throws -> Response {
    ///             …
    ///         }
    ///     }
    ///
    /// Data without a status is read as for the first case. If the API's client has methods, the enum is declared
    /// beside the endpoint.
    func statusEnum(_ readings: [EndpointForm.StatusReading]) -> [String] {
        let access = plan.access
        // Without JSON among the contents, the request has no `Accept` header.
        let readsJSON = readings.contains { $0.reading.schema != nil }
        let types = readsJSON ? "[.json]" : "[]"
        let firstResponse = construction(of: readings[0], keywords: "try", argument: "data: data")
        let requirements = [
            "\(access)static var acceptedTypes: [MIMEType] { \(types) }",
            "\(access)static func process(data: Data) throws -> \(shape.statusEnum) { \(firstResponse) }",
        ]
        let body = Lines.sections([statusCases(readings), requirements, statusSwitch(readings)])
        return ["\(access)enum \(shape.statusEnum): APIResponse {"] + Lines.indented(body) + ["}"]
    }

    /// Writes the cases of the enum `Response`. A status without content has a case without a value:
    ///
    ///     case created(Order)
    ///     case noContent
    private func statusCases(_ readings: [EndpointForm.StatusReading]) -> [String] {
        readings.map { item in
            let value = item.reading.isNone ? "" : "(\(modelType(for: item.reading)))"
            return "case \(item.name)\(value)"
        }
    }

    /// Writes the function that reads a response according to its status. The statuses that the description lists come
    /// first, and the `default` for all others comes last:
    ///
    ///     static func process(response: HTTPResponse) async throws -> Response {
    ///         switch response.head.status {
    ///         case 202: .accepted(try await Receipt.process(response: response))
    ///         default: .created(try await Order.process(response: response))
    ///         }
    ///     }
    private func statusSwitch(_ readings: [EndpointForm.StatusReading]) -> [String] {
        // The order of the listed statuses makes no difference. They are in reverse, so that they lead to the
        // `default`, which is usually the first reading.
        let forListedStatuses = readings.reversed().filter { !$0.isForOthers }
        let forOtherStatuses = readings.filter(\.isForOthers)
        let cases = (forListedStatuses + forOtherStatuses).map { item in
            let value = construction(of: item, keywords: "try await", argument: "response: response")
            return "\(Self.pattern(of: item)): \(value)"
        }
        return [
            "\(plan.access)static func process(response: HTTPResponse) async throws -> \(shape.statusEnum) {",
            "    switch response.head.status {",
        ] + Lines.indented(cases) + ["    }", "}"]
    }

    /// The pattern for some statuses in a switch: `case 200, 206`, or `default` for those that are not listed.
    private static func pattern(of item: EndpointForm.StatusReading) -> String {
        if item.isForOthers { return "default" }
        return "case \(item.statuses.map(String.init).joined(separator: ", "))"
    }

    /// The code that creates a case of `Response` by calling `process`, with some keywords before the call and an
    /// argument: `.created(try Order.process(data: data))`.
    private func construction(of item: EndpointForm.StatusReading, keywords: String, argument: String) -> String {
        if item.reading.isNone { return ".\(item.name)" }
        return ".\(item.name)(\(keywords) \(responseType(for: item.reading)).process(\(argument)))"
    }
}
