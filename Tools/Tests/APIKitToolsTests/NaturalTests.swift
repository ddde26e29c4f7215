import APIKitCore
import Foundation
import Testing

@testable import APIKitTools

/// What a person would write, and descriptions do not say.
@Suite struct NaturalTests {
    private static let text = #"{"type": "string"}"#

    /// The code for the operations of a path, and the notes.
    private func generate(
        _ operations: String, path: String = "/a", components: String = "{}"
    ) throws -> (code: String, notes: [String]) {
        let plan = try TemporaryFolder().plan(
            ErrorTests.head
                + ##""components": {"schemas": \##(components)}, "paths": {"\##(path)": {\##(operations)}}}"##)
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        return (files.map(\.text).joined(), plan.api.notes.map(\.text))
    }

    private func get(_ schema: String, _ parameters: String = "") -> String {
        ##"""
        "get": {"parameters": [\##(parameters)],
        "responses": {"200": {"content": {"application/json": {"schema": \##(schema)}}}}}
        """##
    }

    // MARK: - Order

    @Test func whatIdentifiesComesFirstAndLinksAndDatesLast() throws {
        let names = ["url", "created_at", "tags", "closed_at", "owner_id", "active", "title", "id", "updated_at"]
        for names in [names, names.reversed()] {
            let members = names.map { #""\#($0)": \#($0 == "tags" ? #"{"type": "array", "items": {}}"# : Self.text)"# }
            let schema = ##"{"required": ["owner_id"], "properties": {\##(members.joined(separator: ", "))}}"##
            let code = try generate(get(schema)).code
            let found = code.matches(of: /let (\w+):/).map { String($0.1) }
            #expect(
                found == ["id", "title", "ownerID", "active", "tags", "createdAt", "updatedAt", "closedAt", "url"])
        }
    }

    @Test func membersThatDifferInSignsAloneHaveAnOrder() throws {
        let names = ["-1", "+1", "~1", "#1", "%1", "&1"]
        let code = try generate(
            get(##"{"properties": {\##(names.map { #""\#($0)": {}"# }.joined(separator: ", "))}}"##)
        ).code
        let found = code.matches(of: /let (\w+):/).map { String($0.1) }
        #expect(found == ["number1", "percent1", "and1", "plus1", "minus1", "about1"])
    }

    @Test func secondOfAPairFollowsTheFirst() throws {
        let names = ["end_date", "height", "user", "max_price", "width", "min_price", "start_date"]
        let members = names.map { #""\#($0)": \#(Self.text)"# }
        let code = try generate(get(##"{"properties": {\##(members.joined(separator: ", "))}}"##)).code
        let found = code.matches(of: /let (\w+):/).map { String($0.1) }
        #expect(found == ["minPrice", "maxPrice", "startDate", "endDate", "user", "width", "height"])
    }

    @Test func membersOfTheSameWordsHaveAnOrder() throws {
        for names in [["+1", "-1"], ["-1", "+1"]] {
            let orders = names.map { MemberOrder($0, .string) }
            #expect((orders[0] < orders[1]) == (names == ["+1", "-1"]))
        }
    }

    @Test(
        arguments: [
            (["RUN_STATUS_FAILED", "RUN_STATUS_DONE"], ["failed", "done"]),
            (["RUN_STATUS", "RUN_STATUS_DONE"], ["runStatus", "runStatusDone"]),
            (["TLS_V_1", "TLS_V_2"], ["tlsV1", "tlsV2"]), (["run_in_a", "run_in_b"], ["runInA", "runInB"]),
            (["A_B_C", ""], ["aBC", "empty"]),
        ] as [([String], [String])])
    func wordsThatAllConstantsBeginWithAreLeftOut(values: [String], expected: [String]) throws {
        let code = try generate(get(#"{"properties": {"status": {"type": "string", "enum": \#(values)}}}"#)).code
        #expect(code.matches(of: /static let (\w+) = Self/).map { String($0.1) } == expected)
    }

    @Test func parametersSelectThenSortThenPage() throws {
        let names = ["per_page", "page_token", "since", "X-Trace", "direction", "state", "sort", "q"]
        let parameters = names.map { name in
            let isHeader = name == "X-Trace"
            return ##"""
                {"name": "\##(name)", "in": "\##(isHeader ? "header" : "query")", "required": \##(name == "q"),
                "schema": \##(Self.text)}
                """##
        }
        let code = try generate(get("{}", parameters.joined(separator: ", "))).code
        let found = code.matches(of: /var (\w+): String/).map { String($0.1) }
        #expect(found == ["q", "state", "since", "xTrace", "sort", "direction", "pageToken", "perPage"])
    }

    // MARK: - Unions

    @Test func tagDoesNotDependOnWhichModelIsReadFirst() throws {
        func object(_ tag: String, _ member: String, _ value: String) -> String {
            ##"""
            {"required": ["object", "\##(member)"], "properties": {"object": {"enum": ["\##(tag)"]},
            "\##(member)": \##(value), "next": {"$ref": "#/components/schemas/payout"}}}
            """##
        }
        let variants = ["card", "bank", "deleted"].map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }
        let union = #"{"anyOf": [\#(variants.joined(separator: ", "))]}"#
        for tag in ["card", "gone"] {
            let schemas = ##"""
                {"card": \##(object("card", "brand", Self.text)), "bank": \##(object("bank", "country", Self.text)),
                "deleted": \##(object(tag, "deleted", #"{"type": "boolean"}"#)),
                "payout": {"properties": {"to": \##(union)}}}
                """##
            for name in ["card", "bank", "deleted", "payout"] {
                let code = try generate(get(##"{"$ref": "#/components/schemas/\##(name)"}"##), components: schemas).code
                #expect(code.contains(#"case "bank": self"#), "\(name) first, \(tag)")
                // Two variants with the same tag are tried in turn.
                #expect(code.contains(#"case "card": self"#) == (tag == "gone"), "\(name) first, \(tag)")
                #expect(code.contains("case deleted(Deleted)"))
            }
        }
    }

    // MARK: - Members

    @Test func textThatSaysTheTypeIsNotReadUnlessModelsAreEncoded() throws {
        let schema = ##"""
            {"required": ["object"], "properties": {"object": {"type": "string", "enum": ["page"]},
            "currency": {"type": "string", "enum": ["eur"]}}}
            """##
        let (code, notes) = try generate(get(schema))
        #expect(code.contains("let currency: String?"))
        #expect(!code.contains("object"))
        #expect(notes.contains("member object where it always has the same text"))
        let folder = try TemporaryFolder()
        let source = try folder.write(TemporaryFolder.description(schema: schema), to: "a.json")
        let plan = try Generation.plan(source, options: Plan.Options(name: "Test", isCodable: true))
        let codable = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(codable.contains("let object: String"))
    }

    @Test func textThatMayTellVariantsApartIsRead() throws {
        let member = ##""type": {"type": "string", "enum": ["a"]}"##
        let variants = [member, ##"\##(member), "x": {}"##].map {
            ##"{"required": ["type"], "properties": {\##($0)}}"##
        }
        let schema = ##"{"properties": {"value": {"oneOf": [\##(variants.joined(separator: ", "))]}}}"##
        #expect(try generate(get(schema)).code.components(separatedBy: "let type: String").count == 3)
    }

    @Test func identifierThatTheServerChoosesIsAlwaysThere() throws {
        let schema = ##"""
            {"properties": {"id": {"type": "string", "readOnly": true}, "uuid": {"type": "string"},
            "gid": {"type": "string", "readOnly": true, "nullable": true}}}
            """##
        let code = try generate(get(schema)).code
        for line in ["let id: String\n", "let uuid: String?\n", "let gid: String?\n"] { #expect(code.contains(line)) }
    }

    // MARK: - Parameters

    @Test func parameterThatOnlyAddsSpacesIsSkippedAndPathsAreTexts() throws {
        let parameters = ##"""
            {"name": "opt_pretty", "in": "query", "schema": {"type": "boolean"}},
            {"name": "show", "in": "query", "explode": false,
            "schema": {"type": "array", "items": {"enum": ["owner", "owner.name"]}}}
            """##
        let (code, notes) = try generate(get("{}", parameters))
        #expect(code.contains("var show: [String] = []"))
        #expect(!code.contains("pretty"))
        #expect(notes.contains("query parameter opt_pretty, which only adds spaces"))
    }

    @Test func sizeOfAPageHasItsDefault() throws {
        let parameters =
            ["limit", "since"].map { name in
                ##"{"name": "\##(name)", "in": "query", "schema": {"type": "integer", "default": 30}}"##
            } + [##"{"name": "page", "in": "query", "schema": {"type": "integer"}}"##]
        let code = try generate(
            get(##"{"type": "array", "items": {}}"##, parameters.joined(separator: ", "))
        ).code
        for line in ["var page = 1\n", "var limit = 30\n", "var since: Int?\n"] { #expect(code.contains(line)) }
    }

    // MARK: - Envelopes

    private static let components = ##"""
        {"user": {"properties": {"id": {"type": "integer"}}}, "nullable-user": {"nullable": true, "properties": {"id":
        {"type": "integer"}}}, "nothing": {"type": "object", "description": "An empty object."},
        "new": {"properties": {"x": {}}}}
        """##

    private static func wrapped(_ name: String) -> String {
        ##"{"properties": {"data": {"$ref": "#/components/schemas/\##(name)"}}}"##
    }

    @Test func contentOfManyResponsesIsInAnEnvelope() throws {
        func operation(_ method: String, _ name: String) -> String {
            ##"""
            "\##(method)": {"requestBody": {"required": true, "content": {"application/json": {"schema":
            \##(Self.wrapped("new"))}}}, "responses": {"200": {"content": {"application/json": {"schema":
            \##(Self.wrapped(name))}}}}}
            """##
        }
        let operations = [operation("post", "user"), operation("put", "user"), operation("delete", "nothing")]
        let code = try generate(operations.joined(separator: ", "), components: Self.components).code
        #expect(code.contains("nonisolated struct TestEnvelope<Content: Decodable & Sendable>: JSONEnvelope {"))
        #expect(code.components(separatedBy: "typealias Response = TestEnvelope<User>").count == 3)
        #expect(code.components(separatedBy: "typealias Response = NoContent").count == 2)
        #expect(code.contains(##"parameters: Parameters { ["data": .object(["x": x])] }"##))
    }

    private static let user = ##"{"$ref": "#/components/schemas/user"}"##

    /// The code for a response whose model is `wrapped-user`.
    private func generateWrapped(_ wrapped: String, _ others: String = "", isCodable: Bool = false) throws -> String {
        let components = Self.components.dropLast() + ##", "wrapped-user": \##(wrapped)}"##
        let description =
            ErrorTests.head + ##""components": {"schemas": \##(components)}, "paths": {\##(others)"##
            + ##""/a": {\##(get(##"{"$ref": "#/components/schemas/wrapped-user"}"##))}}}"##
        let folder = try TemporaryFolder()
        let plan = try Generation.plan(
            folder.write(description, to: "a.json"),
            options: Plan.Options(name: "Test", isPublic: isCodable, isCodable: isCodable))
        return try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
    }

    @Test(
        arguments: [
            (##"{"required": ["the_user"], "properties": {"the_user": \##(user)}}"##, "theUser: User"),
            (##"{"properties": {"the_user": \##(user)}}"##, "theUser: User?"),
            (##"{"properties": {"the_user": {"properties": {"id": \##(text)}}}}"##, "theUser: WrappedUser?"),
            (##"{"properties": {"users": {"type": "array", "items": \##(user)}}}"##, "users: [User]?"),
        ] as [(String, String)])
    func onlyMemberOfAResponseIsReturned(wrapped: String, member: String) throws {
        let code = try generateWrapped(wrapped)
        let parts = member.components(separatedBy: ": ")
        let lines = ["    let \(member)\n", "        var content: \(parts[1]) { \(parts[0]) }\n"]
        #expect(code.contains("    struct Response: JSONEnvelope {\n    \(lines.joined())"))
        #expect(!code.contains("typealias Response"))
    }

    @Test func memberOfTheNameOfTheContentIsIt() throws {
        let code = try generateWrapped(##"{"properties": {"content": \##(Self.user)}}"##)
        #expect(code.contains("JSONEnvelope {\n        let content: User?\n"))
        #expect(!code.contains("var content"))
    }

    @Test func responseThatIsEncodedTooIsEncodable() throws {
        let code = try generateWrapped(##"{"properties": {"the_user": \##(Self.user)}}"##, isCodable: true)
        for text in [
            "public struct Response: JSONEnvelope, Encodable {", "public let theUser: User?",
            "public var content: User? { theUser }", "case theUser = \"the_user\"",
            "public init(theUser: User? = nil) {",
        ] { #expect(code.contains(text), "\(text)") }
    }

    @Test(
        arguments: [
            (##"{"properties": {"user": \##(user), "x": {}}}"##, ""),
            (##"{"properties": {"user": \##(user)}, "additionalProperties": {"type": "string"}}"##, ""),
            (##"{"properties": {"user": {"enum": ["a"]}}}"##, ""), (##"{"properties": {"user": \##(text)}}"##, ""),
            (##"{"nullable": true, "properties": {"user": \##(user)}}"##, ""),
            (
                ##"{"properties": {"user": \##(user)}}"##,
                ##""/b": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"##
                    + ##""x": {"$ref": "#/components/schemas/wrapped-user"}, "y": {}}}}}}}}}, "##
            ),
        ] as [(String, String)])
    func otherObjectsAreModels(wrapped: String, others: String) throws {
        #expect(try !generateWrapped(wrapped, others).contains("JSONEnvelope"))
    }

    @Test func modelThatMayBeNullIsThatOfTheSameName() throws {
        let schema = ##"""
            {"required": ["a", "b"], "properties": {"a": {"$ref": "#/components/schemas/user"},
            "b": {"$ref": "#/components/schemas/nullable-user"}}}
            """##
        let code = try generate(get(schema), components: Self.components).code
        #expect(code.contains("let a: User\n"))
        #expect(code.contains("let b: User?\n"))
    }

    // MARK: - Names in snake case

    private static let snakeCase = ##"""
        {"required": ["html_url", "user_ids", "first_name", "self"], "properties": {"html_url": \##(text),
        "user_ids": {"type": "array", "items": \##(text)}, "first_name": \##(text), "line_1": \##(text), "id": \##(text)}}
        """##

    @Test func namesInSnakeCaseAreConvertedByTheDecoder() throws {
        let code = try generate(get(Self.snakeCase)).code
        #expect(code.contains("static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }"))
        #expect(code.contains("struct Response: TestModel {"))
        #expect(code.contains("let userIDs: [String]\n"))
        #expect(!code.contains("CodingKeys"))
    }

    @Test func nameThatIsNotConvertedHasACodingKey() throws {
        let schema = Self.snakeCase.replacing(#""line_1""#, with: #""image_60x60""#)
        let code = try generate(get(schema)).code
        #expect(code.contains("case id, firstName, userIDs, htmlURL\n            case image60x60 = \"image_60x60\"\n"))
    }

    @Test func namesOfModelsThatAreAlsoEncodedAreCodingKeys() throws {
        let other = get(Self.snakeCase.replacing("html_url", with: "download_url"))
        let reference = ##"{"$ref": "#/components/schemas/person"}"##
        let body = ##"{"content": {"application/json": {"schema": \##(reference)}}}"##
        let put = ##""put": {"requestBody": \##(body), "responses": {"200": \##(body)}}"##
        let code = try generate("\(other), \(put)", components: #"{"person": \#(Self.snakeCase)}"#).code
        #expect(code.contains("struct Person: TestModel, JSONBody {"))
        #expect(code.contains(#"case htmlURL = "html_url""#))
        #expect(!code.contains(#"case downloadURL = "download_url""#))
        let folder = try TemporaryFolder()
        let source = try folder.write(TemporaryFolder.description(schema: Self.snakeCase), to: "a.json")
        let plan = try Generation.plan(source, options: Plan.Options(name: "Test", isCodable: true))
        let codable = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(codable.contains(#"case htmlURL = "html_url""#))
        #expect(!codable.contains("convertFromSnakeCase"))
    }

    @Test func namesInCamelCaseAreNotConverted() throws {
        let schema = ##"{"properties": {"a_b": {}, "aB": {}, "bC": {}, "cD": {}, "d_e": {}, "e_f": {}, "fG": {}}}"##
        #expect(try !generate(get(schema)).code.contains("convertFromSnakeCase"))
    }

    private struct UserIDs: Decodable { let userId: Int }

    @Test(arguments: ["userId", "user__id"])
    func namesThatTheDecoderWouldConvertToOneAreCodingKeys(name: String) throws {
        let schema = Self.snakeCase.replacing(#""line_1": "#, with: #""user_id": \#(Self.text), "\#(name)": "#)
        let code = try generate(get(schema)).code
        #expect(!code.contains("convertFromSnakeCase"))
        for key in ["user_id", name, "html_url"] { #expect(code.contains(" = \"\(key)\"\n"), "\(key)") }
        // Such a decoder would take the first of both.
        let data = Data(#"{"user_id": 1, "\#(name)": 2}"#.utf8)
        let key = SwiftName.commonKey(name)
        #expect(try JSONReader(keys: .convertFromSnakeCase).decode(UserIDs.self, from: data).userId == 1)
        #expect(try JSONReader().decode([String: Int].self, from: data)[name] == 2)
        #expect(key == "userId" && SwiftName.commonKey("user_id") == key)
    }

    @Test(
        arguments: [
            ("htmlURL", "html_url", true), ("userIDs", "user_ids", true), ("line1", "line_1", true), ("id", "id", true),
            ("createdAt", "createdAt", true), ("image60x60", "image_60x60", false), ("links", "_links", false),
            ("isPublic", "public", false), ("plus1", "+1", false), ("last", "last_", false),
            ("fooBar", "Foo_bar", true),
            ("mealVoucherFR", "mealVoucher_FR", false), ("mealvoucherFR", "mealVoucher_FR", true), ("Foo", "Foo", true),
        ] as [(String, String, Bool)])
    func decoderFindsConvertedNames(member: String, name: String, isFound: Bool) throws {
        #expect(SwiftName.isConverted(member, from: name) == isFound)
        struct Found: Decodable {
            let isFound: Bool
            init(from decoder: any Decoder) throws {
                let member = decoder.userInfo[CodingUserInfoKey(rawValue: "member")!] as? String ?? ""
                isFound = try decoder.container(keyedBy: Key.self).contains(Key(stringValue: member))
            }
        }
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        var reader = JSONReader(keys: .convertFromSnakeCase)
        reader.userInfo = [CodingUserInfoKey(rawValue: "member")!: member]
        #expect(try reader.decode(Found.self, from: Data(#"{"\#(name)": 0}"#.utf8)).isFound || !isFound)
    }

    // MARK: - Pages

    private static func page(_ name: String, of element: String) -> String {
        let list = ##"{"type": "array", "items": {"$ref": "#/components/schemas/\##(element)"}}"##
        return ##"""
            {"required": ["\##(name)", "has_more"], "properties": {"\##(name)": \##(list),
            "has_more": {"type": "boolean"}, "object": {"enum": ["list"]}}}
            """##
    }

    private func generatePages(
        _ names: [String], of elements: [String] = ["user", "team", "task"], meta: [String] = []
    ) throws -> String {
        let operations = zip(names, elements).enumerated().map { index, item in
            var page = Self.page(item.0, of: item.1)
            if !meta.isEmpty {
                page = page.replacing(##""has_more": {"type": "boolean"}"##, with: ##""has_more": \##(meta[index])"##)
            }
            return ##""/\##(item.1)s": {\##(get(page))}"##
        }
        let nested =
            ##""/x": {\##(get(##"{"properties": {"members": \##(Self.page("data", of: "user")), "x": {}}}"##))}"##
        let models = elements.map { ##""\##($0)": {"properties": {"id": {}, "\##($0)": {}}}"## }
        let description =
            ErrorTests.head + ##""components": {"schemas": {\##(models.joined(separator: ", "))}}, "##
            + ##""paths": {\##((operations + [nested]).joined(separator: ", "))}}"##
        return try TemporaryFolder().files(description).map(\.text).joined()
    }

    @Test func pagesThatDifferInTheirElementsAreOneGenericType() throws {
        let code = try generatePages(["data", "data", "data"])
        #expect(code.contains("struct TestList<Element: Decodable & Sendable>: JSONResponse {\n"))
        #expect(code.contains("    let data: [Element]\n"))
        for element in ["User", "Team", "TestTask"] {
            #expect(code.contains("typealias Response = TestList<\(element)>\n"), "\(element)")
        }
        #expect(code.contains("let members: TestList<User>?\n"))
    }

    @Test func pagesWithOtherListsStayAsTheyAre() throws {
        #expect(try !generatePages(["users", "teams", "tasks"]).contains("<Element"))
        #expect(try !generatePages(["data", "data", "tasks"]).contains("<Element"))
    }

    @Test(arguments: [
        ##"{"properties": {"next": {"type": "string", "nullable": true}}}"##,
        ##"{"properties": {"links": {"type": "array", "items": {"type": "string", "nullable": true}}}}"##,
    ])
    func pagesThatDifferInWhatMayBeNullStayAsTheyAre(meta: String) throws {
        let other = meta.replacing(#", "nullable": true"#, with: "")
        let names = ["data", "data", "data"]
        #expect(try generatePages(names, meta: [meta, meta, meta]).contains("<Element"))
        #expect(try !generatePages(names, meta: [other, meta, meta]).contains("<Element"))
    }

    @Test func modelDoesNotHaveTheNameOfThePagesElements() throws {
        let code = try generatePages(["data", "data", "data"], of: ["user", "team", "element"])
        #expect(code.contains("typealias Response = TestList<TestElement>\n"))
    }

    // MARK: - Versions

    @Test func versionOfAllPathsBelongsToTheBase() throws {
        let operation = get("{}")
        func code(_ paths: [String]) throws -> String {
            let items = paths.map { ##""\##($0)": {\##(operation)}"## }.joined(separator: ", ")
            let upload = ##""servers": [{"url": "https://uploads.example.com"}], "post": {"responses": {"200": {}}}"##
            return try TemporaryFolder().files(
                ErrorTests.head + ##""servers": [{"url": "https://api.example.com"}], "##
                    + ##""paths": {\##(items), "/v1/files": {\##(upload)}}}"##
            ).map(\.text).joined()
        }
        let moved = try code(["/v1/users", "/v1/users/{id}"])
        for text in ["api.example.com/v1\")", "uploads.example.com/v1\")", "{ \"users\" }", "{ \"files\" }"] {
            #expect(moved.contains(text), "\(text)")
        }
        // A server of its own has a version of its own.
        let mixed = try code(["/v1/users", "/v2/users"])
        for text in ["api.example.com\")", "uploads.example.com/v1\")", "{ \"v2/users\" }", "{ \"files\" }"] {
            #expect(mixed.contains(text), "\(text)")
        }
        #expect(try code(["/v1/users", "/v1/"]).contains("{ \"v1/users\" }"))
    }

    // MARK: - Names

    @Test(
        arguments: [
            ("simple-user", ["User", "SimpleUser"]), ("TaskCompact", ["Task", "CompactTask", "TaskCompact"]),
            ("AlbumObject", ["Album", "AlbumObject"]), ("CreateTeamRequest", ["NewTeam", "CreateTeamRequest"]),
            ("UpdateTeamParams", ["TeamUpdate", "UpdateTeamParams"]), ("call.enum.status", ["CallStatus"]),
            ("api.v2010.account.call", ["Call", "AccountCall", "APIAccountCall"]), ("nullable-thing", ["Thing"]),
            ("ErrorObject", ["ErrorObject"]), ("CreateTeamRequestContent", ["NewTeam", "CreateTeamRequestContent"]),
        ] as [(String, [String])])
    func modelsHaveShortNames(name: String, expected: [String]) {
        let names = ModelName.candidates(name, isRead: false)
        var distinct: [String] = []
        for name in names where !distinct.contains(name) { distinct.append(name) }
        #expect(Array(distinct.prefix(expected.count)) == expected)
    }

    @Test(
        arguments: [
            ("ListTeamsResponse", "TeamList"), ("CreateTeamResponse", "Team"), ("DeleteTeamResponse", "TeamDeletion"),
            ("GetTeamResponseContent", "Team"), ("TeamContent", "TeamContent"),
        ] as [(String, String)])
    func responsesAreNamedAfterWhatTheyHold(name: String, expected: String) {
        #expect(ModelName.candidates(name, isRead: true).first == expected)
    }

    @Test func fullestModelHasTheShortName() throws {
        let names = ["TaskCompact", "TaskResponse", "TaskRequest"]
        let models = names.map { ##""\##($0)": {"properties": {"\##($0)": {}}}"## }.joined(separator: ", ")
        let members = names.prefix(2).map { ##""\##($0)": {"$ref": "#/components/schemas/\##($0)"}"## }
        let schema = ##"{"properties": {\##(members.joined(separator: ", "))}}"##
        let body = ##"{"content": {"application/json": {"schema": {"$ref": "#/components/schemas/TaskRequest"}}}}"##
        let response = ##"{"200": {"content": {"application/json": {"schema": \##(schema)}}}}"##
        let code = try generate(
            ["put", "patch"].map { ##""\##($0)": {"requestBody": \##(body), "responses": \##(response)}"## }
                .joined(separator: ", "), components: "{\(models)}"
        ).code
        // `Task` is a type of Swift.
        for line in ["struct TestTask: ", "struct CompactTask: ", "struct TaskRequest: "] {
            #expect(code.contains(line), "\(line)")
        }
    }

    @Test func innerTypeHasItsTitleIfItsNameIsThatOfItsOwner() throws {
        let commit =
            ##"{"properties": {"commit": {"title": "git commit", "properties": {"message": \##(Self.text)}}}}"##
        let list = ##"{"type": "array", "items": {"$ref": "#/components/schemas/commit"}}"##
        let code = try generate(get(list), components: ##"{"commit": \##(commit)}"##).code
        #expect(code.contains("let commit: GitCommit?"))
    }

    @Test func flagWhoseNameIsAKeywordIsAQuestion() throws {
        let code = try generate(get(##"{"properties": {"private": {"type": "boolean"}, "default": \##(Self.text)}}"##))
            .code
        #expect(code.contains("let isPrivate: Bool?"))
        #expect(code.contains("let `default`: String?"))
    }
}
