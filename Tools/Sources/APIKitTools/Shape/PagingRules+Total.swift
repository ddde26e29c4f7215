extension PagingRules {
    /// The headers that have the number of items on all pages, by their names in lower case.
    static let totalHeaders = ["x-total": "X-Total", "x-total-count": "X-Total-Count"]

    /// The members that have this number, and the objects of a response that they may be in.
    private static let totalMembers = [
        "total", "total_count", "totalCount", "total_items", "totalItems", "total_results", "totalResults",
    ]
    private static let objectsWithTotals: [[String]] = [
        [], ["meta"], ["pagination"], ["meta", "pagination"], ["paging"], ["page"],
    ]

    /// Finds the number of items on all pages: in a header that an extension names, in a usual header, or in a member
    /// such as `total_count`. Nil if the description has none of these.
    func total(of endpoint: Endpoint, in response: Schema) -> Paging.Total? {
        if let header = endpoint.behavior.paging?.totalHeader, Self.isHeaderName(header) { return .header(header) }
        for response in endpoint.responses where response.isFor(200...299) {
            // Sorted, since `X-Total-Count` says more exactly what it counts.
            let names = response.headers.intersection(Self.totalHeaders.keys).sorted(by: >)
            if let header = names.first.flatMap({ Self.totalHeaders[$0] }) { return .header(header) }
        }
        guard let object = models.object(response) else { return nil }
        for path in Self.objectsWithTotals {
            for name in Self.totalMembers {
                guard let members = members(of: object, along: path + [name]) else { continue }
                if case .integer? = members.last?.schema.kind { return .member(members) }
            }
        }
        return nil
    }

    /// Whether a text from a description can be a header's name.
    private static func isHeaderName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
}
