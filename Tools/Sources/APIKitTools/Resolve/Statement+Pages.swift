import OpenAPIRules

extension Statement {
    /// Reads how the next page is requested; nil if the value does not say it in a known way.
    ///
    ///     {"style": "link"}                                                          x-basecamp-pagination
    ///     {"type": "url", "outputs": {"nextUrl": "$.links.next"}}                    x-speakeasy-pagination
    ///     {"cursor": "$request.cursor", "next_cursor": "$response.next"}             x-fern-pagination
    ///     {"nextLinkName": "nextLink"}                                               x-ms-pageable
    mutating func paging() -> DescribedPaging? {
        guard isObject, let way = way() else { return nil }
        return DescribedPaging(way: way, totalHeader: totalHeader(), name: shownName, place: element.shownPlace)
    }

    /// Reads the header that has the number of items on all pages; nil if the value does not name one.
    mutating func totalHeader() -> String? { text("totalCountHeader", "total_count_header") }

    private mutating func way() -> DescribedPaging.Way? {
        if let style = text("style") { return way(ofStyle: style) }
        if let type = text("type") { return way(ofType: type) }
        if name == "x-ms-pageable" { return wayOfNextLinkName() }
        return wayOfExpressions()
    }

    /// The way of a style, as Basecamp's and HEY's descriptions name it: `link`, or `page` with the parameter.
    private mutating func way(ofStyle style: String) -> DescribedPaging.Way? {
        let list = text("key").map { [$0] }
        switch style {
        case "link":
            return .header
        case "page":
            guard let parameter = text("pageParam", "page_param") else { return nil }
            return .number(parameter: parameter, isOffset: false, list: list)
        default:
            return nil
        }
    }

    /// The way of `x-ms-pageable`, with Microsoft's defaults for the names of members. A name that is null says that
    /// there is only one page.
    private mutating func wayOfNextLinkName() -> DescribedPaging.Way? {
        _ = value("itemName")
        guard let link = value("nextLinkName") else { return .link(["nextLink"]) }
        return link.string.map { .link([$0]) }
    }

    // MARK: - Speakeasy

    /// The way of a type, as Speakeasy names it, with the parameters and the members of the response as a list and an
    /// object of expressions:
    ///
    ///     {"type": "cursor", "inputs": [{"name": "after", "in": "parameters", "type": "cursor"}],
    ///      "outputs": {"nextCursor": "$.meta.next", "results": "$.data"}}
    private mutating func way(ofType type: String) -> DescribedPaging.Way? {
        let inputs = value("inputs")?.elements ?? []
        let outputs = value("outputs")
        let list = outputs?["results"].flatMap(Self.path)
        switch type {
        case "url":
            return outputs?["nextUrl"].flatMap(Self.path).map { .link($0) }
        case "cursor":
            guard let parameter = Self.parameter("cursor", of: inputs) else { return nil }
            return outputs?["nextCursor"].flatMap(Self.path).map { .cursor(parameter: parameter, $0) }
        case "offsetLimit":
            if let page = Self.parameter("page", of: inputs) {
                return .number(parameter: page, isOffset: false, list: list)
            }
            return Self.parameter("offset", of: inputs).map { .number(parameter: $0, isOffset: true, list: list) }
        default:
            return nil
        }
    }

    /// The name of the parameter that has a type; nil if there is none, or if it is in the body.
    private static func parameter(_ type: String, of inputs: [Node]) -> String? {
        let input = inputs.first { $0["type"]?.string == type }
        guard let input, input["in"]?.string == "parameters" else { return nil }
        return input["name"]?.string
    }

    // MARK: - Fern

    /// The way that Fern's members express. A `step` is the number of items on a page, so the parameter is an offset.
    private mutating func wayOfExpressions() -> DescribedPaging.Way? {
        let list = value("results").flatMap(Self.path)
        if let link = value("next_uri") { return Self.path(link).map { .link($0) } }
        if let cursor = value("cursor").flatMap(Self.parameter) {
            return value("next_cursor").flatMap(Self.path).map { .cursor(parameter: cursor, $0) }
        }
        if let number = value("offset").flatMap(Self.parameter) {
            let isOffset = value("step") != nil
            return .number(parameter: number, isOffset: isOffset, list: list)
        }
        return nil
    }

    /// The name of the parameter in an expression such as `$request.cursor`; nil for a member of an object.
    private static func parameter(_ expression: Node) -> String? {
        guard let parts = parts(of: expression, after: ["$request"]), parts.count == 1 else { return nil }
        return parts[0]
    }

    /// The names of the members in an expression such as `$.meta.next` or `$response.meta.next`; nil for one that
    /// selects elements of a list, or has other operators.
    private static func path(_ expression: Node) -> [String]? { parts(of: expression, after: ["$", "$response"]) }

    private static func parts(of expression: Node, after roots: Set<String>) -> [String]? {
        guard let text = expression.string else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let root = parts.first, roots.contains(root), parts.count > 1 else { return nil }
        let names = parts.dropFirst()
        let areNames = names.allSatisfy { name in
            !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        }
        return areNames ? Array(names) : nil
    }
}
