import Foundation
import Testing

@testable import APIKitTools

/// What is written for one operation, and what the summary says of it.
@Suite struct OperationTests {
    /// Generates the operations of a path.
    private func generate(_ methods: String, path: String = "/a") throws -> (code: String, notes: [String]) {
        let plan = try TemporaryFolder().plan(ErrorTests.head + #""paths": {"\#(path)": {\#(methods)}}}"#)
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        return (files.map(\.text).joined(), plan.api.notes.filter { !$0.text.contains("URL") }.map(\.text))
    }

    private func parameter(_ name: String, _ location: String, _ schema: String, _ more: String = "") -> String {
        #"{"name": "\#(name)", "in": "\#(location)", "schema": \#(schema)\#(more.isEmpty ? "" : ", \(more)")}"#
    }

    private static let texts = #"{"type": "array", "items": {"type": "string"}}"#
    private static let object = #"{"type": "object", "properties": {"x": {"type": "integer"}}}"#
    private static let deep = #""style": "deepObject""#

    // MARK: - Lists

    private func list(_ name: String, _ more: String = #""explode": false"#) -> String {
        parameter(name, "query", Self.texts, more)
    }

    @Test func listsOfAnotherStyleThanMostStateTheirs() throws {
        let lists = [list("deep", Self.deep), list("plain", #""explode": true"#), list("commas"), list("more", "")]
        let pipes = list("pipes", #""style": "pipeDelimited""#)
        let spaces = list("spaces", #""style": "spaceDelimited", "explode": false"#)
        let exploded = list("exploded", #""style": "pipeDelimited", "explode": true"#)
        let all = (lists + [pipes, spaces, exploded]).joined(separator: ", ")
        let (code, notes) = try generate(#""get": {"parameters": [\#(all)]}"#)
        #expect(code.contains(#"static let test = APIBase("https://api.example.com")"#))
        for value in [
            #""deep": .list(deep, as: .indexed)"#, #""plain": plain"#, #""commas": .list(commas, as: .commas)"#,
            #""pipes": .list(pipes, as: .pipes)"#, #""spaces": .list(spaces, as: .spaces)"#, #""exploded": exploded"#,
        ] {
            #expect(code.contains(value), "\(value)")
        }
        #expect(code.components(separatedBy: "APIBase(").count == 2)
        #expect(notes.isEmpty)
    }

    @Test func baseHasTheStyleOfMostLists() throws {
        let comma = #"{"parameters": [\#(list("ids")), \#(parameter("X-Ids", "header", Self.texts))]}"#
        let plain = #"{"parameters": [\#(list("ids")), \#(list("tags", #""explode": true"#))]}"#
        let (code, notes) = try generate(#""get": \#(comma), "delete": \#(comma), "head": \#(plain)"#)
        #expect(
            code.contains(
                #"static let test = APIBase("https://api.example.com", parameterStyle: ParameterStyle(lists: .commas))"#
            ))
        #expect(code.components(separatedBy: #"Parameters { ["ids": ids] }"#).count == 3)
        #expect(code.components(separatedBy: #"["X-Ids": xIDs?.joined(separator: ",")]"#).count == 3)
        #expect(code.contains(#"["ids": ids, "tags": .list(tags, as: .repeated)]"#))
        #expect(notes.isEmpty)
    }

    @Test func listsInObjectsHaveIndexesByTheirType() throws {
        let deep = parameter("filter", "query", #"{"type": "object", "properties": {"x": \#(Self.texts)}}"#, Self.deep)
        let (code, notes) = try generate(
            #""get": {"parameters": [\#(deep), \#(list("tags", "")), \#(list("ids", ""))]}"#)
        #expect(code.contains(#".object(["x": x.map { Parameters.Node.list($0, as: .indexed) }])"#))
        #expect(code.contains(#"["filter": filter, "ids": ids, "tags": tags]"#))
        #expect(notes.isEmpty)
    }

    /// With the commas of the base, the library would refuse to send a list of objects.
    @Test func listsInObjectsOfAFormRepeatTheirName() throws {
        let item = #"{"type": "object", "properties": {"rows": {"type": "array", "items": \#(Self.object)}}}"#
        let form = body("application/x-www-form-urlencoded", #""item": \#(item)"#)
        let (code, _) = try generate(#""get": {"parameters": [\#(list("a")), \#(list("b"))]}, \#(form)"#)
        #expect(code.contains("parameterStyle: ParameterStyle(lists: .commas)"))
        #expect(code.contains(#".object(["rows": rows.map { Parameters.Node.list($0, as: .repeated) }])"#))
    }

    @Test func listThatCannotStateItsStyleIsInTheSummary() throws {
        let grid = #"{"type": "array", "items": \#(Self.texts)}"#
        let deep = parameter("filter", "query", #"{"type": "object", "properties": {"x": \#(grid)}}"#, Self.deep)
        let lists = ["a", "b"].map { list($0, "") }.joined(separator: ", ")
        let nested = try generate(#""get": {"parameters": [\#(deep), \#(lists)]}"#)
        #expect(nested.notes == ["a list in a list or a dictionary is sent like other lists"])
        // A `Patch` may be null, so it is not a list in the code.
        let type = "application/x-www-form-urlencoded"
        let member = #""ids": {"nullable": true, \#(Self.texts.dropFirst())"#
        let form = #""properties": {\#(member)}, "type": "object""#
        let content = #"{"\#(type)": {"schema": {\#(form)}, "encoding": {"ids": {"explode": false}}}}"#
        let patch = try generate(
            #""patch": {"parameters": [\#(lists)], "requestBody": {"content": \#(content)}}"#)
        #expect(patch.code.contains(#"["ids": ids]"#))
        #expect(patch.notes == ["the list ids is not sent as commas"])
    }

    @Test func listIsEmptyByDefaultWhereThatSendsNothing() throws {
        let counts = parameter("counts", "query", #"{"type": "object", "additionalProperties": {"type": "integer"}}"#)
        let ids = parameter("ids", "query", Self.texts, #""style": "pipeDelimited""#)
        let (code, _) = try generate(
            #""get": {"parameters": [\#(list("tags", Self.deep)), \#(counts), \#(ids)]}"#)
        for line in ["tags: [String] = []", "counts: [String: Int] = [:]", "ids: [String] = []"] {
            #expect(code.contains("    var \(line)\n"))
        }
        for (type, line) in [
            ("application/json", "tags: [String]?"), ("application/x-www-form-urlencoded", "tags: [String] = []"),
        ] {
            #expect(try generate(body(type, #""tags": \#(Self.texts)"#)).code.contains("    var \(line)\n"))
        }
    }

    @Test(
        arguments: [
            (texts, "", #"\(list: a)"#), (texts, #""explode": true"#, #"\(list: a)"#), (object, "", #"\(list: a)"#),
            (object, #""explode": true"#, #"\(list: a, exploded: true)"#),
            (texts, #""style": "label""#, #"\(label: a)"#),
            (texts, #""style": "label", "explode": true"#, #"\(label: a, exploded: true)"#),
            (#"{"type": "integer"}"#, #""style": "label", "explode": true"#, #"\(label: a)"#),
            (texts, #""style": "matrix""#, #"\(matrix: a, name: "a")"#),
            (object, #""style": "matrix", "explode": true"#, #"\(matrix: a, exploded: true, name: "a")"#),
            (#"{"type": "object", "additionalProperties": {"type": "string"}}"#, "", #"\(list: a)"#),
        ] as [(String, String, String)])
    func valuesInAPathHaveTheirStyle(schema: String, style: String, value: String) throws {
        let more = [#""required": true"#, style].filter { !$0.isEmpty }.joined(separator: ", ")
        let (code, notes) = try generate(
            #""get": {"parameters": [\#(parameter("a", "path", schema, more))]}"#, path: "/x/{a}")
        #expect(code.contains(#"var path: URLPath { "x/\#(value)" }"#))
        #expect(notes.isEmpty)
    }

    @Test func whatAPathCannotHoldIsATextAndInTheSummary() throws {
        let deep = #"{"type": "object", "properties": {"x": \#(Self.texts)}}"#
        let (code, notes) = try generate(
            #""get": {"parameters": [\#(parameter("a", "path", deep, #""required": true"#))]}"#, path: "/x/{a}")
        #expect(code.contains("var a: String\n"))
        #expect(notes == ["path parameter a is a String"])
    }

    @Test func unknownStyleIsInTheSummary() throws {
        let unknown = parameter("a", "query", Self.texts, #""style": "simple""#)
        #expect(
            try generate(#""get": {"parameters": [\#(unknown)]}"#).notes == ["the style simple is unknown in a query"])
    }

    // MARK: - What is not translated

    @Test func headerThatCannotBeSentIsSkipped() throws {
        let (code, notes) = try generate(
            #""get": {"parameters": [\#(parameter("header param", "header", #"{"type": "string"}"#))]}"#)
        #expect(!code.contains("header param"))
        #expect(notes == ["header parameter header param, which is not a valid name"])
    }

    @Test(
        arguments: [
            (#""responses": {"200": {"links": {"next": {}}}}"#, "links of a response"),
            (
                #""responses": {"200": {"headers": {"X-Total": {}, "Link": {}}}}"#,
                "response header x-total: read it from the reply"
            ),
            (
                #""responses": {"200": {"content": {"application/json": {"schema": {"not": {"type": "string"}}}}}}"#,
                "the keyword not of a schema is ignored"
            ),
            (
                #""parameters": [{"name": "q", "in": "query", "content": {"application/json": {}, "text/csv": {}}}]"#,
                "parameter q has only the first of several media types"
            ),
        ] as [(String, String)])
    func whatIsIgnoredIsInTheSummary(operation: String, expected: String) throws {
        #expect(try generate(#""get": {\#(operation)}"#).notes.contains(expected))
    }

    @Test func partsOfAFormAreInTheSummary() throws {
        let encoding = #"{"meta": {"contentType": "image/png", "headers": {"X-A": {}}}}"#
        let notes = try generate(body("multipart/form-data", #""meta": {"type": "string"}"#, encoding)).notes
        #expect(
            notes == ["headers of the form member meta", "form member meta has any media type, not only image/png"])
    }

    // MARK: - Media types

    @Test(
        arguments: [
            (["application/*+json", "application/geo+json", "application/json", "text/json"], "application/json"),
            (["application/hal+json", "application/json; charset=utf-8"], "application/json; charset=utf-8"),
            (["application/json-patch+json", "application/merge-patch+json"], "application/merge-patch+json"),
            (["application/json-patch+json", "application/vnd.a+json"], "application/vnd.a+json"),
            (["application/a+json", "application/x-www-form-urlencoded"], "application/a+json"),
        ] as [([String], String)])
    func jsonItselfComesBeforeItsRelatives(types: [String], best: String) throws {
        let contents = types.map { #""\#($0)": {"schema": \#(Self.object)}"# }.joined(separator: ", ")
        let plan = try TemporaryFolder().plan(
            ErrorTests.head + #""paths": {"/a": {"patch": {"requestBody": {"content": {\#(contents)}}, "#
                + #""responses": {"200": {"content": {\#(contents)}}}}}}}"#)
        let endpoint = try #require(plan.api.endpoints.first)
        #expect(endpoint.body?.mediaType == best)
        #expect(endpoint.responses.first?.content?.mediaType == best)
    }

    @Test func bodyThatIsNotJSONHasNoMembersAndIsInTheSummary() throws {
        let (_, notes) = try generate(
            #""post": {"requestBody": {"content": {"application/xml": {"schema": \#(Self.object)}}}}"#)
        #expect(notes == ["a body in application/xml is bytes or a text, without its members"])
    }

    // MARK: - Moments

    @Test(
        arguments: [
            (#""example": "2020-12-03T19:04:58.697""#, "String"), (#""examples": ["2020-12-03"]"#, "String"),
            (#""default": "2020-12-03 19:04""#, "String"), (#""example": "2020-12-03T19:04:58Z""#, "Date"),
            (#""example": "2020-12-03T19:04:58+01:00""#, "Date"), (#""example": "string""#, "Date"),
            (#""x": 1"#, "Date"),
        ] as [(String, String)])
    func momentWhoseExampleHasNoOffsetIsAText(example: String, type: String) throws {
        let moment = #"{"type": "string", "format": "date-time", \#(example)}"#
        let content = #"{"application/json": {"schema": {"properties": {"a": {}, "at": \#(moment)}}}}"#
        let (code, notes) = try generate(#""get": {"responses": {"200": {"content": \#(content)}}}"#)
        #expect(code.contains("let at: \(type)?"))
        #expect(notes == (type == "Date" ? [] : ["at is a String, since its example has no offset from UTC"]))
    }

    @Test(arguments: [
        #""example": [{"at": "2020-12-03T19:04:58", "all": ["2020-12-03T19:04:58"]}]"#,
        #""examples": {"x": {"value": [{"at": "2020-12-03T19:04:58", "all": ["2020-12-03T19:04:58"]}]}}"#,
    ])
    func momentsAreReadAsTheExampleOfAResponseShowsThem(example: String) throws {
        let moment = #"{"type": "string", "format": "date-time"}"#
        let schema =
            #"{"type": "array", "items": {"properties": {"at": \#(moment), "until": \#(moment), "#
            + #""all": {"type": "array", "items": \#(moment)}}}}"#
        let content = #"{"application/json": {"schema": \#(schema), \#(example)}}"#
        let (code, notes) = try generate(#""get": {"responses": {"200": {"content": \#(content)}}}"#)
        for line in ["let at: String?", "let all: [String]?", "let until: Date?"] { #expect(code.contains(line)) }
        #expect(notes.count == 2 && notes.allSatisfy { $0.hasSuffix("since an example has no offset from UTC") })
    }

    // MARK: - Servers

    @Test func serverOfAnOperationIsABaseOfItsOwn() throws {
        let (code, _) = try generate(#""get": {"servers": [{"url": "https://uploads.example.com/v1/"}]}"#)
        #expect(code.contains(#"static let testUploads = APIBase("https://uploads.example.com/v1")"#))
        #expect(code.contains("var base: APIBase { .testUploads }"))
    }

    // MARK: - Parameters

    @Test(
        arguments: [
            (#"{"type": "array", "items": {"type": "integer"}}"#, "a: [Int]", #"\(list: a)"#),
            (#"{"type": "string", "format": "date-time"}"#, "a: Date", #"\(a.ISO8601Format())"#),
            (#"{"type": "string", "enum": ["x", "y"]}"#, "a: A", #"\(a)"#),
            (#"{"type": "boolean"}"#, "a: Bool", #"\(a.description)"#), (#"{}"#, "a: String", #"\(a)"#),
            (#"{"type": "number"}"#, "a: Double", #"\(list: a)"#),
            (#"{"type": "number", "enum": [1, 2.5]}"#, "a: A", #"\(list: a)"#),
        ] as [(String, String, String)])
    func valuesInAPathHaveTheirTypes(schema: String, property: String, value: String) throws {
        let (code, notes) = try generate(
            #""get": {"parameters": [\#(parameter("a", "path", schema, #""required": true"#))]}"#, path: "/x/{a}")
        #expect(code.contains("var \(property)\n"))
        #expect(code.contains(#"var path: URLPath { "x/\#(value)" }"#))
        #expect(notes.isEmpty)
    }

    /// `description` would write a whole number as `1.0`.
    @Test func libraryWritesDecimalNumbersInHeaders() throws {
        let number = parameter("One", "header", #"{"type": "number"}"#)
        let list = parameter("Many", "header", #"{"type": "array", "items": {"type": "number"}}"#)
        let (code, _) = try generate(#""get": {"parameters": [\#(number), \#(list)]}"#)
        #expect(code.contains(#""One": one"#))
        #expect(code.contains(#""Many": many.map { Parameters.Node.list($0, as: .commas) }"#))
    }

    @Test func headersThatAreListsOfEnumsAreJoined() throws {
        let values = #"{"type": "array", "items": {"type": "string", "enum": ["x", "y"]}}"#
        let (code, _) = try generate(#""get": {"parameters": [\#(parameter("Wanted", "header", values))]}"#)
        #expect(code.contains("var wanted: [Wanted]?"))
        #expect(code.contains(#"["Wanted": wanted?.map(\.rawValue).joined(separator: ",")]"#))
    }

    @Test(
        arguments: [
            ("header", "", #"["a": a]"#), ("query", #""style": "form", "explode": false"#, #"["a": a]"#),
            ("query", #""style": "pipeDelimited""#, #"["a": a]"#),
        ] as [(String, String, String)])
    func objectsThatNeedATextAreStringsAndInTheSummary(location: String, style: String, value: String) throws {
        let (code, notes) = try generate(#""get": {"parameters": [\#(parameter("a", location, Self.object, style))]}"#)
        #expect(code.contains("var a: String?"))
        #expect(code.contains(value))
        #expect(notes == ["\(location) parameter a is a String"])
    }

    @Test func objectInAQueryIsSentAsItsMembers() throws {
        let (code, notes) = try generate(#""get": {"parameters": [\#(parameter("a", "query", Self.object))]}"#)
        #expect(code.contains(#"var parameters: Parameters { ["x": x] }"#))
        #expect(notes == ["query parameter a is sent as its members x"])
    }

    @Test(
        arguments: [
            (#"{"url": "/upload"}"#, #"APIBase("https://api.example.com/upload")"#, []),
            (#"{"url": "upload/"}"#, #"APIBase("https://api.example.com/v1/upload")"#, []),
            (
                #"{"url": "/upload"}, {"url": "https://u.example.com"}"#, #"APIBase("https://api.example.com/upload")"#,
                ["a request is sent to the first of its 2 servers"]
            ),
        ] as [(String, String, [String])])
    func serverOfAnOperationMayBeRelative(servers: String, base: String, expected: [String]) throws {
        let plan = try TemporaryFolder().plan(
            ErrorTests.head
                + #""servers": [{"url": "https://api.example.com/v1/"}], "paths": {"/b": {"get": {}}, "#
                + #""/a": {"get": {"servers": [\#(servers)]}}}}"#)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains(base))
        #expect(plan.api.notes.filter { $0.kind == .simplified }.map(\.text) == expected)
    }

    @Test func idempotencyKeyThatIsAnObjectIsAUUIDWithoutALine() throws {
        let key = parameter("Idempotency-Key", "header", #"{"type": "object"}"#)
        let (code, notes) = try generate(#""post": {"parameters": [\#(key)]}"#)
        #expect(code.contains("var idempotencyKey = UUID()"))
        #expect(notes.isEmpty)
    }

    @Test func headersThatTheLibraryNamesHaveItsNames() throws {
        let headers = ["idempotency-key", "If-None-Match", "X-Id"].map {
            parameter($0, "header", #"{"type": "string"}"#)
        }
        let (code, _) = try generate(#""post": {"parameters": [\#(headers.joined(separator: ", "))]}"#)
        #expect(code.contains("    var idempotencyKey = UUID()\n"))
        #expect(
            code.contains(
                #"[.idempotencyKey: idempotencyKey.uuidString, .ifNoneMatch: ifNoneMatch, "X-Id": xID]"#))
    }

    @Test(
        arguments: [
            ("post", #"{"type": "string", "maxLength": 36}"#, "var idempotencyKey = UUID()"),
            ("get", #"{"type": "string"}"#, "var idempotencyKey: String?"),
            ("post", #"{"type": "string", "maxLength": 35}"#, "var idempotencyKey: String?"),
            ("post", #"{"type": "string", "pattern": "^[a-z]*$"}"#, "var idempotencyKey: String?"),
        ] as [(String, String, String)])
    func idempotencyKeyIsAUUIDWhereOneMayBeSent(method: String, schema: String, property: String) throws {
        let header = parameter("Idempotency-Key", "header", schema)
        #expect(try generate(#""\#(method)": {"parameters": [\#(header)]}"#).code.contains("    \(property)\n"))
    }

    // MARK: - Bodies

    private func wrapped(_ schema: String, _ more: String = "") throws -> String {
        let body = #"{"type": "object", "required": ["data"], "properties": {"data": \#(schema)\#(more)}}"#
        return try generate(
            #""post": {"requestBody": {"content": {"application/json": {"schema": \#(body)}}}}"#
        ).code
    }

    @Test func membersOfTheOnlyObjectOfABodyAreThoseOfTheEndpoint() throws {
        let code = try wrapped(Self.object)
        #expect(code.contains("    var x: Int?\n"))
        #expect(code.contains(#"var parameters: Parameters { ["data": .object(["x": x])] }"#))
        let names = (1...12).map { #""property\#($0)": {"type": "string"}"# }.joined(separator: ", ")
        let lines = try wrapped(#"{"type": "object", "properties": {\#(names)}}"#).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("var parameters") })
        #expect(lines[start + 1] == "        [" && lines[start + 2] == #"            "data": .object(["#)
        #expect(lines[start + 3].hasPrefix(#"                "property1": property1, "property10": property10, "#))
    }

    @Test(
        arguments: [
            (object, #", "more": {"type": "string"}"#), (texts, ""), (#"{"type": "string"}"#, ""),
            (#"{"oneOf": [\#(object), {"type": "string"}]}"#, ""), (#"{"nullable": true, \#(object.dropFirst())"#, ""),
        ] as [(String, String)])
    func otherMembersOfABodyAreProperties(schema: String, more: String) throws {
        #expect(!(try wrapped(schema, more).contains(".object([\"x\": x])])")))
        #expect(try wrapped(schema, more).contains(#"["data": data"#))
    }

    private func body(_ type: String, _ members: String, _ encoding: String = "{}") -> String {
        let schema = #"{"type": "object", "required": ["meta"], "properties": {\#(members)}}"#
        return #""post": {"requestBody": {"content": {"\#(type)": {"schema": \#(schema), "encoding": \#(encoding)}}}}"#
    }

    @Test(
        arguments: [
            (object, "{}", "meta: Meta", "FilePart(.json(meta), filename: nil)"),
            (
                #"{"type": "array", "items": \#(object)}"#, "{}", "meta: [Meta]",
                "meta.map { FilePart(.json($0), filename: nil) }"
            ),
            (
                texts, #"{"meta": {"contentType": "application/json"}}"#, "meta: [String]",
                "FilePart(.json(meta, encoder: .api), filename: nil)"
            ),
            (texts, "{}", "meta: [String]", "meta"),
        ] as [(String, String, String, String)])
    func objectsInAFormWithFilesAreJSON(schema: String, encoding: String, property: String, value: String) throws {
        let (code, notes) = try generate(body("multipart/form-data", #""meta": \#(schema)"#, encoding))
        #expect(code.contains("var \(property)\n"))
        #expect(code.contains(#"var parameters: Parameters { ["meta": \#(value)] }"#))
        #expect(notes.isEmpty)
    }

    @Test func memberOfAFormInJSONIsAStringAndInTheSummary() throws {
        let type = "application/x-www-form-urlencoded"
        let (code, notes) = try generate(
            body(type, #""meta": \#(Self.object)"#, #"{"meta": {"contentType": "application/json"}}"#))
        #expect(code.contains("var meta: String\n"))
        #expect(notes == ["form member meta is a String in JSON"])
    }

    @Test(
        arguments: [
            ("application/octet-stream", #"[.contentType: "application/octet-stream"]"#), ("*/*", nil),
            ("video/mp4", #"[.contentType: "video/mp4"]"#),
        ] as [(String, String?)])
    func fileIsABodyOfTheCallers(type: String, headers: String?) throws {
        let (code, _) = try generate(
            #""post": {"requestBody": {"content": {"\#(type)": {"schema": {"type": "string"}}}}}"#)
        #expect(code.contains("var content: RequestBody\n"))
        #expect(code.contains("var body: RequestBody? { content }"))
        #expect(headers.map { code.contains("var headers: HTTPHeaders { \($0) }") } ?? !code.contains("headers"))
    }

    // MARK: - Layout

    @Test func propertiesComeFirstThenTheirChoicesThenTheRequestThenOtherTypes() throws {
        let sort = parameter("sort", "query", #"{"type": "string", "enum": ["newest", "best"]}"#)
        let names = ["alpha", "beta", "gamma", "long_name_of_a_parameter_that_needs_a_line"]
        let others = names.map { parameter($0, "query", "{}") }
        let (code, _) = try generate(
            #"""
            "get": {"operationId": "getThings", "parameters": [\#(([sort] + others).joined(separator: ", "))],
            "responses": {"200": {"content": {"application/json": {"schema": \#(Self.object)}}}}}
            """#)
        #expect(
            code.contains(
                """
                struct ThingsRequest: TestRequest {
                    var alpha: JSONValue?
                    var beta: JSONValue?
                    var gamma: JSONValue?
                    var longNameOfAParameterThatNeedsALine: JSONValue?
                    var sort: Sort?

                    enum Sort: String, ParameterValue { case newest, best }

                    var path: URLPath { "a" }
                    var parameters: Parameters {
                        [
                            "alpha": alpha, "beta": beta, "gamma": gamma,
                            "long_name_of_a_parameter_that_needs_a_line": longNameOfAParameterThatNeedsALine, "sort": sort,
                        ]
                    }

                    struct Response: JSONResponse {
                        let x: Int?
                    }
                }

                """))
    }

    // MARK: - Names

    @Test func identifierOfWhatThePathIsAboutIsItsID() throws {
        let names = ["project_gid", "task_gid"].map { parameter($0, "path", "{}", #""required": true"#) }
        let parameters = #""parameters": [\#(names.joined(separator: ", "))]"#
        let path = "/projects/{project_gid}/tasks/{task_gid}"
        let code = try generate(#""get": {\#(parameters)}"#, path: path).code
        #expect(code.contains(#"URLPath { "projects/\(projectID)/tasks/\(id)" }"#))
        let body = #""requestBody": {"content": {"application/json": {"schema": {"properties": {"id": {}}}}}}"#
        #expect(
            try generate(#""put": {\#(parameters), \#(body)}"#, path: path).code
                .contains(#"URLPath { "projects/\(projectID)/tasks/\(taskID)" }"#))
    }

    @Test func reservedNamesGetThatOfTheirOwner() throws {
        let members = #""method": {"type": "string"}, "body": {"type": "string"}"#
        let content = #"{"application/json": {"schema": {"type": "object", "properties": {\#(members)}}}}"#
        let (code, _) = try generate(
            #""post": {"operationId": "issues/create", "requestBody": {"content": \#(content)}}"#,
            path: "/files/{path}")
        #expect(code.contains("var filePath: String"))
        #expect(code.contains(#"["body": issueBody, "method": issueMethod]"#))
    }

    @Test func limitsOfARangeHaveNames() throws {
        let parameters = ["Date<", "Date>", "Date"].map { parameter($0, "query", "{}") }.joined(separator: ", ")
        let (code, _) = try generate(#""get": {"parameters": [\#(parameters)]}"#)
        #expect(code.contains(#"["Date": date, "Date<": dateBefore, "Date>": dateAfter]"#))
    }

    @Test func endpointsOfTheSameNameDifferByTheVerb() throws {
        let plan = try TemporaryFolder().plan(
            ErrorTests.head
                + #""paths": {"/registry": {"get": {}}, "/registries/{registry_name}": {"get": {}}}}"#)
        #expect(plan.endpoints.map(\.name).sorted() == ["GetRegistryRequest", "RegistryRequest"])
    }

    private func code(_ schema: String, _ components: String = "{}") throws -> String {
        try TemporaryFolder().files(TemporaryFolder.description(schema: schema, components: components))
            .map(\.text).joined()
    }

    @Test func variantsAreNamedByWhatDistinguishesThem() throws {
        let first = #"{"properties": {"id": {"type": "string"}, "wait": {"type": "string"}}}"#
        let second = #"{"properties": {"id": {"type": "string"}, "reviewers": {"type": "string"}}}"#
        let titled = #"{"title": "Branch policy", "properties": {"id": {"type": "string"}}}"#
        let texts = #"{"type": "string", "enum": ["all", "none"]}"#
        let lists = ["cat", "dog"].map {
            ##"{"type": "array", "items": {"$ref": "#/components/schemas/\##($0)"}}"##
        }
        let code = try code(
            #"{"oneOf": [\#(([first, second, titled, texts] + lists).joined(separator: ", "))]}"#,
            #"{"cat": {"properties": {"x": {}}}, "dog": {"properties": {"y": {}}}}"#)
        for variant in [
            "wait(Wait)", "reviewers(Reviewers)", "branchPolicy(BranchPolicy)", "option(Option)", "cats([Cat])",
            "dogs([Dog])",
        ] {
            #expect(code.contains("case \(variant)"))
        }
    }

    @Test func sharedTypesWithTheSameNameGetThatOfAUser() throws {
        let enums = ["x", "y"].map { #""\#($0)": {"type": "string", "enum": ["\#($0)1", "\#($0)2"]}"# }
        let models = [("cat", "x"), ("dog", "y")].map { name, key in
            ##""\##(name)": {"properties": {"type": {"$ref": "#/x-enums/\##(key)"}}}, "##
                + ##""big-\##(name)": {"properties": {"type": {"$ref": "#/x-enums/\##(key)"}}}"##
        }
        let all = ["cat", "big-cat", "dog", "big-dog"].map {
            ##""\##($0)": {"$ref": "#/components/schemas/\##($0)"}"##
        }
        let description = TemporaryFolder.description(
            schema: #"{"type": "object", "properties": {\#(all.joined(separator: ", "))}}"#,
            components: "{\(models.joined(separator: ", "))}")
        let files = try TemporaryFolder().files(
            #"{"x-enums": {\#(enums.joined(separator: ", "))}, "# + description.dropFirst())
        #expect(
            files.map(\.path).filter { $0.hasSuffix("Type.swift") } == ["Models/CatType.swift", "Models/DogType.swift"])
    }

    @Test(
        arguments: [
            (#""data": {"readOnly": true, "properties": {"a": {}}}"#, nil),
            (#""data": {"properties": {"a": {"readOnly": true}}}"#, #"["data": .object([:])]"#),
            (
                #""data": {"required": ["id"], "properties": {"id": {"readOnly": true}}}"#,
                #"["data": .object(["id": id])]"#
            ),
            (
                #""id": {"readOnly": true}, "data": {"required": ["a"], "properties": {"a": {}}}"#,
                #"["data": .object(["a": a])]"#
            ),
        ] as [(String, String?)])
    func bodyHasOnlyWhatIsSent(members: String, expected: String?) throws {
        let body = #"{"type": "object", "required": ["data"], "properties": {\#(members)}}"#
        for method in ["post", "delete"] {
            let code = try generate(
                #""\#(method)": {"requestBody": {"content": {"application/json": {"schema": \#(body)}}}}"#
            ).code
            #expect(expected.map(code.contains) ?? !code.contains("data"), "\(method)")
        }
    }

    // MARK: - Unions

    @Test(
        arguments: [
            (#"{"type": "string"}, {"type": "integer"}, {"properties": {"x": {}}}"#, false),
            (#"{"properties": {"x": {}}}, {"properties": {"y": {}}}"#, true),
            (#"{"type": "string"}, {"type": "array", "items": {"type": "string"}}"#, false),
        ] as [(String, Bool)])
    func unionsKeepUnknownVariantsUnlessEachIsOfAnotherJSONType(variants: String, isOpen: Bool) throws {
        let code = try code(#"{"properties": {"u": {"oneOf": [\#(variants)]}}}"#)
        #expect(code.contains("case other(JSONValue)") == isOpen)
    }

    // MARK: - Responses

    private func response(_ contents: String) throws -> (code: String, notes: [String]) {
        try generate(#""get": {"responses": {"200": {"content": {\#(contents)}}}}"#)
    }

    @Test func otherContentsOfAResponseAreInTheSummary() throws {
        let json = #""application/json": {"schema": \#(Self.object)}"#
        let (_, notes) = try response(#"\#(json), "application/vnd.example.v2+json": {"schema": \#(Self.texts)}"#)
        #expect(notes == ["the response is read as application/json, not as application/vnd.example.v2+json"])
        let counts = #""application/json": {"schema": {"additionalProperties": {"type": "integer"}}}"#
        #expect(try response(json).notes.isEmpty && response(counts).notes.isEmpty)
        #expect(try response(#"\#(json), "text/event-stream": {}"#).notes.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"type": "string", "format": "binary"}"#, "image/jpeg", "Data"),
            (#"{"type": "string", "format": "binary"}"#, "application/octet-stream", "DownloadedFile"),
            (#"{"type": "string", "format": "binary"}"#, "text/css", "String"),
            (#"{"type": "object"}"#, "application/octet-stream", "DownloadedFile"),
            (#"{"type": "string"}"#, "video/mp4", "DownloadedFile"),
        ] as [(String, String, String)])
    func fileThatIsAlsoDescribedAsJSONIsReadAsAFile(schema: String, type: String, response: String) throws {
        let contents = ["application/json", type].map { #""\#($0)": {"schema": \#(schema)}"# }
        let (code, _) = try self.response(contents.joined(separator: ", "))
        #expect(code.contains("typealias Response = \(response)\n"))
    }

    @Test(arguments: [(#"{"type": "object"}"#, "application/xml"), (object, "application/octet-stream")])
    func otherContentsInJSONAreReadAsJSON(schema: String, type: String) throws {
        let json = #""application/json": {"schema": \#(schema)}"#
        let (_, notes) = try response(#"\#(json), "\#(type)": {"schema": \#(schema)}"#)
        #expect(notes == ["the response is read as application/json, not as \(type)"])
    }

    @Test func videoIsReadRatherThanItsPicture() throws {
        let types = ["application/json", "image/webp", "video/mp4"]
        let contents = types.map { #""\#($0)": {"schema": {"type": "string"}}"# }
        let (code, _) = try response(contents.joined(separator: ", "))
        #expect(code.contains("typealias Response = DownloadedFile\n"))
    }

    @Test(arguments: ["application/json", "*/*"])
    func binaryValueInJSONIsReadAsBytes(type: String) throws {
        let (code, notes) = try response(#""\#(type)": {"schema": {"type": "string", "format": "binary"}}"#)
        #expect(code.contains("typealias Response = Data\n"))
        #expect(notes.isEmpty)
    }

    // MARK: - Pages

    @Test(
        arguments: [
            (#"{"type": "integer"}"#, "Number of the page. Item 0 is the first.", "1"),
            (#"{"type": "integer", "default": 0}"#, "", "0"), (#"{"type": "integer", "minimum": 0}"#, "", "0"),
            (#"{"type": "integer", "minimum": 0, "default": 1}"#, "Zero-based", "1"),
            (#"{"type": "integer"}"#, "Zero-based page index (0..N)", "0"),
            (#"{"type": "integer"}"#, "The page, starting at 0.", "0"),
        ] as [(String, String, String)])
    func pagesBeginWithTheirFirstNumber(schema: String, text: String, first: String) throws {
        let page = parameter("page", "query", schema, #""description": "\#(text)""#)
        let content = #"{"application/json": {"schema": \#(Self.texts)}}"#
        let (code, _) = try generate(
            #""get": {"parameters": [\#(page)], "responses": {"200": {"content": \#(content)}}}"#)
        #expect(code.contains("    var page = \(first)\n"))
    }

    @Test(
        arguments: [
            ("", "reply.model.lastID"), (#", "has_more": {"type": "string"}"#, "reply.model.lastID"),
            (#", "has_more": {"type": "boolean"}"#, "reply.model.hasMore != false ? reply.model.lastID : nil"),
            (
                #", "has_more": {"type": "boolean"}}, "required": ["has_more"], "x": {"#,
                "reply.model.hasMore ? reply.model.lastID : nil"
            ),
        ] as [(String, String)])
    func cursorOfTheLastPageIsNotSent(more: String, value: String) throws {
        let after = parameter("after", "query", #"{"type": "string"}"#)
        let members = #""data": \#(Self.texts), "last_id": {"type": "string"}\#(more)"#
        let content = #"{"application/json": {"schema": {"properties": {\#(members)}}}}"#
        let (code, _) = try generate(
            #""get": {"parameters": [\#(after)], "responses": {"200": {"content": \#(content)}}}"#)
        #expect(code.contains(#"next(setting: \.after, to: \#(value))"#))
    }

    // MARK: - Media types of bodies

    /// The notes on a body that is described with several media types.
    private func notesOnBody(_ types: String...) throws -> [String] {
        let contents = types.map { #""\#($0)": {"schema": \#(Self.object)}"# }.joined(separator: ", ")
        return try generate(#""post": {"requestBody": {"content": {\#(contents)}}}"#).notes
    }

    @Test func bodyInJSONIsSentAsTheGeneralType() throws {
        #expect(try notesOnBody("application/*+json", "application/json", "text/json").isEmpty)
        let notes = try notesOnBody("application/a+json", "application/json")
        #expect(notes == ["the body is sent as application/json, not as application/a+json"])
    }

    @Test(
        arguments: [
            ("string", "[String: String]", []),
            ("integer", "Rights", ["members of an object that are not named are ignored"]),
        ] as [(String, String, [String])])
    func objectWhoseOtherMembersAreLikeThoseNamedIsADictionary(type: String, name: String, expected: [String]) throws {
        let named = #""properties": {"read": {"type": "string"}}"#
        let rights = #"{"type": "object", \#(named), "additionalProperties": {"type": "\#(type)"}}"#
        let schema = #"{"type": "object", "properties": {"rights": \#(rights)}}"#
        let (code, notes) = try response(#""application/json": {"schema": \#(schema)}"#)
        #expect(code.contains("let rights: \(name)?"))
        #expect(notes == expected)
    }

    // MARK: - Dates

    @Test(arguments: [("get", "let at: Date?"), ("post", "var at: Int?")])
    func secondsAreDatesUnlessABodyWouldWriteThemAsTexts(method: String, property: String) throws {
        let schema = #"{"type": "array", "items": {"properties": {"at": {"type": "integer", "format": "unix-time"}}}}"#
        let content = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let member = method == "get" ? #""responses": {"200": \#(content)}"# : #""requestBody": \#(content)"#
        #expect(try generate(#""\#(method)": {\#(member)}"#).code.contains(property))
    }

    // MARK: - Pages

    /// Mollie and Okta describe the link to the next page in this way.
    @Test func linkInAnOptionalMemberIsAnOptionalText() throws {
        let next = #"{"type": "object", "required": ["href"], "properties": {"href": {"type": "string"}}}"#
        let links = #"{"type": "object", "properties": {"next": \#(next)}}"#
        let list = #"{"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}"#
        let schema =
            #"{"type": "object", "required": ["items"], "properties": {"_links": \#(links), "items": \#(list)}}"#
        let (code, _) = try response(#""application/json": {"schema": \#(schema)}"#)
        #expect(code.contains("to: reply.model.links?.next?.href)"))
    }

    // MARK: - Constants

    @Test func onlyValueOfAnEnumIsTheDefault() throws {
        let components = #"{"kind": {"type": "string", "enum": ["profile"]}}"#
        let kind = ##"{"$ref": "#/components/schemas/kind"}"##
        let object = #"{"type": "object", "required": ["kind"], "properties": {"kind": \#(kind)}}"#
        let data =
            #"{"type": "object", "required": ["kind", "data"], "properties": {"kind": \#(kind), "data": \#(object)}}"#
        let body = #"{"content": {"application/json": {"schema": \#(data)}}}"#
        let plan = try TemporaryFolder().plan(
            ErrorTests.head + #""components": {"schemas": \#(components)}, "#
                + #""paths": {"/a": {"post": {"requestBody": \#(body), "responses": {}}}}}"#)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.matches(of: /var kind: Kind = \.profile\n/).count == 2)
    }

    // MARK: - Files

    private func upload(_ form: String, json: String = #"{"text": {"type": "string"}}"#) throws -> [String] {
        let contents =
            #"{"application/json": {"schema": {"properties": \#(json)}}, "multipart/form-data": {"schema": \#(form)}}"#
        let (code, notes) = try generate(#""post": {"requestBody": {"content": \#(contents)}}"#)
        return notes + code.matches(of: /struct (\w+)Request:/).map { String($0.1) }.sorted()
    }

    @Test func formThatIsTheOnlyOneWithFilesIsAnEndpointToo() throws {
        let ignored = "the body is sent as application/json, not as multipart/form-data"
        let text = #""text": {"type": "string"}"#
        let file = #""file": {"type": "string", "format": "binary"}"#
        #expect(try upload(#"{"properties": {\#(text)}}"#) == [ignored, "CreateA"])
        #expect(try upload(#"{"properties": {\#(text), \#(file)}}"#) == ["CreateA", "CreateAWithFiles"])
        #expect(try upload(#"{"properties": {\#(file)}}"#, json: "{\(file)}") == [ignored, "CreateA"])
        let union = #"{"oneOf": [{"properties": {\#(text)}}, {"properties": {\#(file)}}]}"#
        #expect(try upload(union) == ["CreateA", "CreateAWithFiles"])
        let files = #""files": {"type": "array", "items": {"type": "string", "contentEncoding": "binary"}}"#
        #expect(try upload(#"{"properties": {\#(files)}}"#) == ["CreateA", "CreateAWithFiles"])
    }

    @Test func brokenFormLeavesTheBodyInJSON() throws {
        let lines = try upload(##"{"$ref": "#/components/schemas/Gone"}"##)
        #expect(lines.contains("a form beside a body in JSON: the reference #/components/schemas/Gone leads nowhere"))
        #expect(lines.last == "CreateA")
    }

    @Test func formMemberOfSeveralKindsIsALine() throws {
        let file = #""file": {"type": "string", "format": "binary"}"#
        let text = #"{"properties": {"a": {"type": "string"}, \#(file)}}"#
        let union = #"{"oneOf": [\#(text), {"properties": {"a": {"type": "integer"}}}]}"#
        #expect(
            try upload(union) == [
                "form member a has several kinds of values and is any JSON", "CreateA", "CreateAWithFiles",
            ])
    }

    // MARK: - Parts that are ignored

    @Test func reservedCharactersOfAQueryAreALine() throws {
        let parameter = parameter("q", "query", #"{"type": "string"}"#, #""allowReserved": true"#)
        let (_, notes) = try generate(#""get": {"parameters": [\#(parameter)]}"#)
        #expect(notes == ["query parameter q is percent-encoded, although allowReserved says otherwise"])
    }

    @Test func newerVersionOfOpenAPIIsALine() throws {
        let text = #"""
            {"openapi": "3.2.0", "info": {"title": "A"}, "servers": [{"url": "https://a.example"}], "paths": {"/a":
            {"query": {}, "additionalOperations": {"COPY": {}}}}}
            """#
        let plan = try TemporaryFolder().plan(text)
        #expect(
            plan.api.notes.map(\.text) == ["OpenAPI 3.2.0 is read as 3.1", "COPY /a in additionalOperations"])
        #expect(plan.api.skippedOperations.count == 1)
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains("var method: HTTPMethod { .query }"))
    }
}
