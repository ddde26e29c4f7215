import Testing

@testable import APIKitTools

/// Where the number of items on all pages is.
@Suite struct TotalTests {
    /// Generates a list, and returns the value of `total(in:)`, with the notes on headers.
    private func generate(
        _ members: String, headers: String = "", parameters: String = page, extensions: String = ""
    ) throws -> (total: String?, notes: [String]) {
        let list = #""items": {"type": "array", "items": {"type": "integer"}}"#
        let schema = #"{"type": "object", "required": ["total"], "properties": {\#(list)\#(members)}}"#
        let response = #"{"headers": {\#(headers)}, "content": {"application/json": {"schema": \#(schema)}}}"#
        let operation = #"{"parameters": [\#(parameters)], \#(extensions)"responses": {"200": \#(response)}}"#
        let plan = try TemporaryFolder().plan(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        let line = code.split(separator: "\n").first { $0.contains("func total(in") }
        let notes = plan.api.notes.map(\.text).filter { $0.contains("header") }
        return (line.map { String($0.split(separator: "-> Int? ").last ?? "") }, notes)
    }

    private static let page = #"{"name": "page", "in": "query", "schema": {"type": "integer"}}"#

    private static func inner(_ object: String, _ member: String) -> String {
        #", "\#(object)": {"type": "object", "properties": {"\#(member)": {"type": "integer"}}}"#
    }

    @Test(
        arguments: [
            (#", "total": {"type": "integer"}"#, "{ reply.model.total }"),
            (#", "total_count": {"type": "integer"}"#, "{ reply.model.totalCount }"),
            (#", "total": {"type": "integer", "format": "int64"}"#, "{ Int(exactly: reply.model.total) }"),
            (
                #", "totalItems": {"type": "integer", "format": "int64"}"#,
                "{ reply.model.totalItems.flatMap { Int(exactly: $0) } }"
            ),
            (inner("meta", "total"), "{ reply.model.meta?.total }"),
            (inner("pagination", "total_results"), "{ reply.model.pagination?.totalResults }"),
        ] as [(String, String)])
    func memberHasTheTotal(members: String, code: String) throws {
        #expect(try generate(members).total == code)
    }

    @Test(arguments: [
        (#""X-Total-Count": {}"#, "X-Total-Count"), (#""x-total": {}"#, "X-Total"),
        (#""x-total": {}, "x-total-count": {}"#, "X-Total-Count"),
    ])
    func headerHasTheTotal(headers: String, name: String) throws {
        let (total, notes) = try generate(#", "total": {"type": "integer"}"#, headers: headers)
        #expect(total == #"{ reply.head.headers["\#(name)"].flatMap { Int($0) } }"#)
        #expect(notes.isEmpty)
    }

    @Test(arguments: [
        #", "total": {"type": "number"}"#, #", "total": {"type": "string"}"#, #", "total_pages": {"type": "integer"}"#,
        inner("price", "total"),
    ])
    func otherMembersAreNoTotals(members: String) throws {
        #expect(try generate(members).total == nil)
    }

    @Test func listWithoutPagesHasNoTotal() throws {
        let (total, notes) = try generate("", headers: #""x-total": {}"#, parameters: "")
        #expect(total == nil)
        #expect(notes == ["response header x-total: read it from the reply"])
    }

    @Test(arguments: [("X-Row-Count", true), ("X Rows\\r\\n", false), ("", false), ("X-\u{e9}", false)])
    func extensionNamesTheHeader(header: String, isName: Bool) throws {
        let pagination = #""x-pagination": {"style": "link", "totalCountHeader": "\#(header)"}, "#
        let (total, _) = try generate("", extensions: pagination)
        #expect(total == (isName ? #"{ reply.head.headers["X-Row-Count"].flatMap { Int($0) } }"# : nil))
    }
}
