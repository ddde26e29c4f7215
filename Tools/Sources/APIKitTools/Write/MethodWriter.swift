/// Writes the methods of the API's client that send an endpoint: one, or two for a list with pages.
struct MethodWriter {
    private let plan: Plan
    private let shape: EndpointShape
    private let method: MethodShape
    private let endpointWriter: EndpointWriter
    /// The items of the pages; nil if the endpoint has no pages.
    private let items: PageWriter.Items?
    /// The properties of the endpoint that callers set.
    private let properties: [Property]
    /// These properties and those that select a page.
    private let propertiesWithPage: [Property]

    /// Creates a writer for the methods of an endpoint.
    init(_ plan: Plan, _ method: MethodShape, _ endpointWriter: EndpointWriter) {
        let shape = endpointWriter.shape
        let items = endpointWriter.pageWriter.items()
        self.plan = plan
        self.shape = shape
        self.method = method
        self.endpointWriter = endpointWriter
        self.items = items
        // A link to a page comes from the response to another one.
        propertiesWithPage = endpointWriter.storedProperties.filter { $0.name != "pageLink" }
        // The methods for items read all pages from the first one on.
        properties = propertiesWithPage.filter { items == nil || shape.paging?.parameter != $0.wireName }
    }

    /// Writes the extension with the methods, in the file of their endpoint:
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
        let functions: [[String]]
        if let items {
            let isPage = items.haveMoreBesides
            functions = [isPage ? sendingFunction() : listFunction(of: items), functionForAll(items)]
        } else {
            functions = [sendingFunction()]
        }
        return ["nonisolated extension \(plan.options.name)Client.\(method.group.typeName) {"]
            + Lines.indented(Lines.sections(functions)) + ["}"]
    }

    // MARK: - Functions

    /// Writes the function that sends the request and returns the model of its response. A response without content
    /// has nothing to return.
    private func sendingFunction() -> [String] {
        let modelType = endpointWriter.modelType()
        let returnsModel = modelType != "NoContent"
        let result = returnsModel ? " -> \(modelType)" : ""
        let end = ") async throws(APIError<\(failureType)>)\(result) {"
        let parameters = Initializer(propertiesWithPage).parameters
        var lastParameters = [Self.options]
        var lastArguments = ", options: options"
        if reportsProgress {
            lastParameters.append("progress: TransferProgress.Handler? = nil")
            lastArguments += ", progress: progress"
        }
        let head = head(method.name, parameters + lastParameters, end)
        let body = call("try await \(client).send", with: propertiesWithPage, lastArguments, isReturned: returnsModel)
        return comment() + head + Lines.indented(body) + ["}"]
    }

    /// Writes the function that reads the items of all pages, or as many as the caller wants, into a list:
    ///
    ///     /// Lists orders.
    ///     ///
    ///     /// Requests pages until there are `limit` items, or all. Each request has the options.
    ///     public func list(
    ///         sort: OrderSort? = nil, limit: Int? = nil, options: RequestOptions = RequestOptions()
    ///     ) async throws(APIError<ShopError>) -> ItemList<Order> {
    ///         try await all(sort: sort, options: options).list(limit: limit)
    ///     }
    private func listFunction(of items: PageWriter.Items) -> [String] {
        let limit = argumentsOfAll.contains { $0.name == "limit" } ? "itemLimit" : "limit"
        let end = ") async throws(APIError<\(failureType)>) -> ItemList<\(items.type)> {"
        let head = head(method.name, parameters + ["\(limit): Int? = nil", Self.options], end)
        let call = Lines.list(
            "try await \(SwiftName.code(method.nameOfAll))(", arguments + ["options: options"],
            ").list(limit: \(limit))", depth: 2)
        let sentence = "Requests pages until there are `\(limit)` items, or all. Each request has the options."
        return comment(adding: sentence) + head + Lines.indented(call) + ["}"]
    }

    /// Writes the function that returns the items of all pages as a sequence:
    ///
    ///     /// Lists orders.
    ///     ///
    ///     /// Each page is requested, with the options, when its first item is asked for.
    ///     public func all(
    ///         sort: OrderSort? = nil, options: RequestOptions = RequestOptions()
    ///     ) -> PagedItems<Order, ShopError> {
    ///         client.items(of: OrdersRequest(sort: sort), in: \.orders, options: options)
    ///     }
    private func functionForAll(_ items: PageWriter.Items) -> [String] {
        let end = ") -> PagedItems<\(items.type), \(failureType)> {"
        let head = head(method.nameOfAll, parameters + [Self.options], end)
        let list = items.list.map { ", in: \($0)" } ?? ""
        let body = call(
            "\(client).items", with: properties, "\(list), options: options", label: "of: ", values: argumentsOfAll,
            isReturned: true)
        return comment(adding: "Each page is requested, with the options, when its first item is asked for.") + head
            + Lines.indented(body) + ["}"]
    }

    /// Writes the first lines of a function.
    private func head(_ name: String, _ parameters: [String], _ end: String) -> [String] {
        Lines.list("\(plan.access)func \(SwiftName.code(name))(", parameters, end, depth: 1)
    }

    /// Writes the comment: what the endpoint does, a sentence on what the function does, and what the description says
    /// about the parameters.
    private func comment(adding sentence: String? = nil) -> [String] {
        var sections = [endpointWriter.documentation(mayRepeatName: true)]
        if let sentence { sections.append([Lines.comment(sentence)]) }
        sections.append(
            zip(properties, sentence == nil ? properties : argumentsOfAll).flatMap { property, argument in
                Documentation.property(property, names: [shape.name], isPublic: true)
                    .filter { $0.hasPrefix("/// ") }
                    .map { "/// - `\(argument.name)`: \($0.dropFirst(4))" }
            })
        let lines = Array(sections.filter { !$0.isEmpty }.joined(separator: ["///"]))
        return shape.endpoint.isDeprecated ? lines + ["@available(*, deprecated)"] : lines
    }

    /// Writes a call with the request, in one line if it fits. Otherwise, the request is a constant. The values of the
    /// properties are parameters of the method, which by default have the names of the properties.
    private func call(
        _ function: String, with properties: [Property], _ end: String, label: String = "", values: [Property]? = nil,
        isReturned: Bool
    ) -> [String] {
        let arguments = zip(properties, values ?? properties).map { "\($0.name): \($1.code)" }
        let line = "\(function)(\(label)\(shape.name)(\(arguments.joined(separator: ", ")))\(end))"
        if Lines.fits(line, 2) { return [line] }
        let request = properties.contains { $0.name == "request" } ? "endpoint" : "request"
        let lines = Lines.list("let \(request) = \(shape.name)(", arguments, ")", depth: 2)
        return lines + ["\(isReturned ? "return " : "")\(function)(\(label)\(request)\(end))"]
    }

    // MARK: - Parameters

    /// The parameter for the options of a call, which each method has.
    private static let options = "options: RequestOptions = RequestOptions()"

    /// Whether the method has a parameter for the progress: if the request or the response may be a large file.
    private var reportsProgress: Bool {
        let isNameTaken = propertiesWithPage.contains { $0.name == "progress" }
        if isNameTaken { return false }
        if endpointWriter.modelType() == "DownloadedFile" { return true }
        return propertiesWithPage.contains { property in
            let fileTypes: Set = ["FilePart", "[FilePart]", "RequestBody"]
            return fileTypes.contains(property.type.filter { $0 != "?" })
        }
    }

    /// The group's client. A parameter of the same name would hide it.
    private var client: String { properties.contains { $0.name == "client" } ? "self.client" : "client" }

    /// The properties as they are parameters of the methods for items. There, `limit` is the number of items, so the
    /// parameter of an endpoint with this name, which limits a page, is `pageSize`.
    private var argumentsOfAll: [Property] {
        let hasPageSize = properties.contains { $0.name == "pageSize" }
        if hasPageSize { return properties }
        return properties.map { property in
            var argument = property
            if argument.name == "limit" { argument.name = "pageSize" }
            return argument
        }
    }

    /// The parameters for the properties: `sort: ProductSort? = nil`.
    private var parameters: [String] { Initializer(argumentsOfAll).parameters }

    /// The arguments with the values of the parameters: `sort: sort`.
    private var arguments: [String] { argumentsOfAll.map { "\($0.name): \($0.code)" } }

    /// The type of the failures that the endpoint's errors have.
    private var failureType: String {
        if let failure = shape.form.failure { return endpointWriter.modelType(for: failure) }
        // Without a type of the API's own, it is the library's default.
        return plan.failure.map { plan.typeName($0) } ?? "Data"
    }
}
