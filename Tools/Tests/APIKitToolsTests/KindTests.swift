import Foundation
import Testing

@testable import APIKitTools

/// Children of a base, enums of numbers, and failures in several forms.
@Suite struct KindTests {
    /// Generates a response whose schema is one of some components.
    private func generate(_ schema: String, components: String = "{}") throws -> (code: String, notes: [String]) {
        let plan = try TemporaryFolder().plan(TemporaryFolder.description(schema: schema, components: components))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        return (files.map(\.text).joined(), plan.api.notes.filter { !$0.text.contains("URL") }.map(\.text))
    }

    private func reference(_ name: String) -> String { ##"{"$ref": "#/components/schemas/\##(name)"}"## }

    // MARK: - Inheritance

    private static let tag = #""discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}}"#

    @Test func schemasThatInheritFromEachOtherAreRead() throws {
        let first = #"{"allOf": [\#(reference("b"))], \#(Self.tag)}"#
        let second = #"{"allOf": [\#(reference("a")), \#(reference("b"))], \#(Self.tag)}"#
        let (code, _) = try generate(reference("a"), components: #"{"a": \#(first), "b": \#(second)}"#)
        #expect(code.contains("let kind") || code.contains("case "))
    }

    @Test func baseWithoutChildrenIsAnObject() throws {
        let (code, _) = try generate(reference("a"), components: #"{"a": {"type": "object", \#(Self.tag)}}"#)
        #expect(code.contains("struct A: JSONResponse"))
    }

    @Test func childrenThatAMappingLeavesOutAreVariantsOnlyIfTheyChooseTheirTag() throws {
        func child(_ more: String) -> String { #"{"allOf": [\#(reference("base")), {"type": "object"}]\#(more)}"# }
        let base =
            #"{"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind", "#
            + ##""mapping": {"1": "#/components/schemas/first"}}}"##
        let components = #"""
            {"base": \#(base), "first": \#(child("")), "second": \#(child("")),
            "third": \#(child(#", "properties": {"kind": {"const": "3"}}"#)),
            "fourth": \#(child(#", "x-ms-discriminator-value": "4""#))}
            """#
        let (code, _) = try generate(reference("base"), components: components)
        for (tag, name) in [("1", "first"), ("3", "third"), ("4", "fourth")] {
            #expect(code.contains(#"case "\#(tag)": self = .\#(name)("#))
        }
        #expect(!code.contains("second"))
    }

    @Test func tagThatDiffersInTwoBasesIsATextOfTheCaller() throws {
        func base(_ tags: String) -> String {
            #"{"type": "object", "properties": {"kind": {"type": "string"}}, "#
                + #""discriminator": {"propertyName": "kind", "mapping": {\#(tags)}}}"#
        }
        func child(_ member: String) -> String {
            let own = #"{"properties": {"\#(member)": {"type": "string"}}}"#
            return #"{"allOf": [\#(reference("a")), \#(reference("b")), \#(own)]}"#
        }
        let components = ##"""
            {"a": \##(base(##""1": "#/components/schemas/c", "2": "#/components/schemas/d""##)),
            "b": \##(base(##""1": "#/components/schemas/c", "3": "#/components/schemas/d""##)),
            "c": \##(child("x")), "d": \##(child("y"))}
            """##
        let schema = #"{"properties": {"a": \#(reference("a")), "b": \#(reference("b"))}}"#
        let plan = try TemporaryFolder().plan(TemporaryFolder.description(schema: schema, components: components))
        func kind(_ name: String) -> Schema.Kind? {
            plan.api.models.values.first { $0.name == name }?.object?.members["kind"]?.schema.kind
        }
        #expect(kind("c") == .constant("1"))
        #expect(kind("d") == .string)
    }

    // MARK: - Unions inside of unions

    private static let discriminator = #""discriminator": {"propertyName": "kind"}"#

    private func union(_ names: String..., tagged: Bool = true) -> String {
        let variants = names.map(reference).joined(separator: ", ")
        return #"{"oneOf": [\#(variants)]\#(tagged ? ", \(Self.discriminator)" : "")}"#
    }

    private func object(_ kind: String, _ member: String) -> String {
        let members = #""kind": {"const": "\#(kind)"}, "\#(member)": {"type": "string"}"#
        return #"{"type": "object", "required": ["kind", "\#(member)"], "properties": {\#(members)}}"#
    }

    @Test(arguments: [
        ["a", "b", "c"], ["a", "c", "b"], ["b", "a", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"],
    ])
    func unionHasTheTagsOfAllUnionsInIt(names: [String]) throws {
        let components = #"""
            {"\#(names[0])": \#(union(names[1], "z")), "\#(names[1])": \#(union("x", names[2])),
            "\#(names[2])": \#(union("y", "w")), "w": \#(object("4", "m")), "x": \#(object("1", "n")),
            "y": \#(object("2", "o")), "z": \#(object("3", "p"))}
            """#
        let (code, _) = try generate(reference(names[0]), components: components)
        #expect(code.contains(#"case "1", "2", "4": self = .\#(names[1])("#))
        #expect(code.contains(#"case "2", "4": self = .\#(names[2])("#))
    }

    @Test func tagThatIsAnyNumberDoesNotChooseTheVariant() throws {
        func object(_ member: String) -> String {
            let members = #""kind": {"type": "integer"}, "\#(member)": {"type": "string"}"#
            return #"{"required": ["kind"], "properties": {\#(members)}}"#
        }
        let components = #"{"a": \#(union("x", "y")), "x": \#(object("n")), "y": \#(object("o"))}"#
        let (code, notes) = try generate(reference("a"), components: components)
        #expect(code.contains("if let value = try? container.decode(X.self), value.n != nil {"))
        #expect(!code.contains("switch try?"))
        #expect(notes == ["the tag kind of a union has no known values: its variants are tried in turn"])
    }

    @Test(arguments: [true, false])
    func unionsThatContainEachOtherHaveTheSameVariants(tagged: Bool) throws {
        let components = #"""
            {"a": \#(union("x", "b", tagged: tagged)), "b": \#(union("a", "y", tagged: tagged)),
            "x": \#(object("1", "n")), "y": \#(object("2", "o"))}
            """#
        let schema = #"{"properties": {"a": \#(reference("a")), "b": \#(reference("b"))}}"#
        let (code, _) = try generate(schema, components: components)
        #expect(code.matches(of: /case x\(X\)/).count == 2 && code.matches(of: /case y\(Y\)/).count == 2)
        #expect(!code.contains("case a(") && !code.contains("case b(") && !code.contains("indirect"))
        #expect(code.matches(of: /case "1": self = .x/).count == 2)
    }

    @Test func unionWithItselfAsAVariantReadsNoValueTwice() throws {
        let union = #"{"oneOf": [\#(reference("a")), {"type": "string"}]}"#
        let (code, _) = try generate(#"{"properties": {"a": \#(reference("a"))}}"#, components: #"{"a": \#(union)}"#)
        #expect(code.contains("case string(String)") && !code.contains("case a("))
    }

    // MARK: - Enums of numbers

    private func constants(_ schema: String) throws -> [String] {
        let (code, _) = try generate(#"{"type": "object", "properties": {"a": {}, "size": \#(schema)}}"#)
        let lines = code.split(separator: "\n").map(\.trimmed)
        // The lines on the base are about "the A API", and its URL.
        return lines.filter { line in
            let isAboutBase = line == "///" || line.contains("A API") || line.contains("absolute URL")
            let isComment = line.hasPrefix("///") && !isAboutBase
            return isComment || line.contains("= Self(rawValue: ")
        }
    }

    @Test(
        arguments: [
            (
                #""type": "integer", "enum": [1, -1, 1, null, 2.0, 1e3]"#,
                ["value1 1", "minus1 -1", "value2 2", "value1000 1000"]
            ),
            (#""type": "number", "enum": [0.5, 2, -1.25e2]"#, ["value0Point5 0.5", "value2 2", "minus125 -125"]),
            (#""type": "integer", "enum": [1, 2], "x-enum-varnames": ["low", "high"]"#, ["low 1", "high 2"]),
            (#""type": "integer", "enum": [1, 2], "x-enumNames": ["low"]"#, ["low 1", "value2 2"]),
            (
                #""enum": [1, 20000000], "x-ms-enum": {"values": [{"value": 1, "name": "low"}, {"name": "high"}]}"#,
                ["low 1", "high 20_000_000"]
            ),
            (#""oneOf": [{"const": 1, "title": "Low"}, {"const": 2, "title": "High"}]"#, ["low 1", "high 2"]),
            (#""oneOf": [{"const": 1, "title": "Size"}, {"const": 2, "title": "Size"}]"#, ["value1 1", "value2 2"]),
            (
                #""oneOf": [{"const": "a1", "title": "Low"}, {"const": "b2", "title": "High"}]"#,
                [#"low "a1""#, #"high "b2""#]
            ),
        ] as [(String, [String])])
    func valuesOfAnEnumHaveNames(schema: String, constants: [String]) throws {
        let expected = constants.map { constant in
            let parts = constant.split(separator: " ")
            return "static let \(parts[0]) = Self(rawValue: \(parts[1]))"
        }
        #expect(try self.constants("{\(schema)}") == expected)
    }

    @Test(arguments: [
        #""x-enum-descriptions": ["The first of all.", "The last of all."]"#,
        #""x-enumDescriptions": {"1": "The first of all.", "2": "The last of all."}"#,
    ])
    func descriptionsOfValuesAreComments(descriptions: String) throws {
        let lines = try constants(#"{"type": "integer", "enum": [1, 2], \#(descriptions)}"#)
        #expect(lines.filter { $0.hasPrefix("///") } == ["/// The first of all.", "/// The last of all."])
    }

    @Test(
        arguments: [
            (#""type": "integer", "enum": [1, 3000000000]"#, "Int64"), (#""type": "integer", "enum": [1, 2]"#, "Int"),
            (#""type": "integer", "format": "uint32", "enum": [1, 2]"#, "UInt32"),
            (#""type": "integer", "format": "uint32", "enum": [1, -2]"#, "Int64"),
            (#""type": "integer", "enum": [18446744073709551615, 0]"#, "UInt64"), (#""enum": [0.5, 1]"#, "Double"),
        ] as [(String, String)])
    func rawValuesHaveATypeForAllNumbers(schema: String, type: String) throws {
        let (code, _) = try generate(#"{"type": "object", "properties": {"a": {}, "size": {\#(schema)}}}"#)
        #expect(code.contains("let rawValue: \(type)\n"))
    }

    @Test(
        arguments: [
            (#""type": "integer", "enum": ["1"]"#, "Int"), (#""type": "integer", "enum": [1.5, 2]"#, "Int"),
            (#""type": "boolean", "enum": [true]"#, "Bool"),
            (#""enum": [5]"#, "Int"), (#""type": "integer", "format": "uint8"}"#.dropLast().description, "Int"),
            (#""type": "integer", "format": "uint32""#, "UInt32"),
            (#""type": "integer", "format": "uint64""#, "UInt64"),
            (#""oneOf": [{"type": "integer"}, {"type": "integer", "format": "uint64"}]"#, "Double"),
            (#""oneOf": [{"type": "integer", "format": "uint32"}, {"type": "integer"}]"#, "Int64"),
            (#""oneOf": [{"const": true}, {"const": false}]"#, "Bool"),
            (#""oneOf": [{"items": {"type": "string"}}, {"items": {"enum": ["a", "b"]}}]"#, "[String]"),
            (#""oneOf": [{"items": {"type": "integer"}}, {"items": {"type": ["number", "null"]}}]"#, "[Double?]"),
        ] as [(String, String)])
    func otherValuesHaveAPlainType(schema: String, type: String) throws {
        let (code, _) = try generate(#"{"type": "object", "properties": {"a": {}, "size": {\#(schema)}}}"#)
        #expect(code.contains("let size: \(type)?\n"))
    }

    @Test func numbersOfADoubleAreThoseThatItRepresents() throws {
        let values = "9007199254740993, 9007199254740992, 18446744073709551615, -1, 0.5"
        let (code, _) = try generate(#"{"properties": {"a": {}, "size": {"type": "number", "enum": [\#(values)]}}}"#)
        for literal in ["9_007_199_254_740_992", "1.8446744073709552e+19", "-1", "0.5"] {
            #expect(code.contains("Self(rawValue: \(literal))"))
        }
        #expect(code.matches(of: /Self\(rawValue/).count == 4)
        let (plain, _) = try generate(#"{"properties": {"a": {}, "size": {"type": "number", "enum": [5e-324, 1]}}}"#)
        #expect(plain.contains("let size: Double?"))
    }

    @Test(
        arguments: [
            ("2147483647", "2_147_483_647"), ("20221128", "20_221_128"), ("2147483648", "Int64(2_147_483_648)"),
            ("18446744073709551615", "UInt64(18_446_744_073_709_551_615)"), ("1e30", "1e+30"),
        ] as [(String, String)])
    func constantThatIsSentHasATypeForItsValue(number: String, code expected: String) throws {
        let type = number.contains("e") ? "number" : "integer"
        let constant = #"{"type": "\#(type)", "const": \#(number)}"#
        let schema = #"{"required": ["a", "b"], "properties": {"a": \#(constant), "b": {"type": "string"}}}"#
        let body = #"{"required": true, "content": {"application/json": {"schema": \#(schema)}}}"#
        let header = #"{"name": "X-Number", "in": "header", "required": true, "schema": \#(constant)}"#
        let operation = #"{"parameters": [\#(header)], "requestBody": \#(body), "responses": {"204": {}}}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"post": \#(operation)}}}"#)
        let code = files.map(\.text).joined()
        #expect(code.contains(#"["a": \#(expected), "b": b]"#))
        // A header is a text, without separators.
        #expect(code.contains(#"["X-Number": "\#(number == "1e30" ? "1e+30" : number)"]"#))
    }

    // MARK: - Failures

    /// Generates the failure of two error responses that have a member `value`.
    private func failure(_ schemas: String...) throws -> String {
        let responses = schemas.enumerated().map { index, schema in
            let object = #"{"type": "object", "properties": {"value": \#(schema), "other\#(index)": {}}}"#
            return #""40\#(index)": {"content": {"application/json": {"schema": \#(object)}}}"#
        }
        let operation = #"{"responses": {"200": {}, \#(responses.joined(separator: ", "))}}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        return try #require(files.first { $0.path == "Models/TestError.swift" }).text
    }

    @Test(
        arguments: [
            (#"{"type": "string"}"#, #"{"enum": ["a", "b"]}"#, "String?"),
            (#"{"type": "object"}"#, #"{"additionalProperties": {"type": "integer"}}"#, "[String: JSONValue]?"),
            (
                #"{"properties": {"x": {"type": "integer"}}}"#, #"{"additionalProperties": {"type": "string"}}"#,
                "[String: JSONValue]?"
            ),
            (#"{"items": {"type": "string"}}"#, #"{"items": {"enum": ["a", "b"]}}"#, "[String]?"),
            (#"{"type": "integer"}"#, #"{"enum": [1, 2]}"#, "Int?"), ("{}", #"{"type": "string"}"#, "JSONValue?"),
        ] as [(String, String, String)])
    func valuesOfOneTypeAreOneKind(first: String, second: String, type: String) throws {
        #expect(try failure(first, second).contains("let value: \(type)\n"))
    }

    @Test func enumsOfTextsAreOneEnum() throws {
        let code = try failure(#"{"enum": ["a", "b"]}"#, #"{"enum": ["b", "c"]}"#, #"{"const": "d"}"#)
        for text in ["a", "b", "c", "d"] {
            #expect(code.contains(#"static let \#(text) = Self(rawValue: "\#(text)")"#))
        }
        #expect(!code.contains("enum "))
    }

    @Test func valuesOfDifferentTypesAreAUnion() throws {
        let object = #"{"properties": {"x": {"type": "integer"}}}"#
        let union = #"{"oneOf": [{"type": "string"}, {"properties": {"y": {"type": "integer"}}}]}"#
        let code = try failure(object, union)
        #expect(code.contains("case string(String)"))
        #expect(code.components(separatedBy: "case object(").count == 2)
        #expect(code.contains("let x: Int?") && code.contains("let y: Int?"))
    }

    @Test func variantsInTheOnlyFailureAreOneModel() throws {
        let variants = #"{"oneOf": [{"properties": {"x": {}}}, {"properties": {"y": {"type": "integer"}}}]}"#
        let code = try failure(#"{"items": \#(variants)}"#)
        #expect(code.contains("let value: [Value]?") || code.contains("let value: [Item]?"))
        #expect(code.contains("let x: JSONValue?") && code.contains("let y: Int?"))
        #expect(!code.contains("enum "))
    }

    // MARK: - Pages

    @Test func sizeOfAPageIsAnInt() throws {
        let parameters = [#""format": "uint32""#, #""enum": [10, 50], "default": 10"#].enumerated().map {
            index, schema in
            #"{"name": "\#(["limit", "per_page"][index])", "in": "query", "schema": {"type": "integer", \#(schema)}}"#
        }
        let operation = #"{"parameters": [\#(parameters.joined(separator: ", "))]}"#
        let code = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#).map(
            \.text
        )
        .joined()
        #expect(code.contains("var limit: Int?"))
        #expect(code.contains("var perPage = 10"))
    }

    @Test(
        arguments: [
            ("Used during the call.", false), ("The URL of the next page.", true), ("A security token.", false),
            ("The URI, if any.", true),
        ] as [(String, Bool)])
    func wordsDecideWhetherAMemberIsALink(description: String, isLink: Bool) throws {
        let next = #""next": {"type": "string", "description": "\#(description)"}"#
        let (code, _) = try generate(#"{"properties": {"items": {"items": {"type": "string"}}, \#(next)}}"#)
        #expect(code.contains("PagedRequest") == isLink)
    }

    @Test func nextPageIsReadFromThePropertyOfTheDescribedMember() throws {
        let text = #"{"type": "string"}"#
        let members =
            #""items": {"items": \#(text)}, "nextCursor": {"type": "integer"}, "next_cursor": \#(text), "has_more": \#(text)"#
        let response = #"{"200": {"content": {"application/json": {"schema": {"properties": {\#(members)}}}}}}"#
        let parameter = #"{"name": "cursor", "in": "query", "schema": \#(text)}"#
        let operation = #"{"parameters": [\#(parameter)], "responses": \#(response)}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        let code = files.map(\.text).joined()
        #expect(code.contains(#"case nextCursor2 = "next_cursor""#))
        #expect(code.contains("next(setting: \\.cursor, to: reply.model.nextCursor2)"))
    }

    /// In HAL, the items are in `_embedded`, and a single thing may link to the next one.
    @Test(
        arguments: [
            ("/a", #""_embedded": {"type": "object", "properties": {"orders": {"items": {"type": "string"}}}}"#, true),
            ("/a/{id}/orders", #""_embedded": {"properties": {"orders": {"items": {"type": "string"}}}}"#, true),
            ("/a", #""_embedded": {"properties": {"customer": {"type": "string"}}}"#, false),
            ("/a/{id}", #""id": {"type": "string"}, "lines": {"items": {"type": "string"}}"#, false),
            ("/a/{id}", #""lines": {"items": {"type": "string"}}"#, true),
        ] as [(String, String, Bool)])
    func linkLeadsFromAPageButNotFromASingleThing(path: String, members: String, isPage: Bool) throws {
        let link = #"{"properties": {"next": {"properties": {"href": {"type": "string"}}}}}"#
        let schema = #"{"type": "object", "properties": {\#(members), "_links": \#(link)}}"#
        let response = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let parameter = #"{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}"#
        let parameters = path.contains("{") ? "[\(parameter)]" : "[]"
        let operation = #"{"parameters": \#(parameters), "responses": \#(response)}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"\#(path)": {"get": \#(operation)}}}"#)
        #expect(files.map(\.text).joined().contains("PagedRequest") == isPage)
    }

    @Test func numberOfItemsIsThatOfTheEmbeddedList() throws {
        let embedded = #""_embedded": {"properties": {"orders": {"items": {"type": "string"}}}}"#
        let response =
            #"{"200": {"content": {"application/json": {"schema": {"properties": {"total": {}, \#(embedded)}}}}}}"#
        let parameter = #"{"name": "offset", "in": "query", "schema": {"type": "integer"}}"#
        let operation = #"{"parameters": [\#(parameter)], "responses": \#(response)}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        let code = files.map(\.text).joined()
        #expect(code.contains(#"next(advancing: \.offset, by: (reply.model.embedded?.orders?.count ?? 0))"#))
    }

    /// In a chain, only what may be nil itself has a question mark after it.
    @Test(
        arguments: [
            ("offset", "(reply.model.embedded?.orders.count ?? 0)"),
            ("page", "reply.model.embedded?.orders.isEmpty != false ? 0 : 1"),
        ] as [(String, String)])
    func requiredListOfAnOptionalObjectHasNoQuestionMark(parameter: String, increment: String) throws {
        let orders = #"{"type": "array", "items": {"type": "string"}}"#
        let embedded = #"{"type": "object", "required": ["orders"], "properties": {"orders": \#(orders)}}"#
        let schema = #"{"type": "object", "properties": {"total": {}, "_embedded": \#(embedded)}}"#
        let query = #"{"name": "\#(parameter)", "in": "query", "schema": {"type": "integer"}}"#
        let code = try Self.code(ofGet: query, returning: schema)
        #expect(code.contains("by: \(increment))"))
    }

    @Test func requiredURLOfAnOptionalLinkIsRead() throws {
        let href = #"{"type": "object", "required": ["href"], "properties": {"href": {"type": "string"}}}"#
        let links = #"{"type": "object", "properties": {"next": \#(href)}}"#
        let items = #"{"type": "array", "items": {"type": "string"}}"#
        let properties = #"{"_links": \#(links), "items": \#(items)}"#
        let schema = #"{"type": "object", "required": ["_links"], "properties": \#(properties)}"#
        let code = try Self.code(ofGet: "", returning: schema)
        #expect(code.contains("to: reply.model.links.next?.href)"))
    }

    /// The code for a GET with a parameter that returns a schema.
    private static func code(ofGet parameter: String, returning schema: String) throws -> String {
        let response = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let operation = #"{"parameters": [\#(parameter)], "responses": \#(response)}"#
        let files = try TemporaryFolder().files(ErrorTests.head + #""paths": {"/a": {"get": \#(operation)}}}"#)
        return files.map(\.text).joined()
    }

    // MARK: - Keys for sorting

    @Test(
        arguments: [
            (
                #"["created_at", "-created_at", "-IPN", "ipn", "-Bot Click"]"#,
                ["createdAt", "createdAtDescending", "ipnDescending", "ipn", "botClickDescending"]
            ),
            (#"["a", "-a", "a_descending"]"#, ["a", "aDescending", "aDescending2"]),
            (#"["ORDER_BY_NAME", "-ORDER_BY_NAME"]"#, ["name", "nameDescending"]),
            // These are not keys.
            (#"["-x", "y"]"#, ["x", "y"]), (#"["1", "-1"]"#, ["_1", "minus1"]),
        ] as [(String, [String])])
    func keyWithAMinusIsForTheOppositeOrder(values: String, names: [String]) throws {
        let sort = #"{"name": "sort", "in": "query", "schema": {"type": "string", "enum": \#(values)}}"#
        let files = try TemporaryFolder().files(
            ErrorTests.head + #""paths": {"/a": {"get": {"parameters": [\#(sort)]}}}}"#)
        let code = files.map(\.text).joined().replacing(#/"[^"]*"/#, with: "")
        let cases = try #require(code.firstMatch(of: /enum Sort: String, ParameterValue \{\s*([^}]*)\}/)).output.1
        let found = cases.replacing("case", with: ",").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        #expect(found.map(String.init) == names)
    }

    @Test func namesOfKeysAreThoseOfTheDescription() throws {
        let schema = #"{"type": "string", "enum": ["a", "-a"], "x-enum-varnames": ["oldest", "newest"]}"#
        let sort = #"{"name": "sort", "in": "query", "schema": \#(schema)}"#
        let files = try TemporaryFolder().files(
            ErrorTests.head + #""paths": {"/a": {"get": {"parameters": [\#(sort)]}}}}"#)
        #expect(files.map(\.text).joined().contains(#"case oldest = "a", newest = "-a""#))
    }

    // MARK: - Headers

    @Test func headersOfAMessageAreNotThoseOfAllRequests() throws {
        let names = ["Host", "content-length", "Transfer-Encoding", "X-Version"]
        let parameters = names.map { #"{"name": "\#($0)", "in": "header", "schema": {"default": "1"}}"# }
        let operation = #"{"parameters": [\#(parameters.joined(separator: ", "))]}"#
        let paths = #"{"/a": {"get": \#(operation)}, "/b": {"get": \#(operation)}}"#
        let plan = try TemporaryFolder().plan(ErrorTests.head + #""paths": \#(paths)}"#)
        #expect(plan.api.headers == ["X-Version": "1"])
    }
}
