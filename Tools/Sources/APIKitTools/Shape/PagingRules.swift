/// Decides how the next page of an endpoint is requested.
struct PagingRules {
    let models: Models

    /// Decides how an endpoint's next page is requested; nil if it has no pages, or if the description does not show
    /// how.
    ///
    /// A page is a response that is a list or has a member that is one. In HAL, the list is in the member `_embedded`.
    /// Only GET requests whose successful responses are all read in the same way have pages. What an extension of the
    /// description says takes precedence, if the endpoint has the parameter and the members that it names. Without one,
    /// the ways are tried in this order:
    ///
    /// 1. a `Link` header,
    /// 2. a URL in the response, such as `next_url`, unless the response is a single item with a list in it,
    /// 3. a cursor in the response, such as `next_cursor`, which becomes the value of a parameter,
    /// 4. the identifier of the last item, which becomes the value of a parameter,
    /// 5. a parameter for a page number or an offset.
    ///
    /// A response that is just a list has no other members, so only the first and the last way are possible.
    func paging(of endpoint: Endpoint, _ reply: EndpointForm.Reply) -> Paging? {
        guard endpoint.method == "GET", case .one(let reading) = reply, let schema = reading.pageSchema else {
            return nil
        }
        let described = describedPaging(of: endpoint, reading)
        guard var paging = described ?? usualPaging(of: endpoint, schema) else { return nil }
        paging.total = total(of: endpoint, in: schema)
        return paging
    }

    /// Decides how the next page is requested without an extension that says it.
    private func usualPaging(of endpoint: Endpoint, _ schema: Schema) -> Paging? {
        let query = endpoint.parameters.filter { $0.location == .query }
        if schema.isList {
            if endpoint.hasLinkHeader { return Paging(way: .header) }
            return pagingByNumber(query, of: [], more: nil)
        }
        guard let object = models.object(schema) else { return nil }
        let lists = lists(in: object)
        // An object without a list is not a page, even if the response has a `Link` header.
        guard !lists.isEmpty else { return nil }
        if endpoint.hasLinkHeader { return Paging(way: .header) }
        if let link = pathOfLink(in: object), !endpoint.returnsItem(object) { return Paging(way: .link(link)) }
        if let paging = pagingByCursor(in: object, query) { return paging }
        guard let items = listOfItems(lists) else { return nil }
        if let paging = pagingByLastItem(of: items, in: object, query) { return paging }
        return pagingByNumber(query, of: items, more: pathOfMore(in: object, besideList: items))
    }

    /// The paths of the lists that a response may hold its items in, sorted by name: those of its own members, or else
    /// of the member `_embedded` of HAL.
    func lists(in response: Object) -> [[Object.Member]] {
        let own = response.members.values.filter(\.schema.isList).map { [$0] }
        if !own.isEmpty { return own.sorted { $0[0].name < $1[0].name } }
        guard let embedded = response.members["_embedded"] else { return [] }
        guard let object = models.object(embedded.schema) else { return [] }
        let inner = object.members.values.filter(\.schema.isList).sorted { $0.name < $1.name }
        return inner.map { [embedded, $0] }
    }

    /// The path of the list that holds a page's items: the only list of the response, or one with a general name such
    /// as `data`. Nil if there are several lists without such a name.
    func listOfItems(_ lists: [[Object.Member]]) -> [Object.Member]? {
        if lists.count == 1 { return lists[0] }
        return lists.first { list in list.last.map { Paging.listNames.contains($0.name) } == true }
    }

    // MARK: - Links

    /// The paths of members that may be the URL of the next page.
    private static let linkPaths: [[String]] = [
        ["next_page_uri"], ["next_page_url"], ["next_url"], ["next"], ["links", "pages", "next"], ["links", "next"],
        ["links", "next", "href"], ["meta", "next_page_url"], ["_links", "next", "href"],
    ]

    /// Finds the text in a response that is the URL of the next page, and returns the members that lead to it: `links`
    /// and `next` for `{"links": {"next": "https://…"}}`. Nil if there is no such text.
    private func pathOfLink(in response: Object) -> [Object.Member]? {
        for path in Self.linkPaths {
            guard let members = members(of: response, along: path), let last = members.last, last.schema.isString else {
                continue
            }
            // In an object such as `links`, the name `next` can only mean a URL. A member of the response itself, which
            // may also be a cursor, has to be described as one.
            let isInside = path.count > 1
            if isInside || isDescribedAsURL(last) { return members }
        }
        return nil
    }

    /// Whether the name or the description of a member says that it is a URL. A member that is just called `next` may
    /// also be a cursor.
    ///
    /// Whole words are compared: "during" has the letters of "URI", and is not one.
    private func isDescribedAsURL(_ member: Object.Member) -> Bool {
        let description = member.schema.documentation ?? ""
        let wordsOfDescription = description.split { !$0.isLetter }.map { $0.lowercased() }
        let words = Words(member.name).words + wordsOfDescription
        return !Self.wordsForURL.isDisjoint(with: words)
    }

    private static let wordsForURL: Set = ["url", "urls", "uri", "uris", "href", "hyperlink"]

    // MARK: - Cursors

    /// The paths of members that may be the cursor of the next page.
    private static let cursorPaths: [[String]] = [
        ["next_cursor"], ["nextCursor"], ["next_page_token"], ["nextPageToken"], ["next_page"], ["cursor"],
        ["response_metadata", "next_cursor"], ["last_id"], ["meta", "next_cursor"], ["next_token"], ["nextToken"],
        ["pagination", "next_cursor"], ["next_page", "offset"],
    ]

