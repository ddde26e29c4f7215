/// Writes the file of an endpoint: a struct with the properties that a caller sets and with the requirements of the
/// library's protocol `APIRequest`.
struct EndpointWriter {
    let plan: Plan
    /// The position of the endpoint in the plan.
    let index: Int
    /// The form that the endpoint takes in Swift.
    let shape: EndpointShape
    let properties: [EndpointProperty]

    /// Creates a writer for the endpoint at a position of the plan.
    init(_ plan: Plan, _ index: Int) {
        self.plan = plan
        self.index = index
        shape = plan.endpoints[index]
        properties = EndpointProperties(plan, shape).all
    }

    var endpoint: Endpoint { shape.endpoint }
    private var isPublic: Bool { plan.endpointsArePublic }

    /// The properties that are not constants.
    var storedProperties: [Property] {
        properties.map(\.property).filter { $0.constant == nil }
    }

    // MARK: - Declaration

    /// Writes the lines of the file, without the import: the endpoint's struct, and the types that only this endpoint
    /// uses. Such a type is nested in the struct, or follows it if the description gives it a name:
    ///
    ///     /// Lists the labels of a return.
    ///     struct ReturnLabelsRequest: ShopRequest {
    ///         …
    ///     }
    ///
    ///     struct ReturnLabel: ShopModel {
    ///         …
    ///     }
    ///
    /// If the API's client has methods, that of the endpoint stands between them.
    func lines() -> [String] {
        let typeWriters = plan.nested(in: .endpoint(index)).compactMap { TypeWriter(plan, $0) }
        let typesInside = typeWriters.filter(\.type.isNested)
        let typesAfter = typeWriters.filter { !$0.type.isNested }

        var lines = documentation(mayRepeatName: isPublic)
        if endpoint.isDeprecated { lines.append("@available(*, deprecated)") }
        lines.append("\(plan.endpointAccess)struct \(shape.name): \(protocols()) {")
        lines += Lines.indented(members(withTypesOf: typesInside))
        lines.append("}")
        if plan.options.hasMethods { lines += [""] + MethodWriter(plan, plan.methods[index], self).lines() }
        for writer in typesAfter { lines += [""] + writer.lines(depth: 0) }
        if case .byStatus(let readings) = shape.reply, plan.options.hasMethods { lines += [""] + statusEnum(readings) }
        return lines
    }

    /// Writes the comment on the endpoint: a sentence on what it does, and one on the credentials that it needs if
    /// these are not the API's usual ones.
    ///
    /// A sentence that only repeats the endpoint's name or path is left out, unless that is allowed: in public code, it
    /// is better than no comment.
    func documentation(mayRepeatName: Bool) -> [String] {
        let texts = [endpoint.summary, endpoint.documentation]
        let isGet = endpoint.method == "GET"
        var action = Documentation.action(texts, isGet: isGet, names: [shape.name, endpoint.path])
        if action.isEmpty, mayRepeatName { action = Documentation.action(texts, isGet: isGet) }
        let security = CredentialWriter(plan: plan).comment(on: endpoint)
        let isSeparate = !action.isEmpty && !security.isEmpty
        return action + (isSeparate ? ["///"] : []) + security
    }

    /// The protocols of the endpoint, separated by commas: `ShopRequest, JSONRequest, PagedRequest`.
    private func protocols() -> String {
        var names = ["\(plan.options.name)Request"]
        if sendsParametersInBody, case .members(_, .json) = shape.payload { names.append("JSONRequest") }
        if shape.paging != nil { names.append("PagedRequest") }
        return names.joined(separator: ", ")
    }

    /// The writer of what concerns pages.
    var pageWriter: PageWriter { PageWriter(plan: plan, shape: shape, properties: storedProperties) }

    /// Whether the library sends the property `parameters` in the body, not in the query. It depends on the method.
    var sendsParametersInBody: Bool {
        !["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"].contains(endpoint.method)
    }

    /// Writes the members of the endpoint's struct, in sections with an empty line between them:
    /// - the properties that a caller sets, with the enums of their choices,
    /// - the requirements of the library's protocol,
    /// - the function that leads to the next page,
    /// - other nested types,
    /// - the enum of the responses, if their contents depend on the status.
    ///
    /// For example:
    ///
    ///     typealias Response = [Order]
    ///     var sort: Sort?
    ///
    ///     enum Sort: String, ParameterValue { case created, updated }
    ///
    ///     var path: URLPath { "orders" }
    ///     var parameters: Parameters { ["sort": sort] }
    private func members(withTypesOf typeWriters: [TypeWriter]) -> [String] {
        let choices = typeWriters.filter(\.isChoice).map { $0.lines(depth: 1) }
        let otherTypes = typeWriters.filter { !$0.isChoice }.map { $0.lines(depth: 1) }
        var sections = requestSections(choices: choices)
        sections.append(pageWriter.lines(modelType: modelType()))
        sections += otherTypes
        if case .byStatus(let readings) = shape.reply, !plan.options.hasMethods {
            sections.append(statusEnum(readings))
        }
        return Lines.sections(sections)
    }

    /// Writes the sections for the request: the properties that a caller sets, the enums of their choices, a public
    /// initializer, and the protocol's requirements. Without properties, the few lines form a single section:
    ///
    ///     typealias Response = RateLimit
    ///     var path: URLPath { "rate_limit" }
    ///
    /// - Parameter choices: The lines of each enum whose cases are the choices for a property.
    /// - Returns: The lines of each section.
    private func requestSections(choices: [[String]]) -> [[String]] {
        let head = typealiases() + declarations()
        let requirementLines = requirements().flatMap(\.self)
        // A public struct has an initializer between them, even without properties.
        let isSingleSection = storedProperties.isEmpty && !isPublic
        if isSingleSection { return [head + requirementLines] }

        var sections = [head]
        // Enums that fit in one line form a section together.
        sections.append(choices.filter { $0.count == 1 }.flatMap(\.self))
        sections += choices.filter { $0.count > 1 }
        if isPublic { sections.append(Initializer(storedProperties).lines(depth: 1)) }
        sections.append(requirementLines)
        return sections
    }

    /// Writes the names of the response type and of the failure type:
    ///
    ///     typealias Response = [Order]
    ///     typealias Failure = JSON<String>
    ///
    /// The first one is left out if the endpoint declares a type `Response` itself, and the second one if the endpoint
    /// has the API's usual failure, which its protocol names.
    private func typealiases() -> [String] {
        var lines: [String] = []
        // The type may be an enum of this name, with a case for each status, or another type inside the endpoint.
        let response = responseType()
        if response != "Response" {
            lines.append("\(plan.endpointAccess)typealias Response = \(response)")
        }
        // It is nil for the API's usual failure.
        if let failure = shape.form.failure {
            lines.append("\(plan.endpointAccess)typealias Failure = \(responseType(for: failure))")
        }
        return lines
    }

    /// Writes the declarations of the properties that a caller sets, with their comments:
    ///
    ///     /// The maximum price in cents.
    ///     var priceMax: Int?
    ///     var sizes: [String] = []
    ///
    /// A comment is left out if it only repeats the endpoint's name or the property's name. In code that is not public,
    /// it is also left out if it repeats an earlier comment.
    private func declarations() -> [String] {
        let lines = storedProperties.flatMap { property in
            let declaration = "\(plan.endpointAccess)var \(property.declaration(isPublic: isPublic))"
            return Documentation.property(property, names: [shape.name], isPublic: isPublic) + [declaration]
        }
        return isPublic ? lines : Documentation.withoutRepetitions(lines)
    }
}
