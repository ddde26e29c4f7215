import APIDescription
import APIKitCore
import Foundation
import TestTraits
import Testing

@Suite struct SchemaCheckTests {
    private static let schemas = #"""
        {
          "Name": {"type": "string"},
          "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}, "id": {"type": "integer"}}},
          "Dog": {"type": "object", "required": ["kind", "barks"], "properties": {"kind": {"type": "string"}, "barks": {"type": "boolean"}}},
          "Cat": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
          "HotDog": {"type": "object", "required": ["kind", "lives"], "properties": {"kind": {"type": "string"}, "lives": {"type": "integer"}}},
          "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"type": "object"}]}
        }
        """#

    @Test(
        arguments: [
            (#"{"type": "integer"}"#, "1.0", []),
            (#"{"type": "integer"}"#, "1.5", ["body is 1.5, not an integer"]),
            (#"{"type": "integer"}"#, "null", ["body is null, not an integer"]),
            (#"{"type": "integer", "nullable": true}"#, "null", []),
            (#"{"type": "string"}"#, "true", ["body is a boolean, not a string"]),
            (#"{"type": "string", "format": "uuid"}"#, #""7""#, [#"body is "7", not in the format uuid"#]),
            (
                #"{"type": "string", "format": "date"}"#, #""2026-13-01""#,
                [#"body is "2026-13-01", not in the format date"#]
            ),
            (#"{"type": "string", "pattern": "^AC[0-9a-f]{2}$"}"#, #""AC0f""#, []),
            (
                #"{"type": "string", "pattern": "^AC[0-9a-f]{2}$"}"#, #""AC0""#,
                [#"body is "AC0", not as the pattern ^AC[0-9a-f]{2}$"#]
            ),
            (#"{"type": "string", "pattern": "b"}"#, #""abc""#, []),
            (#"{"type": "string", "pattern": "^\\d$"}"#, #""٣""#, [#"body is "٣", not as the pattern ^\d$"#]),
            (#"{"type": "string", "pattern": "(?<"}"#, #""a""#, []),
            (#"{"type": "string", "pattern": "a\\b-\\bb\\b\\."}"#, #""a-b.c""#, []),
            (#"{"type": "string", "pattern": "^a\\b"}"#, #""aé""#, []),
            (#"{"type": "string", "pattern": "^[+--x]$"}"#, #""x""#, []),
            (#"{"type": "string", "pattern": "^[a&&b]$"}"#, #""a""#, []),
            (#"{"type": "string", "pattern": "^[a~~a]$"}"#, #""a""#, []),
            (#"{"type": "string", "pattern": "^a\\sb$"}"#, "\"a\u{A0}b\"", []),
            (#"{"enum": ["a", 2, null]}"#, "2.0", []),
            (#"{"enum": ["a", 2]}"#, #""b""#, [#"body is "b", not one of "a", 2"#]),
            (#"{"type": "number", "minimum": 0, "exclusiveMinimum": true}"#, "0", ["body is 0, below the limit 0"]),
            (
                #"{"type": "array", "items": {"type": "integer"}}"#, #"[1, "a", "b"]"#,
                ["body[1] is a string, not an integer"]
            ),
            (
                #"{"type": "object", "additionalProperties": {"type": "integer"}}"#, #"{"a": 1, "b": "c"}"#,
                ["body.b is a string, not an integer"]
            ),
            (#"{"type": "object", "additionalProperties": false}"#, #"{"a": 1}"#, ["body.a is not in the description"]),
            (#"{"type": "object", "properties": {"a": {}}, "additionalProperties": true}"#, #"{"b": 1}"#, []),
            (#"{"type": "object", "properties": {"a": {}}}"#, #"{"b": 1}"#, ["body.b is not in the description"]),
            (#"{"type": "object"}"#, #"{"b": 1}"#, []),
            (##"{"$ref": "#/components/schemas/Name"}"##, "1", ["body is 1, not a string"]),
            (
                ##"{"$ref": "#/components/schemas/Node"}"##, #"{"next": {"next": {"id": "7"}}}"#,
                ["body.next.next.id is a string, not an integer"]
            ),
            (##"{"$ref": "#/components/schemas/Loop"}"##, #"{"a": 1}"#, []),
            (
                ##"{"allOf": [{"$ref": "#/components/schemas/Node"}, {"type": "object", "properties": {"name": {"type": "string"}}}]}"##,
                #"{"id": 1, "name": 2, "nam": 3}"#,
                ["body.name is 2, not a string", "body.nam is not in the description"]
            ),
            (
                ##"{"oneOf": [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}]}"##,
                #"{"kind": "cat", "lives": "9"}"#, ["body.lives is a string, not an integer"]
            ),
            (
                ##"{"oneOf": [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}], "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Dog"}}}"##,
                #"{"kind": "cat", "lives": 9}"#,
                ["body.barks is required, and missing", "body.lives is not in the description"]
            ),
            (
                // The name alone, of which the name of another alternative is the end.
                ##"{"oneOf": [{"$ref": "#/components/schemas/HotDog"}, {"$ref": "#/components/schemas/Dog"}], "discriminator": {"propertyName": "kind", "mapping": {"d": "Dog"}}}"##,
                #"{"kind": "d", "lives": 9}"#,
                ["body.barks is required, and missing", "body.lives is not in the description"]
            ),
            (#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, "null", []),
            (
                #"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": {}, "b": {}}}"#, "{}",
                ["body.a is required, and missing"]
            ),
            (#"{"properties": {"a": {"type": "string", "readOnly": true}}, "required": ["a"]}"#, "{}", []),
        ] as [(String, String, [String])])
    func checksABody(_ schema: String, _ json: String, _ expected: [String]) throws {
        let description = try APIDescription(request: schema, schemas: Self.schemas)
        let problems = description.problems(with: JSONEndpoint<Anything>(json: json))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }

    /// Two parts of an `allOf` that describe one object within the value.
    private static let shared = #"""
        {"allOf": [
            {"properties": {"a": {"type": "object", "properties": {"x": {"type": "integer"}}}}},
            {"properties": {"a": {"properties": {"y": {"type": "string"}}}, "b": {"type": "integer"}}}
        ]}
        """#

    @Test(
        arguments: [
            (shared, #"{"a": {"x": 1, "y": "s"}, "b": 2}"#, []),
            (
                shared, #"{"a": {"x": 1, "z": 3}, "c": 2}"#,
                ["body.c is not in the description", "body.a.z is not in the description"]
            ),
            (shared, #"{"a": {"x": "1", "y": "s"}}"#, ["body.a.x is a string, not an integer"]),
            // The elements of a list.
            (
                #"{"allOf": [{"items": {"properties": {"x": {}}}}, {"items": {"properties": {"y": {}}}}]}"#,
                #"[{"x": 1}, {"y": 2, "z": 3}]"#, ["body[1].z is not in the description"]
            ),
            // At any depth.
            (
                #"{"allOf": [{"allOf": [{"properties": {"a": {"properties": {"b": {"properties": {"x": {}}}}}}}]}, {"properties": {"a": {"allOf": [{"properties": {"b": {"properties": {"y": {}}}}}]}}}]}"#,
                #"{"a": {"b": {"x": 1, "y": 2, "z": 3}}}"#, ["body.a.b.z is not in the description"]
            ),
            // One part allows other members.
            (
                #"{"allOf": [{"properties": {"a": {"properties": {"x": {}}}}}, {"properties": {"a": {"type": "object", "additionalProperties": {"type": "integer"}}}}]}"#,
                #"{"a": {"x": 1, "y": 2}}"#, []
            ),
            // One part describes no members: it neither allows nor forbids others.
            (
                #"{"allOf": [{"properties": {"a": {"properties": {"x": {}}}}}, {"properties": {"a": {"type": "object"}}}]}"#,
                #"{"a": {"y": 2}}"#, ["body.a.y is not in the description"]
            ),
            // One part forbids others, also those that the other part describes (JSON Schema, 10.3.2.3).
            (
                #"{"allOf": [{"properties": {"a": {"properties": {"x": {}}, "additionalProperties": false}}}, {"properties": {"a": {"properties": {"y": {}}}}}]}"#,
                #"{"a": {"x": 1, "y": 2, "z": 3}}"#,
                ["body.a.y is not in the description", "body.a.z is not in the description"]
            ),
            // Beside alternatives, and only in those that fit.
            (
                #"{"properties": {"a": {"properties": {"x": {}}}}, "oneOf": [{"properties": {"a": {"properties": {"y": {"type": "integer"}}}}}, {"properties": {"a": {"properties": {"y": {"type": "string"}, "z": {}}}}}]}"#,
                #"{"a": {"x": 1, "y": 2, "z": 3}}"#, ["body.a.z is not in the description"]
            ),
            (
                #"{"allOf": [{"oneOf": [{"properties": {"a": {"properties": {"x": {}}}}}, {"type": "string"}]}, {"anyOf": [{"properties": {"a": {"properties": {"y": {}}}}}, {"properties": {"a": {"properties": {"z": {"type": "integer"}}}}}]}]}"#,
                #"{"a": {"x": 1, "y": 2, "z": "3"}}"#, ["body.a.z is not in the description"]
            ),
            // A member's schema and one by its pattern.
            (
                #"{"properties": {"ab": {"properties": {"x": {}}}}, "patternProperties": {"^a": {"properties": {"y": {}}}}}"#,
                #"{"ab": {"x": 1, "y": 2, "z": 3}}"#, ["body.ab.z is not in the description"]
            ),
            // An alternative that describes fewer members is not nearer because of those that it does not describe.
            (
                #"{"oneOf": [{"required": ["k"], "properties": {"k": {"type": "integer"}, "n": {"properties": {"p": {}}}}}, {"properties": {"k": {"type": "boolean"}, "n": {"properties": {"q": {}, "r": {}}}}}]}"#,
                #"{"k": "s", "n": {"p": 1}}"#, ["body.k is a string, not an integer"]
            ),
        ] as [(String, String, [String])])
    func membersThatAnySchemaOfTheValueDescribesAreKnown(_ schema: String, _ json: String, _ expected: [String]) throws
    {
        let description = try APIDescription(request: schema, version: "3.1.0")
        let problems = description.problems(with: JSONEndpoint<Anything>(json: json))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }

    @Test func membersBesideAReferenceCountSinceOpenAPI31() throws {
        let schema =
            ##"{"$ref": "#/components/schemas/Node", "properties": {"name": {"type": "string"}}, "required": ["name"]}"##
        let endpoint = JSONEndpoint<Anything>(json: #"{"id": 7}"#)
        let new = try APIDescription(request: schema, version: "3.1.0", schemas: Self.schemas)
        #expect(new.problems(with: endpoint).map(\.code) == [.missing])
        #expect(new.problems(with: JSONEndpoint<Anything>(json: #"{"id": 7, "name": "a"}"#)) == [])
        #expect(try APIDescription(request: schema, schemas: Self.schemas).problems(with: endpoint) == [])
    }

    @Test func typesOfOpenAPI31AreLists() throws {
        let description = try APIDescription(
            request: #"{"type": ["string", "null"], "const": "a"}"#, version: "3.1.0")
        #expect(description.problems(with: JSONEndpoint<Anything>(json: #""a""#)) == [])
        #expect(
            description.problems(with: JSONEndpoint<Anything>(json: "7")).map(\.message) == [
                "is 7, not a string or null"
            ])
    }

    @Test(
        arguments: [
            (#"{"prefixItems": [{"type": "number"}, {"type": "string"}], "items": false}"#, #"[1.5, "m"]"#, []),
            (#"{"prefixItems": [{"type": "number"}, {"type": "string"}], "items": false}"#, "[1.5]", []),
            (
                #"{"prefixItems": [{"type": "number"}, {"type": "string"}], "items": false}"#, #"["m", 1.5, 2]"#,
                [
                    "body[0] is a string, not a number", "body[1] is 1.5, not a string", "body[2] is not allowed",
                ]
            ),
            (
                #"{"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}"#, #"["m", 1, "n"]"#,
                ["body[2] is a string, not an integer"]
            ),
            (#"{"uniqueItems": true}"#, #"[1, 2, "1", [1], {"a": 1, "b": 2}, {"a": 1, "b": 3}]"#, []),
            (#"{"uniqueItems": true}"#, "[1, 2, 1.0]", ["body has the element 1.0 twice"]),
            (
                #"{"uniqueItems": true}"#, #"[{"a": 1, "b": 2}, {"b": 2, "a": 1}]"#,
                [#"body has the element {"b": 2, "a": 1} twice"#]
            ),
            (#"{"uniqueItems": true}"#, "[10000000000000001, 10000000000000002]", []),
            (#"{"uniqueItems": true}"#, #"["é", "e\u0301"]"#, []),
            (#"{"uniqueItems": true}"#, #"["***", "***"]"#, []),
            (#"{"minItems": 1, "maxItems": 2}"#, "[1, 2]", []),
            (#"{"minItems": 2}"#, "[1]", ["body has 1 element, fewer than 2"]),
            (#"{"maxItems": 1}"#, "[1, 2]", ["body has 2 elements, more than 1"]),
            (#"{"minProperties": 1}"#, "{}", ["body has 0 members, fewer than 1"]),
            (#"{"maxProperties": 0}"#, #"{"a": 1}"#, ["body has 1 member, more than 0"]),
            (#"{"multipleOf": 0.01}"#, "[9.95, 0.07]", []),
            (
                #"{"items": {"multipleOf": 0.01}}"#, "[9.95, 0.07, 19.999]",
                ["body[2] is 19.999, not a multiple of 0.01"]
            ),
            (#"{"multipleOf": 0}"#, "3", []),
            (#"{"const": "é"}"#, #""e\u0301""#, [#"body is "e\#u{301}", not one of "é""#]),
            (#"{"const": {"a": 1, "b": [2]}}"#, #"{"b": [2.0], "a": 1}"#, []),
            (#"{"enum": [[1], [2]]}"#, "[2.0]", []),
            (
                #"{"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": false}"#,
                #"{"x-a": "1", "x-b": 2, "y": 3}"#, ["body.x-b is 2, not a string", "body.y is not in the description"]
            ),
            (
                #"{"properties": {"a": {"type": "integer"}}, "patternProperties": {"a": {"minimum": 5}}}"#,
                #"{"a": 1, "b": "c"}"#, ["body.a is 1, below the limit 5"]
            ),
            (
                #"{"patternProperties": {"^x-": {}}, "additionalProperties": {"type": "integer"}}"#,
                #"{"x-a": "1", "y": "z"}"#, ["body.y is a string, not an integer"]
            ),
            // A pattern that is not tried may match any name.
            (
                #"{"patternProperties": {"^(a+)+$": {"type": "string"}}, "additionalProperties": false}"#, #"{"b": 1}"#,
                []
            ),
        ] as [(String, String, [String])])
    func checksABodyOfOpenAPI31(_ schema: String, _ json: String, _ expected: [String]) throws {
        let description = try APIDescription(request: schema, version: "3.1.0")
        let problems = description.problems(with: JSONEndpoint<Anything>(json: json))
        #expect(problems.map { "\($0.member) \($0.message)" } == expected)
    }

    @Test func membersOfAnAlternativeThatDoesNotFitAreUnknown() throws {
        let schema =
            ##"{"anyOf": [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}]}"##
        let description = try APIDescription(request: schema, schemas: Self.schemas)
        for json in [#"{"kind": "cat", "lives": 9, "barks": 1}"#, #"{"kind": "dog", "barks": true, "lives": 1.5}"#] {
            #expect(description.problems(with: JSONEndpoint<Anything>(json: json)).map(\.code) == [.unknown])
        }
    }

    @Test func secretsAreMasked() throws {
        let description = try APIDescription(request: #"{"properties": {"password": {"enum": ["a"]}}}"#)
        let problems = description.problems(with: JSONEndpoint<Anything>(json: #"{"password": "hunter2"}"#))
        #expect(problems.map(\.message) == [#"is ***, not one of "a""#])
    }

    @Test func secretAtTheBeginningOfALongValueIsMasked() throws {
        let description = try APIDescription(request: #"{"enum": ["a"]}"#)
        let json = #"{"password": "hunter2", "note": "\#(String(repeating: "n", count: 100))"}"#
        let messages = description.problems(with: JSONEndpoint<Anything>(json: json)).map(\.message)
        #expect(messages.count == 1)
        #expect(messages.allSatisfy { $0.contains("***") && !$0.contains("hunter2") }, "\(messages)")
    }

    // MARK: - Hostile schemas

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "^(a+)+$", "^(a|aa)*$", #"^(\\w*a){9}$"#, "^a*a*a*a*a*a*a*$", "^\(String(repeating: "a?", count: 60))$",
            "^\(String(repeating: "(a|a)", count: 60))$",
        ])
    func patternsThatMayTakeLongAreNotChecked(_ pattern: String) throws {
        let description = try APIDescription(request: #"{"type": "string", "pattern": "\#(pattern)"}"#)
        let text = String(repeating: "a", count: 300) + "b"
        #expect(description.problems(with: JSONEndpoint<Anything>(json: #""\#(text)""#)) == [])
    }

    @Test(.timeLimit(.minutes(10))) func alternativesWithManyWaysToOneSchemaAreCheckedOnce() throws {
        let schemas = (0..<60).map { level in
            let next = ##"{"$ref": "#/components/schemas/S\##(level + 1)"}"##
            return #""S\#(level)": {"anyOf": [\#(next), \#(next), \#(next), \#(next)]}"#
        }
        let description = try APIDescription(
            request: ##"{"$ref": "#/components/schemas/S0"}"##, response: ##"{"$ref": "#/components/schemas/S0"}"##,
            schemas: "{\(schemas.joined(separator: ",")), \"S60\": {\"type\": \"integer\"}}")
        // Tried one way after the other, they would be too complex.
        #expect(description.problems(with: JSONEndpoint<Anything>(json: #""a""#)).map(\.code) == [.type])
    }

    @Test(.timeLimit(.minutes(10))) func membersWithManyWaysToOneSchemaAreCheckedOnce() throws {
        let names = ["A", "B", "C", "D"]
        var schemas: [String] = [#""A20": {"type": "integer"}"#]
        for level in 0..<20 {
            let next = names.map { ##"{"$ref": "#/components/schemas/\##($0)\##(level + 1)"}"## }
            let choices = level < 19 ? next.joined(separator: ",") : next[0]
            schemas += names.map { #""\#($0)\#(level)": {"properties": {"x": {"anyOf": [\#(choices)]}}}"# }
        }
        let description = try APIDescription(
            request: ##"{"$ref": "#/components/schemas/A0"}"##, schemas: "{\(schemas.joined(separator: ","))}")
        let value = String(repeating: #"{"x":"#, count: 20) + #""a""# + String(repeating: "}", count: 20)
        #expect(description.problems(with: JSONEndpoint<Anything>(json: value)).map(\.code) == [.type])
    }

    @Test(arguments: [#"{"allOf": [NEXT]}"#, #"{"anyOf": [{"type": "null"}, NEXT]}"#])
    func longChainsFitASmallStack(_ link: String) async throws {
        let length = Effort.rounds(1_500, thorough: 5_000)
        let schemas = (0..<length).map { level in
            let next = ##"{"$ref": "#/components/schemas/S\##(level + 1)"}"##
            return #""S\#(level)": \#(link.replacing("NEXT", with: next))"#
        }
        let description = try APIDescription(
            request: ##"{"$ref": "#/components/schemas/S0"}"##, response: ##"{"$ref": "#/components/schemas/S0"}"##,
            schemas: "{\(schemas.joined(separator: ",")), \"S\(length)\": {\"type\": \"integer\"}}")
        let problems = await onSmallStack { description.problems(with: JSONEndpoint<Anything>(json: "1")) }
        #expect(problems.map(\.code) == [.unchecked])
    }

    @Test func deepValuesFitASmallStack() async throws {
        let description = try APIDescription(
            request: ##"{"$ref": "#/components/schemas/Node"}"##, schemas: Self.schemas)
        let json = String(repeating: #"{"next":"#, count: 98) + #"{"id": "7"}"# + String(repeating: "}", count: 98)
        let problems = await onSmallStack { description.problems(with: JSONEndpoint<Anything>(json: json)) }
        #expect(problems.map(\.code) == [.type])
    }

    /// Runs work with the stack that Apple's platforms give a thread that is not the main one.
    private func onSmallStack(
        _ work: @escaping @Sendable () -> [APIDescription.Problem]
    ) async -> [APIDescription.Problem] {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
