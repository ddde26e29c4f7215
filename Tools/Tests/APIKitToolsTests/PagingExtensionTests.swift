import Testing

@testable import APIKitTools

/// How extensions say which request leads to the next page.
@Suite struct PagingExtensionTests {
    /// Generates an operation, and returns the line of `next(after:)`, with what the summary says is not used.
    private func generate(
        _ extensions: String, schema: String = response, method: String = "get",
        root: String = ""
    ) throws -> (next: String?, unused: [String]) {
        let content = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let operation = #"{"parameters": [\#(Self.query)], \#(extensions), "responses": {"200": \#(content)}}"#
        let plan = try TemporaryFolder().plan(
            ErrorTests.head + #"\#(root)"paths": {"/a": {"\#(method)": \#(operation)}}}"#)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        let next = code.split(separator: "\n").first { $0.contains("next(setting:") || $0.contains("next(advancing:") }
        let unused = SummaryLines(plan.api.notes).ofEachKind.filter { $0.hasPrefix("not used") }
        return (next.map(String.init), unused)
    }

    private static let query = ["after", "start", "page"].map { name in
        #"{"name": "\#(name)", "in": "query", "schema": {"type": "\#(name == "after" ? "string" : "integer")"}}"#
    }.joined(separator: ", ")

    private static let response = #"""
        {"type": "object", "required": ["rows", "info"], "properties": {
        "rows": {"type": "array", "items": {"type": "integer"}}, "more": {"type": "array", "items": {"type": "string"}},
        "info": {"type": "object", "required": ["url"], "properties": {"url": {"type": "string"},
        "token": {"type": "string"}, "count": {"type": "integer"}}}}}
        """#

    private static func speakeasy(_ type: String, _ input: String, _ outputs: String) -> String {
        let inputs = #"[{"name": "limit", "in": "parameters", "type": "limit"}, \#(input)]"#
        return #""x-speakeasy-pagination": {"type": "\#(type)", "inputs": \#(inputs), "outputs": {\#(outputs)}}"#
    }

    private static func input(_ name: String, _ type: String, in location: String = "parameters") -> String {
        #"{"name": "\#(name)", "in": "\#(location)", "type": "\#(type)"}"#
    }

    private static let url = #"\.pageLink, to: reply.model.info.url"#

    @Test(
        arguments: [
            (#""x-shop-pagination": {"style": "link"}"#, #"next(setting: \.pageLink, to: reply.links[.next])"#),
            (
                #""x-shop-pagination": {"style": "page", "pageParam": "start", "key": "rows"}"#,
                #"next(advancing: \.start, by: reply.model.rows.isEmpty ? 0 : 1)"#
            ),
            (speakeasy("url", "{}", #""nextUrl": "$.info.url""#), "next(setting: \(url))"),
            (
                speakeasy("cursor", input("after", "cursor"), #""nextCursor": "$.info.token", "results": "$.rows""#),
                #"next(setting: \.after, to: reply.model.info.token)"#
            ),
            (
                speakeasy("offsetLimit", input("start", "offset"), #""results": "$.rows""#),
                #"next(advancing: \.start, by: reply.model.rows.count)"#
            ),
            (
                speakeasy("offsetLimit", input("page", "page"), #""results": "$.more""#),
                #"next(advancing: \.page, by: reply.model.more?.isEmpty != false ? 0 : 1)"#
            ),
            (
                #""x-fern-pagination": {"next_uri": "$response.info.url", "results": "$response.rows"}"#,
                "next(setting: \(url))"
            ),
            (
                #""x-fern-pagination": {"cursor": "$request.after", "next_cursor": "$response.info.token"}"#,
                #"next(setting: \.after, to: reply.model.info.token)"#
            ),
            (
                #""x-fern-pagination": {"offset": "$request.start", "step": "$request.n", "results": "$response.rows"}"#,
                #"next(advancing: \.start, by: reply.model.rows.count)"#
            ),
            (
                #""x-fern-pagination": {"offset": "$request.page", "results": "$response.rows"}"#,
                #"next(advancing: \.page, by: reply.model.rows.isEmpty ? 0 : 1)"#
            ),
        ] as [(String, String)])
    func extensionLeadsToTheNextPage(extensions: String, code: String) throws {
        let (next, unused) = try generate(extensions)
        #expect(next?.contains(code) == true, "\(extensions): \(next ?? "no pages")")
        #expect(unused.isEmpty)
    }

    @Test(
        arguments: [
            (#""nextLinkName": "@odata.nextLink""#, "@odata.nextLink"), (#""itemName": "value""#, "nextLink"),
        ] as [(String, String)])
    func linksOfMicrosoftAreFollowed(content: String, member: String) throws {
        let schema = #"""
            {"type": "object", "properties": {"\#(member)": {"type": "string"},
            "value": {"type": "array", "items": {"type": "integer"}}}}
            """#
        let (next, unused) = try generate(#""x-ms-pageable": {\#(content)}"#, schema: schema)
        #expect(next?.contains(#"next(setting: \.pageLink, to: reply.model."#) == true)
        #expect(unused.isEmpty)
    }

    /// Without the extension, the number of a page would be guessed.
    @Test(arguments: [
        #"{"type": "array", "items": {"type": "integer"}}"#,
        #"{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}"#,
    ])
    func linksAreFollowedWhateverTheResponseIs(schema: String) throws {
        let (next, unused) = try generate(#""x-shop-pagination": {"style": "link"}"#, schema: schema)
        #expect(next?.contains("reply.links[.next]") == true)
        #expect(unused.isEmpty)
    }

    @Test func extensionAtTheRootIsMeantByTrue() throws {
        let root = #""x-fern-pagination": {"offset": "$request.start", "step": 1, "results": "$response.rows"}, "#
        let (next, unused) = try generate(#""x-fern-pagination": true"#, root: root)
        #expect(next?.contains(#"\.start"#) == true)
        #expect(unused.isEmpty)
        #expect(try generate(#""x-fern-pagination": true"#).unused == ["not used: x-fern-pagination, 1 place"])
    }

    @Test(arguments: [
        #""x-pagination": {"style": "window"}"#, #""x-pagination": {"style": "page"}"#, #""x-pagination": "link""#,
        #""x-pagination": {"style": "page", "pageParam": "after"}"#, #""x-pagination": {}"#,
        speakeasy("cursor", input("after", "cursor", in: "requestBody"), #""nextCursor": "$.info.token""#),
        speakeasy("cursor", input("start", "cursor"), #""nextCursor": "$.info.token""#),
        speakeasy("cursor", input("after", "cursor"), #""nextCursor": "$.info.count""#),
        speakeasy("cursor", input("after", "cursor"), #""nextCursor": "$.rows[-1].id""#),
        speakeasy("cursor", input("after", "cursor"), #""nextCursor": "$.nothing.token""#),
        speakeasy("url", "{}", #""nextUrl": "$.info""#), speakeasy("url", "{}", #""nextUrl": "$""#),
        speakeasy("other", input("after", "cursor"), #""nextUrl": "$.info.url""#),
        #""x-fern-pagination": {"cursor": "$request.filter.after", "next_cursor": "$response.info.token"}"#,
        #""x-fern-pagination": {"type": "custom"}"#, #""x-ms-pageable": {"nextLinkName": null}"#,
    ])
    func otherStatementsAreNotUsed(extensions: String) throws {
        let (_, unused) = try generate(extensions)
        let name = extensions.split(separator: "\"")[0]
        #expect(unused == ["not used: \(name), 1 place"])
    }

    @Test func otherMethodsHaveNoPages() throws {
        let (next, unused) = try generate(#""x-pagination": {"style": "link"}"#, method: "post")
        #expect(next == nil)
        #expect(unused == ["not used: x-pagination, 1 place"])
    }

    /// The extension names the member `data` around the content that the endpoint returns.
    @Test(
        arguments: [
            (#""next_uri": "$response.data.url""#, #"\.pageLink, to: reply.model.url"#),
            (#""cursor": "$request.after", "next_cursor": "$response.data.url""#, #"\.after, to: reply.model.url"#),
        ] as [(String, String)])
    func pathsLeadThroughEnvelopes(members: String, code: String) throws {
        let page = #"""
            {"type": "object", "required": ["rows", "url"], "properties": {"url": {"type": "string"},
            "rows": {"type": "array", "items": {"type": "integer"}}}}
            """#
        let schema = #"{"type": "object", "required": ["data"], "properties": {"data": \#(page)}}"#
        let (next, unused) = try generate(#""x-fern-pagination": {\#(members)}"#, schema: schema)
        #expect(next?.contains(code) == true)
        #expect(unused.isEmpty)
    }

    /// Links of HAL and JSON:API are signs of pages without an extension. A link of JSON:API is a text or an object.
    @Test(
        arguments: [
            ("_links", #"{"type": "object", "properties": {"href": {"type": "string"}}}"#, "links?.next?.href"),
            ("links", #"{"type": "object", "properties": {"href": {"type": "string"}}}"#, "links?.next?.href"),
            ("links", #"{"type": "string"}"#, "links?.next"),
        ] as [(String, String, String)])
    func linksInTheResponseAreFollowed(name: String, link: String, code: String) throws {
        let links = #"{"type": "object", "properties": {"next": \#(link)}}"#
        let schema = #"""
            {"type": "object", "properties": {"\#(name)": \#(links),
            "data": {"type": "array", "items": {"type": "integer"}}}}
            """#
        let (next, _) = try generate(#""x-other": 1"#, schema: schema)
        #expect(next?.contains(#"next(setting: \.pageLink, to: reply.model.\#(code))"#) == true)
    }
}
