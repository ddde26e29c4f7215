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
        let files = SourceWriter(plan: plan, filter: Filter([])).files()
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
        let codable = SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
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

    @Test func modelThatMayBeNullIsThatOfTheSameName() throws {
        let schema = ##"""
            {"required": ["a", "b"], "properties": {"a": {"$ref": "#/components/schemas/user"},
            "b": {"$ref": "#/components/schemas/nullable-user"}}}
            """##
        let code = try generate(get(schema), components: Self.components).code
        #expect(code.contains("let a: User\n"))
        #expect(code.contains("let b: User?\n"))
    }

    // MARK: - Names

    @Test(arguments: [
        ("simple-user", ["User", "SimpleUser"]), ("TaskCompact", ["Task", "CompactTask", "TaskCompact"]),
        ("AlbumObject", ["Album", "AlbumObject"]), ("CreateTeamRequest", ["NewTeam", "CreateTeamRequest"]),
        ("UpdateTeamParams", ["TeamUpdate", "UpdateTeamParams"]), ("call.enum.status", ["CallStatus"]),
        ("api.v2010.account.call", ["Call", "AccountCall", "APIAccountCall"]), ("nullable-thing", ["Thing"]),
        ("ErrorObject", ["ErrorObject"]),
    ])
    func modelsHaveShortNames(name: String, expected: [String]) {
        let names = ModelName.candidates(name, isRead: false)
        var distinct: [String] = []
        for name in names where !distinct.contains(name) { distinct.append(name) }
        #expect(Array(distinct.prefix(expected.count)) == expected)
    }

    @Test(arguments: [
        ("ListTeamsResponse", "TeamList"), ("CreateTeamResponse", "Team"), ("DeleteTeamResponse", "TeamDeletion"),
    ])
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
