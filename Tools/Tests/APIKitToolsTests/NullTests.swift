import Foundation
import Testing

@testable import APIKitTools

/// Null in all of its spellings, and what the summary says of values that are any JSON.
@Suite struct NullTests {
    /// Generates a response with some members.
    private func generate(_ members: String, _ components: String = "") throws -> (code: String, notes: [String]) {
        let schemas = #"{"filter": {"properties": {"key": {"type": "string"}}}\#(components)}"#
        let description = TemporaryFolder.description(
            schema: #"{"properties": {\#(members)}}"#, components: schemas)
        let plan = try TemporaryFolder().plan(description)
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let notes = plan.api.notes.filter { $0.kind != .unused && !$0.text.contains("URL") }.map(\.text)
        return (files.map(\.text).joined(), notes)
    }

    private static let filter = ##"{"$ref": "#/components/schemas/filter"}"##
    private static let nulls = ##"""
        , "null": {"enum": [null]}, "alias": {"$ref": "#/components/schemas/null"},
        "loop": {"$ref": "#/components/schemas/loop"},
        "all": {"allOf": [{"$ref": "#/components/schemas/alias"}]},
        "inside": {"oneOf": [{"$ref": "#/components/schemas/inside"}, {"$ref": "#/components/schemas/filter"}]}
        """##

    @Test(arguments: [
        #"{"nullable": true}"#, #"{"nullable": true, "description": "Or null.", "x-note": 1}"#, #"{"type": "null"}"#,
        #"{"type": ["null"]}"#, #"{"const": null}"#, #"{"enum": [null]}"#, ##"{"$ref": "#/components/schemas/null"}"##,
        ##"{"$ref": "#/components/schemas/alias"}"##, ##"{"$ref": "#/components/schemas/all"}"##,
        ##"{"oneOf": [{"$ref": "#/components/schemas/alias"}, {"type": "null"}]}"##,
    ])
    func variantThatIsNullMakesTheOthersOptional(null: String) throws {
        for keyword in ["oneOf", "anyOf"] {
            let union = #"{"\#(keyword)": [\#(Self.filter), \#(null)]}"#
            let members = #"""
                "one": \#(union), "list": {"type": "array", "items": \#(union)},
                "map": {"type": "object", "additionalProperties": \#(union)}
                """#
            let (code, notes) = try generate(members, Self.nulls)
            #expect(code.contains("let one: Filter?\n"))
            #expect(code.contains("let list: [Filter?]?\n"))
            #expect(code.contains("let map: [String: Filter?]?\n"))
            #expect(!code.contains("JSONValue"))
            #expect(notes == [])
        }
    }

    @Test(arguments: [
        #"{"allOf": [FILTER, {"nullable": true}]}"#, #"{"oneOf": [FILTER, {"type": "string", "nullable": true}]}"#,
        #"{"oneOf": [FILTER, {"type": ["string", "null"]}]}"#,
    ])
    func partOrVariantThatAllowsNullMakesTheWholeOptional(schema: String) throws {
        let list = #"{"type": "array", "items": \#(schema.replacing("FILTER", with: Self.filter))}"#
        let (code, _) = try generate(#""list": \#(list)"#)
        #expect(code.contains("let list: [Filter?]?\n") || code.contains("let list: [List?]?\n"))
    }

    @Test func nullOfSeveralTextsIsOptional() throws {
        let components = ##", "status": {"enum": ["open", "closed"]}, "blank": {"enum": [""]}"## + Self.nulls
        let references = ["status", "blank", "null"].map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }
        let union = #"{"oneOf": [\#(references.joined(separator: ", "))]}"#
        let (code, notes) = try generate(#""list": {"type": "array", "items": \#(union)}"#, components)
        #expect(code.contains("static let closed = Self(rawValue: \"closed\")"))
        #expect(code.contains("?]?\n") && !code.contains("JSONValue"))
        #expect(notes == [])
    }

    @Test func referencesInACircleEnd() throws {
        let inside = ##"{"$ref": "#/components/schemas/inside"}"##
        let (code, _) = try generate(#""one": {"oneOf": [\#(inside), {"type": "null"}]}"#, Self.nulls)
        #expect(code.contains("let one: "))
        let loop = ##"{"oneOf": [{"$ref": "#/components/schemas/loop"}, {"type": "null"}]}"##
        let plan = try TemporaryFolder().plan(
            TemporaryFolder.description(
                schema: loop, components: ##"{"loop": {"$ref": "#/components/schemas/loop"}}"##))
        #expect(plan.api.notes.contains { $0.text.hasSuffix("the reference leads back to itself") })
    }

    // MARK: - Any JSON

    @Test(
        arguments: [
            (#"{"type": "null"}"#, "a value that is always null is any JSON"),
            (
                #"{"oneOf": [{"type": "string"}, {"default": 1}]}"#,
                "a union is any JSON, since one of its variants allows any value"
            ),
            (#"{"enum": ["a", {}]}"#, "an enum is any JSON, since it has lists or objects"),
            (#"{"const": [1]}"#, "an enum is any JSON, since it has lists or objects"),
        ] as [(String, String)])
    func describedValueThatIsAnyJSONIsALine(schema: String, note: String) throws {
        let (code, notes) = try generate(#""one": \#(schema)"#)
        #expect(code.contains("let one: JSONValue?"))
        #expect(notes == [note])
    }

    @Test(arguments: [
        "{}", "true", #"{"description": "Anything."}"#, #"{"enum": []}"#, #"{"nullable": true}"#,
        #"{"oneOf": [{}, {"title": "A"}]}"#, #"{"allOf": [{"description": "Anything."}]}"#,
    ])
    func valueThatIsNotDescribedIsAnyJSONWithoutALine(schema: String) throws {
        let (code, notes) = try generate(#""one": \#(schema)"#)
        #expect(code.contains("let one: JSONValue?"))
        #expect(notes == [])
    }

    @Test(arguments: [
        #"{"enum": ["a", 1]}"#, #"{"enum": [1, "a", null]}"#, #"{"type": ["integer", "string"], "enum": [1, "a"]}"#,
        #"{"type": ["string", "integer", "null"], "enum": ["a", "b", 1]}"#,
    ])
    func enumOfSeveralTypesIsAUnion(schema: String) throws {
        let (code, notes) = try generate(#""one": \#(schema)"#)
        #expect(
            code.contains("let one: One?") && code.contains("case int(Int)") && code.contains("case string(String)"))
        #expect(notes == [])
    }

    // MARK: - Members

    @Test func memberWithABrokenReferenceIsAnyJSON() throws {
        let missing = ##"{"$ref": "#/components/schemas/missing"}"##
        let members = #""a": \#(missing), "b": {"type": "array", "items": \#(missing)}, "c": {"type": "string"}"#
        let (code, notes) = try generate(members)
        #expect(code.contains("let a: JSONValue?") && code.contains("let b: JSONValue?"))
        #expect(code.contains("let c: String?"))
        let reason = "the reference #/components/schemas/missing leads nowhere"
        #expect(notes == ["member a is any JSON: \(reason)", "member b is any JSON: \(reason)"])
    }

    @Test func notesOnMembersDoNotQuoteReferencedFiles() throws {
        let folder = try TemporaryFolder()
        let text = "{required: [hunter2], properties: {hunter3: {$ref: '#/hunter4'}}}"
        _ = try folder.write(text, to: "b.yaml")
        let plan = try folder.plan(TemporaryFolder.description(schema: #"{"$ref": "b.yaml"}"#))
        #expect(plan.api.notes.contains { $0.text == "a member is any JSON: a reference leads nowhere" })
        #expect(plan.api.notes.contains { $0.text == "a member, which is required, but not described" })
        #expect(!plan.api.notes.contains { "\($0.text) \($0.place)".contains("hunter") })
    }

    @Test func requiredMemberThatIsNotDescribedIsALine() throws {
        let object = #"{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"}}}"#
        let (_, notes) = try generate(#""one": \#(object)"#)
        #expect(notes == ["member b, which is required, but not described"])
    }

    @Test func membersWithoutNamesHaveTheSchemaOfUnevaluatedProperties() throws {
        let map = #"{"type": "object", "unevaluatedProperties": {"type": "integer"}}"#
        let object = #"{"properties": {"x": {"type": "string"}}, "unevaluatedProperties": {"type": "integer"}}"#
        let (code, notes) = try generate(#""map": \#(map), "object": \#(object)"#)
        #expect(code.contains("let map: [String: Int]?"))
        #expect(notes == ["members of an object that are not named are ignored"])
    }
}