    /// The parameters that may take a cursor.
    private static let cursorParameters: Set = [
        "cursor", "after", "page_token", "pageToken", "next_token", "nextToken", "starting_after", "page_id", "marker",
        "continuation_token", "offset",
    ]

    /// Finds paging by a cursor: a text in the response, such as `next_cursor`, is sent as a parameter, such as
    /// `cursor`, of the next request. Nil unless the endpoint has both.
    ///
    /// The text is searched at ``cursorPaths``, such as `meta` and `next_cursor` for `{"meta": {"next_cursor": …}}`.
    private func pagingByCursor(in response: Object, _ query: [Parameter]) -> Paging? {
        let parameter = query.first { $0.schema.isString && Self.cursorParameters.contains($0.name) }
        guard let parameter else { return nil }
        for path in Self.cursorPaths {
            // `next_page` is a page number or token, while `after` expects the identifier of an item.
            let isMismatch = path == ["next_page"] && parameter.name == "after"
            if isMismatch { continue }
            if let members = members(of: response, along: path), members.last?.schema.isString == true {
                let more = pathOfMore(in: response, beside: path)
                return Paging(way: .cursor(parameter: parameter.name, members, more: more))
            }
        }
        return nil
    }

    /// Finds the Boolean in the same object as a cursor that says whether there is a next page, such as `has_more`, and
    /// returns the members that lead to it. Nil if there is none.
    func pathOfMore(in response: Object, beside cursor: [String]) -> [Object.Member]? {
        pathOfMore(in: response, inside: Array(cursor.dropLast()))
    }

    /// Finds the Boolean that says whether there is a next page, beside the list of a page or in an object such as
    /// `meta`. Nil if there is none.
    func pathOfMore(in response: Object, besideList list: [Object.Member]) -> [Object.Member]? {
        let places = [list.dropLast().map(\.name), [], ["meta"], ["pagination"], ["paging"]]
        return places.lazy.compactMap { pathOfMore(in: response, inside: $0) }.first
    }

    private func pathOfMore(in response: Object, inside place: [String]) -> [Object.Member]? {
        for name in ["has_more", "hasMore", "has_next", "hasNext", "has_next_page", "hasNextPage", "more"] {
            let path = place + [name]
            guard let members = members(of: response, along: path), case .boolean? = members.last?.schema.kind else {
                continue
            }
            return members
        }
        return nil
    }

    // MARK: - Items and numbers

    /// Finds paging by the last item: while the member `has_more` is true, the `id` of the list's last item is sent as
    /// the parameter `starting_after` or `after` of the next request. Nil unless the endpoint has all of these.
    private func pagingByLastItem(
        of path: [Object.Member], in response: Object, _ query: [Parameter]
    ) -> Paging? {
        guard path.count == 1, let list = path.first else { return nil }
        guard let more = response.members["has_more"], case .boolean = more.schema.kind else { return nil }
        let parameter = query.first { ["starting_after", "after"].contains($0.name) }
        guard let parameter, parameter.schema.isString else { return nil }
        guard case .list(let item) = list.schema.kind, let id = models.object(item)?.members["id"] else { return nil }
        // The parameter takes a text, so the identifier has to be one, and no item may lack it.
        let isAlwaysText = id.schema.isString && id.isRequired && !id.schema.isNullable
        guard isAlwaysText else { return nil }
        return Paging(way: .lastItem(parameter: parameter.name, list: list, more: more, id: id))
    }

    /// Finds paging by a parameter that is a whole number: the number of a page, such as `page`, or an `offset`, which
    /// counts the items before it.
    ///
    /// - Parameters:
    ///   - query: The parameters in the endpoint's query.
    ///   - list: The path of the list that holds the items; empty if the response is the list.
    ///   - more: The path of the Boolean that says whether there is a next page; nil if there is none.
    /// - Returns: Paging by that number; nil if the query has no such parameter.
    private func pagingByNumber(
        _ query: [Parameter], of list: [Object.Member], more: [Object.Member]?
    ) -> Paging? {
        for name in ["page", "page_number", "pageNumber", "offset"] {
            let parameter = query.first { $0.name == name }
            if let parameter, case .integer = parameter.schema.kind {
                return Paging(way: .number(parameter: name, isOffset: name == "offset", list: list, more: more))
            }
        }
        return nil
    }

    // MARK: - Members

    /// The members that lead to a value inside an object: `meta` and `next` for the path `["meta", "next"]`. Nil if one
    /// of them is missing.
    func members(of start: Object, along path: [String]) -> [Object.Member]? {
        var members: [Object.Member] = []
        var current: Object? = start
        for name in path {
            guard let member = current?.members[name] else { return nil }
            members.append(member)
            current = models.object(member.schema)
        }
        return members
    }
}

extension Endpoint {
    /// Whether a response is a single thing, such as the invoice at `/invoices/{id}` with its `id` and a list of lines.
    /// The next one that it links to is then another thing, and not a page.
    fileprivate func returnsItem(_ response: Object) -> Bool {
        path.last == "}" && response.members["id"] != nil
    }

    /// Whether the response with status 200 has a `Link` header, which usually leads to the next page.
    fileprivate var hasLinkHeader: Bool {
        responses.contains { $0.statuses?.lowerBound == 200 && $0.headers.contains("link") }
    }
}

extension EndpointForm.Reading {
    /// The schema of a response that may be a page of a list; nil if it is not JSON, or an object that may be null.
    var pageSchema: Schema? {
        switch self {
        case .json(let schema), .envelope(let schema, _):
            // A null object has no members that lead to the next page. A null list is just an empty page.
            let mayLackMembers = schema.isNullable && !schema.isList
            return mayLackMembers ? nil : schema
        default:
            return nil
        }
    }
}
