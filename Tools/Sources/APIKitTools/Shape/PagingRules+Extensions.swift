extension PagingRules {
    /// The paging that an extension of the description says.
    ///
    /// Nil if there is no extension, if the response is not JSON, or if the endpoint lacks the parameter or a member
    /// that the extension names. A note of ``Contents`` names such an extension.
    func describedPaging(of endpoint: Endpoint, _ reading: EndpointForm.Reading) -> Paging? {
        guard let described = endpoint.behavior.paging, let schema = reading.pageSchema else { return nil }
        let response = Response(schema: schema, object: models.object(schema), isEnvelope: reading.isInEnvelope)
        let query = endpoint.parameters.filter { $0.location == .query }
        guard let way = way(described.way, in: response, query) else { return nil }
        return Paging(way: way, isDescribed: true)
    }

    /// A response whose members an extension names.
    private struct Response {
        let schema: Schema
        /// The object with the members; nil if the response is a list or another value.
        let object: Object?
        /// Whether the endpoint returns the content of an envelope, which the extension names as the first member.
        let isEnvelope: Bool
    }

    private func way(_ described: DescribedPaging.Way, in response: Response, _ query: [Parameter]) -> Paging.Way? {
        switch described {
        case .header:
            return .header
        case .link(let path):
            guard let link = members(along: path, in: response), link.last?.schema.isString == true else { return nil }
            return .link(link)
        case .cursor(let name, let path):
            guard let parameter = query.first(where: { $0.name == name }) else { return nil }
            guard let cursor = members(along: path, in: response), let value = cursor.last?.schema else { return nil }
            guard Self.isCursor(value), value.kind == parameter.schema.kind else { return nil }
            let more = response.object.flatMap { pathOfMore(in: $0, beside: cursor.map(\.name)) }
            return .cursor(parameter: name, cursor, more: more)
        case .number(let name, let isOffset, let path):
            guard case .integer? = query.first(where: { $0.name == name })?.schema.kind else { return nil }
            guard let list = list(along: path, in: response) else { return nil }
            let more = response.object.flatMap { pathOfMore(in: $0, besideList: list) }
            return .number(parameter: name, isOffset: isOffset, list: list, more: more)
        }
    }

    /// Whether values can be cursors: texts and whole numbers.
    private static func isCursor(_ schema: Schema) -> Bool {
        if case .integer = schema.kind { true } else { schema.isString }
    }

    /// The members that lead to a value of a response; empty if the path leads to the response itself, since that is
    /// the content of an envelope. Nil if one of the members is missing.
    private func members(along path: [String], in response: Response) -> [Object.Member]? {
        if let object = response.object, let members = members(of: object, along: path) { return members }
        guard response.isEnvelope else { return nil }
        let pathInContent = Array(path.dropFirst())
        if pathInContent.isEmpty { return [] }
        return response.object.flatMap { members(of: $0, along: pathInContent) }
    }

    /// The members that lead to the list of a page's items; empty if the response is the list. Nil if there is no list.
    private func list(along path: [String]?, in response: Response) -> [Object.Member]? {
        if response.schema.isList { return [] }
        if let path, let members = members(along: path, in: response), members.last?.schema.isList == true {
            return members
        }
        return response.object.flatMap { listOfItems(lists(in: $0)) }
    }
}

extension EndpointForm.Reading {
    /// Whether the value that is read is the content of an envelope.
    fileprivate var isInEnvelope: Bool {
        if case .envelope = self { true } else { false }
    }
}
