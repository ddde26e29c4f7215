/// Writes the method of the API's client that sends an endpoint.
struct MethodWriter {
    private let plan: Plan
    private let shape: EndpointShape
    private let method: MethodShape
    private let endpointWriter: EndpointWriter

    /// Creates a writer for the method of an endpoint.
    init(_ plan: Plan, _ method: MethodShape, _ endpointWriter: EndpointWriter) {
        self.plan = plan
        self.method = method
        self.endpointWriter = endpointWriter
        shape = endpointWriter.shape
    }

    /// Writes the extension with the method, in the file of its endpoint:
    ///
    ///     nonisolated extension ShopClient.Orders {
    ///         /// Cancels an order.
    ///         public func cancel(
    ///             id: Int, options: RequestOptions = RequestOptions()
    ///         ) async throws(APIError<ShopError>) -> Order {
    ///             try await client.send(CancelOrderRequest(id: id), options: options)
    ///         }
    ///     }
    func lines() -> [String] {
        ["nonisolated extension \(plan.options.name)Client.\(method.group.typeName) {"]
            + Lines.indented(function()) + ["}"]
    }

    // MARK: - Functions

    /// Writes the function that sends the request and returns the model of its response. A response without content
    /// has nothing to return.
    private func function() -> [String] {
        let modelType = endpointWriter.modelType()
        let returnsModel = modelType != "NoContent"
        let result = returnsModel ? " -> \(modelType)" : ""
        let head = Lines.list(
            "\(plan.access)func \(SwiftName.code(method.name))(",
            parameters + ["options: RequestOptions = RequestOptions()"],
            ") async throws(APIError<\(failureType)>)\(result) {", depth: 1)
        return comment() + head + Lines.indented(sending(returnsModel: returnsModel)) + ["}"]
    }

    /// Writes the comment: what the endpoint does, and what the description says about the parameters.
    private func comment() -> [String] {
        var lines = endpointWriter.documentation(mayRepeatName: true)
        let items = stored.flatMap { property in
            // What a page is needs no explanation.
            if shape.paging?.advances(property.wireName) == true { return [String]() }
            return Documentation.property(property, names: [shape.name], isPublic: true)
                .filter { $0.hasPrefix("/// ") }
                .map { "/// - `\(property.name)`: \($0.dropFirst(4))" }
        }
        if !items.isEmpty, !lines.isEmpty { lines.append("///") }
        lines += items
        if shape.endpoint.isDeprecated { lines.append("@available(*, deprecated)") }
        return lines
    }

    /// Writes the statements that create the request and send it, in one line if it fits.
    private func sending(returnsModel: Bool) -> [String] {
        let arguments = stored.map { "\($0.name): \($0.code)" }
        let client = stored.contains { $0.name == "client" } ? "self.client" : "client"
        let request = "\(shape.name)(\(arguments.joined(separator: ", ")))"
        let line = "try await \(client).send(\(request), options: options)"
        if Lines.fits(line, 2) { return [line] }
        let requestName = stored.contains { $0.name == "request" } ? "endpoint" : "request"
        let lines = Lines.list("let \(requestName) = \(shape.name)(", arguments, ")", depth: 2)
        let keyword = returnsModel ? "return " : ""
        return lines + ["\(keyword)try await \(client).send(\(requestName), options: options)"]
    }

    // MARK: - Parameters

    /// The properties of the endpoint that callers set. A link to a page comes from the response to another one.
    private var stored: [Property] { endpointWriter.storedProperties.filter { $0.name != "pageLink" } }

    /// The parameters for the properties: `sort: ProductSort? = nil`.
    private var parameters: [String] { Initializer(stored).parameters }

    /// The type of the failures that the endpoint's errors have.
    private var failureType: String {
        if let failure = shape.form.failure { return endpointWriter.modelType(for: failure) }
        // Without a type of the API's own, it is the library's default.
        return plan.failure.map { plan.typeName($0) } ?? "Data"
    }
}
