/// How the next page of a list is requested.
struct Paging {
    /// The means by which a response leads to the next page.
    enum Way {
        /// A `Link` header.
        case header
        /// A URL in the body, at the path of these members.
        case link([Object.Member])
        /// A cursor in the body, at the path of these members, which becomes the value of the parameter.
        case cursor(parameter: String, [Object.Member])
        /// The identifier of the list's last item becomes the value of the parameter, if the member `more` is true.
        case lastItem(parameter: String, list: Object.Member, more: Object.Member, id: Object.Member)
        /// The parameter counts pages or, as an offset, items. The list is nil if it is the whole response.
        case number(parameter: String, isOffset: Bool, list: Object.Member?)
    }

    let way: Way

    /// General names of lists, which say nothing about their elements.
    static let listNames: Set = ["data", "items", "results", "entries"]
}

extension EndpointShape.Reading {
    /// The schema of the values that may be a page; nil if there cannot be pages.
    fileprivate var pageSchema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema, _):
            // A null object cannot be asked for its next page. A null list in an envelope is just an empty page.
            return schema.isNullable && !schema.isList ? nil : schema
        default:
            return nil
        }
    }
}

extension Plan {
    /// How an endpoint's next page is requested; nil if it has no pages, or if the description does not show how.
    func paging(of endpoint: Endpoint, _ reply: EndpointShape.Reply) -> Paging? {
        guard endpoint.method == "GET", case .one(let reading) = reply, let schema = reading.pageSchema else {
            return nil
        }
        let object = object(schema)
        let members = object?.members.values.sorted { $0.name < $1.name } ?? []
        let lists = members.filter(\.schema.isList)
        guard schema.isList || !lists.isEmpty else { return nil }
        if endpoint.hasLinkHeader { return Paging(way: .header) }
        let list = lists.count == 1 ? lists[0] : lists.first { Paging.listNames.contains($0.name) }
        let query = endpoint.parameters.filter { $0.location == .query }
        guard let object else { return number(query, list: nil) }
        if let link = link(in: object) { return Paging(way: .link(link)) }
        if let cursor = cursor(in: object, query) { return cursor }
        guard let list else { return nil }
        return lastItem(of: list, in: object, query) ?? number(query, list: list)
    }

    // MARK: - Ways

    private static let links: [[String]] = [
        ["next_page_uri"], ["next_page_url"], ["next_url"], ["next"], ["links", "pages", "next"], ["links", "next"],
        ["meta", "next_page_url"], ["_links", "next", "href"],
    ]

    private static let cursors: [[String]] = [
        ["next_cursor"], ["nextCursor"], ["next_page_token"], ["nextPageToken"], ["next_page"], ["cursor"],
        ["response_metadata", "next_cursor"], ["last_id"], ["meta", "next_cursor"], ["next_token"], ["nextToken"],
        ["pagination", "next_cursor"], ["next_page", "offset"],
    ]

    private static let cursorParameters: Set = [
        "cursor", "after", "page_token", "pageToken", "next_token", "nextToken", "starting_after", "page_id", "marker",
        "continuation_token", "offset",
    ]

    private static let pageParameters = ["page", "page_number", "pageNumber"]

    private func link(in object: Object) -> [Object.Member]? {
        for path in Self.links {
            guard let members = members(object, path), let last = members.last, last.schema.isString else {
                continue
            }
            let text = (last.schema.documentation ?? "").lowercased() + path.joined()
            // `next` alone may also be a cursor.
            if path.count > 1 || text.contains("ur") || text.contains("href") {
                return members
            }
        }
        return nil
    }

    private func cursor(in object: Object, _ query: [Parameter]) -> Paging? {
        let parameter = query.first { $0.schema.isString && Self.cursorParameters.contains($0.name) }
        guard let parameter else { return nil }
        for path in Self.cursors {
            // `next_page` is a page number or token, while `after` expects the identifier of an item.
            if path == ["next_page"], parameter.name == "after" { continue }
            guard let members = members(object, path), members.last?.schema.isString == true else {
                continue
            }
            return Paging(way: .cursor(parameter: parameter.name, members))
        }
        return nil
    }

    private func lastItem(of list: Object.Member, in object: Object, _ query: [Parameter]) -> Paging? {
        guard let more = object.members["has_more"], case .boolean = more.schema.kind,
            let parameter = query.first(where: { ["starting_after", "after"].contains($0.name) }),
            parameter.schema.isString, case .list(let element) = list.schema.kind,
            let id = self.object(element)?.members["id"]
        else { return nil }
        let isAlwaysText = id.schema.isString && id.isRequired && !id.schema.isNullable
        guard isAlwaysText else { return nil }
        return Paging(way: .lastItem(parameter: parameter.name, list: list, more: more, id: id))
    }

    private func number(_ query: [Parameter], list: Object.Member?) -> Paging? {
        for name in Self.pageParameters + ["offset"] {
            guard let parameter = query.first(where: { $0.name == name }), case .integer = parameter.schema.kind
            else { continue }
            return Paging(way: .number(parameter: name, isOffset: name == "offset", list: list))
        }
        return nil
    }

    /// The members along a path; nil if one is missing.
    private func members(_ object: Object, _ path: [String]) -> [Object.Member]? {
        var members: [Object.Member] = []
        var current: Object? = object
        for name in path {
            guard let member = current?.members[name] else { return nil }
            members.append(member)
            current = self.object(member.schema)
        }
        return members
    }
}

extension Endpoint {
    /// Whether a successful response has a `Link` header, which usually leads to the next page.
    fileprivate var hasLinkHeader: Bool {
        responses.contains { $0.statuses?.lowerBound == 200 && $0.headers.contains("link") }
    }
}
