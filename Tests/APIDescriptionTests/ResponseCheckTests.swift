import APIDescription
import APIKitCore
import APIKitStreams
import Testing

@Suite struct ResponseCheckTests {
    private func problems<Model: JSONResponse>(_ type: Model.Type, _ schema: String) throws -> [String] {
        try APIDescription(
            response: schema,
            schemas:
                ##"{"Tree": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}}}"##
        )
        .problems(with: JSONEndpoint<Model>()).map { "\($0.member) \($0.message)" }
    }

    private struct Named: JSONResponse {
        static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
        let fullName: String
        let avatarUrl: URL?
    }

    @Test func findsEachMemberThatMayBeMissing() throws {
        struct Model: JSONResponse { let a: Int, b: Int, c: Int? }
        let schema =
            #"{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}}"#
        let suffix = "is missing, which the description allows"
        #expect(try problems(Model.self, schema) == ["response 200 a \(suffix)", "response 200 b \(suffix)"])
    }

    @Test func namesMayBeConverted() throws {
        let schema =
            #"{"type": "object", "required": ["full_name"], "properties": {"full_name": {"type": "string", "nullable": true}, "avatar_url": {"type": "string"}}}"#
        #expect(
            try problems(Named.self, schema) == [
                "response 200 fullName is null, not a String, which the description allows"
            ])
    }

    @Test func textsAreTriedUntilOneFits() throws {
        struct Model: JSONResponse { let date: Date, id: UUID, link: URL }
        let schema =
            #"{"type": "object", "required": ["date", "id", "link"], "properties": {"date": {"type": "string"}, "id": {"type": "string"}, "link": {"type": "string"}}}"#
        #expect(try problems(Model.self, schema) == [])
    }

    @Test func textsOfSamplesNeedNotMatchPatterns() throws {
        struct Model: JSONResponse { let sid: String, count: String }
        let schema =
            #"{"type": "object", "required": ["sid", "count"], "properties": {"sid": {"type": "string", "pattern": "^AC.$"}, "count": {"type": "integer"}}}"#
        #expect(try problems(Model.self, schema) == ["response 200 count is not a String"])
    }

    /// A union of objects without a tag, with a case for unknown ones.
    private enum Event: JSONResponse {
        case sale(Sale)
        case note(Note)
        case other(JSONValue)

        struct Sale: Decodable { let amount: Int, currency: String }
        struct Note: Decodable { let text: String }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Sale.self) {
                self = .sale(value)
            } else if let value = try? container.decode(Note.self) {
                self = .note(value)
            } else {
                self = .other(try container.decode(JSONValue.self))
            }
        }
    }

    private static func event(_ members: String) -> String {
        let names = members.matches(of: /"(\w+)": \{/).map { "\"\($0.1)\"" }.joined(separator: ", ")
        return #"{"type": "object", "required": [\#(names)], "properties": {\#(members)}}"#
    }

    @Test(
        arguments: [
            ("integer", "string", []),
            ("string", "string", ["amount is a string, with which the model does not recognize the alternative"]),
            ("integer", "boolean", ["text is a boolean, with which the model does not recognize the alternative"]),
        ] as [(String, String, [String])])
    func changedTypeIsFoundAlthoughTheUnionReadsUnknownAlternatives(
        amount: String, text: String, expected: [String]
    ) throws {
        let sale = Self.event(#""amount": {"type": "\#(amount)"}, "currency": {"type": "string"}"#)
        let note = Self.event(#""text": {"type": "\#(text)"}"#)
        let union = #"{"oneOf": [\#(sale), \#(note)]}"#
        #expect(try problems(Event.self, union) == expected.map { "response 200 \($0)" })
        let list = #"{"type": "array", "items": \#(union)}"#
        #expect(try problems([Event].self, list) == expected.map { "response 200 [0].\($0)" })
    }

    @Test func alternativesThatAModelLeavesToTheUnknownOneAreFine() throws {
        let sale = Self.event(#""amount": {"type": "integer"}, "currency": {"type": "string"}"#)
        let rare = Self.event(#""rare": {"type": "string"}, "level": {"type": "integer"}"#)
        #expect(try problems(Event.self, #"{"oneOf": [\#(sale), \#(rare)]}"#) == [])
    }

    @Test func alternativesThatAreNotReadAreFound() throws {
        struct Model: JSONResponse { let value: [String] }
        let schema =
            #"{"type": "object", "required": ["value"], "properties": {"value": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}}"#
        #expect(
            try problems(Model.self, schema) == [
                "response 200 value is not an Array<Any>, which the description allows"
            ])
    }

    // MARK: - Members that are not described

    @Test func optionalMemberWithAnotherNameIsFound() throws {
        struct Model: JSONResponse {
            struct Owner: Decodable { let login: String, siteURL: URL? }
            let owners: [Owner], count: Int?, counts: [String: Int]?
        }
        let schema = #"""
            {"type": "object", "required": ["owners"], "properties": {
              "owners": {"type": "array", "items": {
                "type": "object", "required": ["login"], "properties": {"login": {"type": "string"}, "site": {"type": "string"}}
              }},
              "total": {"type": "integer"},
              "counts": {"type": "object", "properties": {"a": {"type": "integer"}}}
            }}
            """#
        let message = "is read, and no response in the description has it"
        #expect(
            try problems(Model.self, schema) == [
                "response 200 count \(message)", "response 200 owners[0].siteURL \(message)",
            ])
    }

    @Test func convertedNameOfAMemberIsFound() throws {
        let schema =
            #"{"type": "object", "required": ["full_name"], "properties": {"full_name": {"type": "string"}, "avatar": {"type": "string"}}}"#
        #expect(
            try problems(Named.self, schema) == [
                "response 200 avatarUrl is read, and no response in the description has it"
            ])
    }

    @Test func propertiesThatAreNotReadAreNotMistakes() throws {
        struct Model: JSONResponse {
            enum CodingKeys: String, CodingKey { case id, sizes, page = "html_url" }
            let id: Int
            let sizes: [String: Int]
            let page: URL?
            var isFavorite: Bool?
        }
        let schema = #"""
            {"type": "object", "required": ["id", "sizes"], "properties": {
              "id": {"type": "integer"}, "html_url": {"type": "string"},
              "sizes": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
            }}
            """#
        #expect(try problems(Model.self, schema) == [])
    }

    @Test(arguments: ["true", #"{"type": "string"}"#])
    func objectsWithOtherMembersMayHaveAny(additional: String) throws {
        struct Model: JSONResponse { let id: Int, note: String? }
        let schema =
            #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}, "additionalProperties": \#(additional)}"#
        #expect(try problems(Model.self, schema) == [])
    }

    @Test func modelMayHaveMembersOfOtherResponses() throws {
        struct Model: JSONResponse { let id: Int, note: String?, mark: String? }
        struct ThingRequest: APIRequest {
            typealias Response = Model
            typealias Failure = Data
            var base: APIBase { "https://api.example" }
            var path: URLPath { "thing" }
        }
        let text = #"""
            {"openapi": "3.0.0", "paths": {
              "/thing": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Brief"}}}}}}},
              "/things": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"items": {"$ref": "#/components/schemas/Full"}}}}}}}}
            }, "components": {"schemas": {
              "Brief": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
              "Full": {"allOf": [{"$ref": "#/components/schemas/Brief"}, {"type": "object", "properties": {"note": {"type": "string"}}}]}
            }}}
            """#
        let problems = try APIDescription(Data(text.utf8)).problems(with: ThingRequest())
        #expect(problems.map(\.member) == ["response 200 mark"])
    }

    @Test func recursiveModelsEnd() throws {
        struct Tree: JSONResponse { let children: [Tree]? }
        #expect(try problems(Tree.self, ##"{"$ref": "#/components/schemas/Tree"}"##) == [])
    }

    @Test func readsWhatAllOfComposes() throws {
        struct Model: JSONResponse { let a: Int, b: Int }
        let schema =
            #"{"allOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}, {"type": "object", "required": ["b"], "properties": {"b": {"type": "string"}}}]}"#
        #expect(try problems(Model.self, schema) == ["response 200 b is not an Int"])
    }

    @Test func elementsOfATupleAreReadByTheirOwnSchemas() throws {
        struct Pair: JSONResponse {
            let number: Double, text: String
            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                (number, text) = (try values.decode(Double.self), try values.decode(String.self))
            }
        }
        func schema(_ first: String, _ second: String) -> String {
            #"{"type": "array", "prefixItems": [{"type": "\#(first)"}, {"type": "\#(second)"}], "items": false}"#
        }
        #expect(try problems(Pair.self, schema("number", "string")) == [])
        #expect(try problems(Pair.self, schema("number", "integer")) == ["response 200 [1] is not a String"])
        #expect(try problems(Pair.self, schema("string", "string")) == ["response 200 [0] is not a Double"])
    }

    @Test func emptyResponsesNeedATypeThatAllowsThem() throws {
        struct LookupRequest: APIRequest {
            typealias Response = NilIfNotFound<Anything>
            var base: APIBase { "https://api.example" }
            var path: URLPath { "a" }
        }
        struct OptionalRequest: APIRequest {
            typealias Response = Anything?
            var base: APIBase { "https://api.example" }
            var path: URLPath { "a" }
        }
        let description = try APIDescription(
            Data(
                #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {"204": {}, "304": {}, "404": {}}}}}}"#
                    .utf8))
        #expect(description.problems(with: LookupRequest()).map(\.pointer) == ["#/paths/~1a/get/responses/204"])
        #expect(description.problems(with: OptionalRequest()) == [])
    }

    @Test func streamsAreComparedByType() throws {
        struct LogRequest: APIRequest {
            typealias Response = JSONLines<Anything>
            var base: APIBase { "https://api.example" }
            var path: URLPath { "log" }
        }
        func description(_ type: String) throws -> APIDescription {
            let content = #"{"\#(type)": {"schema": {"type": "object"}}}"#
            return try APIDescription(
                Data(
                    #"{"openapi": "3.0.0", "paths": {"/log": {"get": {"responses": {"200": {"content": \#(content)}}}}}}"#
                        .utf8))
        }
        #expect(try description("application/x-ndjson").problems(with: LogRequest()) == [])
        #expect(try description("text/csv").problems(with: LogRequest()).map(\.code) == [.contentType])
    }

    @Test(arguments: ["text/plain", "text/html", "application/xml", "application/json"])
    func textReadsAnyType(type: String) throws {
        struct PageRequest: APIRequest {
            typealias Response = String
            var base: APIBase { "https://api.example" }
            var path: URLPath { "page" }
        }
        let content = #"{"\#(type)": {"schema": {"type": "string"}}}"#
        let response = #"{"200": {"content": \#(content)}}"#
        let text = #"{"openapi": "3.0.0", "paths": {"/page": {"get": {"responses": \#(response)}}}}"#
        #expect(try APIDescription(Data(text.utf8)).problems(with: PageRequest()) == [])
    }

    @Test(arguments: [("text/csv", []), ("image/png", [APIDescription.Problem.Code.contentType])])
    func mediaRangeReadsItsTypes(type: String, codes: [APIDescription.Problem.Code]) throws {
        struct Table: APIResponse {
            static var acceptedTypes: [MIMEType] { ["text/*"] }
            static func process(data: Data) throws -> Data { data }
        }
        struct TableRequest: APIRequest {
            typealias Response = Table
            var base: APIBase { "https://api.example" }
            var path: URLPath { "table" }
        }
        let response = #"{"200": {"content": {"\#(type)": {}}}}"#
        let text = #"{"openapi": "3.0.0", "paths": {"/table": {"get": {"responses": \#(response)}}}}"#
        let problems = try APIDescription(Data(text.utf8)).problems(with: TableRequest())
        #expect(problems.map(\.code) == codes)
    }

    @Test(arguments: [("application/json", []), ("application/vnd.example.v2+json", ["a"])])
    func onlyTheTypeThatTheEndpointAsksForIsRead(accept: String, members: [String]) throws {
        struct ThingRequest: APIRequest {
            struct Response: JSONResponse { let a: Int }
            let accept: String
            var base: APIBase { "https://api.example" }
            var path: URLPath { "a" }
            var headers: HTTPHeaders { [.accept: accept] }
        }
        let (first, second) = (#"{"schema": {}, "example": {"a": 1}}"#, #"{"schema": {}, "example": {"b": 1}}"#)
        let content = #"{"application/json": \#(first), "application/vnd.example.v2+json": \#(second)}"#
        let description = try APIDescription(
            Data(
                #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {"200": {"content": \#(content)}}}}}}"#
                    .utf8))
        let problems = description.problems(with: ThingRequest(accept: accept))
        #expect(problems.map(\.member) == members.map { "response 200 \($0)" })
    }

    @Test func examplesThatTheirSchemaDoesNotAcceptAreTheDescriptionsOwnProblem() throws {
        let shop = try Shop.description(replacing: #""value": {"reason": "gone"}"#, by: #""value": {"reason": 7}"#)
        #expect(
            shop.invalidExamples.map(\.description) == [
                "GET /items: response 404 reason is 7, not a string (#/components/responses/Error/content/application~1json/examples/gone/value)",
                "GET /items/{id}: response default reason is 7, not a string (#/components/responses/Error/content/application~1json/examples/gone/value)",
            ])
        #expect(shop.problems(with: ItemsRequest(), ignoring: [.invalidExample]) == [])
        #expect(shop.problems(with: ItemsRequest()).map(\.code) == [.invalidExample])
    }
}
