import Foundation
import Testing

@testable import APIKitTools

/// Unions whose variants are told apart by numbers, by Booleans or by values of several types.
@Suite struct TagTests {
    /// Generates a response that is a union of objects with the given members, each required.
    private func generate(_ variants: String..., more: String = "", components: String = "{}") throws -> String {
        let objects = variants.map { members in
            let names = members.matches(of: /"(\w+)": \{/).map { "\"\($0.1)\"" }.joined(separator: ", ")
            return #"{"type": "object", "required": [\#(names)], "properties": {\#(members)}}"#
        }
        let union = #"{"oneOf": [\#(objects.joined(separator: ", "))]\#(more)}"#
        let plan = try TemporaryFolder().plan(TemporaryFolder.description(schema: union, components: components))
        return try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
    }

    private static let start = "switch try? decoder.container(keyedBy: CodingKeys.self).decode"

    @Test(
        arguments: [
            ("1", "2", "Int", "1", "2"), ("-1", "2000000", "Int", "-1", "2_000_000"),
            ("0.5", "1", "Double", "0.5", "1"),
            ("1", "5000000000", "Int64", "1", "5_000_000_000"), ("1.0", "2e0", "Int", "1", "2"),
            ("1", "18446744073709551615", "UInt64", "1", "18_446_744_073_709_551_615"),
            ("true", "false", "Bool", "true", "false"), (#""a""#, "1", "JSONValue", #""a""#, "1"),
            ("1", "true", "JSONValue", "1", "true"), (#""1""#, "1", "JSONValue", #""1""#, "1"),
        ] as [(String, String, String, String, String)])
    func constantsChooseTheVariant(
        first: String, second: String, type: String, firstCode: String, secondCode: String
    ) throws {
        let code = try generate(
            #""tag": {"const": \#(first)}, "a": {"type": "string"}"#, #""tag": {"const": \#(second)}"#)
        #expect(code.contains("\(Self.start)(\(type).self, forKey: .tag) {"))
        #expect(code.contains("case \(firstCode): self = ."))
        #expect(code.contains("case \(secondCode):"))
        #expect(code.contains("default: self = .other(try container.decode(JSONValue.self))"))
    }

    /// Discord describes each constant as one value of an enum that all variants share.
    @Test func singleValueBesideAnEnumIsAConstant() throws {
        let components = #"{"kind": {"type": "integer", "oneOf": [{"const": 1}, {"const": 2}, {"const": 3}]}}"#
        func kind(_ number: Int) -> String {
            let all = ##"{"$ref": "#/components/schemas/kind"}"##
            return #""kind": {"type": "integer", "enum": [\#(number)], "allOf": [\#(all)]}"#
        }
        let code = try generate(kind(1), kind(3), components: components)
        #expect(code.contains("\(Self.start)(Int.self, forKey: .kind) {"))
        #expect(code.contains("case 1: ") && code.contains("case 3: ") && !code.contains("case 2: "))
    }

    @Test func variantsWithTheSameNumberAreTriedInTurn() throws {
        let code = try generate(
            #""kind": {"const": 1}, "a": {"type": "string"}"#, #""kind": {"const": 1}, "b": {"type": "string"}"#,
            #""kind": {"const": 2}, "c": {"type": "string"}"#)
        #expect(code.contains("case 1:\n                if let value = try? container.decode("))
        #expect(code.contains("case 2: self = .c("))
    }

    @Test func variantWithoutTheTagIsReadIfTheTagIsAbsent() throws {
        let code = try generate(
            #""kind": {"const": 1}, "a": {"type": "string"}"#, #""kind": {"const": 2}, "a": {"type": "string"}"#,
            #""b": {"type": "string"}"#)
        #expect(code.contains("\(Self.start)(JSONValue.self, forKey: .kind) {"))
        #expect(code.contains("case nil:\n                if let value = try? container.decode("))
        #expect(code.contains("default: self = .other(try container.decode(JSONValue.self))"))
    }

    @Test func constantsOfDifferentMembersAreCompared() throws {
        let code = try generate(
            #""kind": {"const": 1}, "a": {"type": "string"}"#, #""sort": {"const": "x"}, "a": {"type": "string"}"#,
            #""b": {"type": "string"}"#)
        #expect(code.contains(", value.kind == 1 {"))
        #expect(code.contains(#", value.sort == "x" {"#))
        #expect(!code.contains(Self.start))
    }

    @Test func unionOfUnionsHasTheirTags() throws {
        func object(_ kind: Int) -> String {
            #"{"type": "object", "required": ["kind"], "properties": {"kind": {"const": \#(kind)}}}"#
        }
        func union(_ variants: String...) -> String { #"{"oneOf": [\#(variants.joined(separator: ", "))]}"# }
        func reference(_ name: String) -> String { ##"{"$ref": "#/components/schemas/\##(name)"}"## }
        let inner = #""a": \#(union(object(1), object(2))), "b": \#(union(object(3), object(4)))"#
        let components = #"{\#(inner), "c": \#(union(reference("a"), reference("b")))}"#
        let schema = union(reference("c"), object(5), #"{"type": "string"}"#)
        let plan = try TemporaryFolder().plan(TemporaryFolder.description(schema: schema, components: components))
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains("case 1, 2: self = .") && code.contains("case 3, 4: self = .b("))
        #expect(code.contains("case 1, 2, 3, 4: self = .c(") && code.contains("case 5: self = .object("))
        #expect(code.contains("if let value = try? container.decode(String.self)"))
    }

    @Test func numbersOfAMappingChooseTheVariant() throws {
        let object = #"{"required": ["v"], "properties": {"v": {"type": "integer"}, "x": {"type": "string"}}}"#
        let components = #"{"a": \#(object), "b": \#(object)}"#
        let mapping = ##"{"1": "#/components/schemas/a", "02": "b"}"##
        let references = ["a", "b"].map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }.joined(separator: ", ")
        let discriminator = #""discriminator": {"propertyName": "v", "mapping": \#(mapping)}"#
        let plan = try TemporaryFolder().plan(
            TemporaryFolder.description(
                schema: #"{"oneOf": [\#(references)], \#(discriminator)}"#, components: components))
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains("\(Self.start)(Int.self, forKey: .v) {"))
        #expect(code.contains("case 1: self = .a(") && code.contains("case 2: self = .b("))
    }

    /// Swift does not allow a case and a type of the same name in one enum, and a case hides a type outside of it.
    @Test(arguments: ["1", "", "日本", "💥"])
    func caseNeverHasTheNameOfAType(text: String) throws {
        let first = #""kind": {"const": "\#(text)"}, "a": {"type": "string"}"#
        let second = #""kind": {"const": "b"}, "a": {"type": "string"}"#
        let code = try generate(first, second)
        let cases = code.matches(of: /case ([^\s(.]+)\(/).map { String($0.1) }
        let types = code.matches(of: /(?:struct|enum) ([^\s:]+):/).map { String($0.1) }
        #expect(cases.count > 2 && types.count > 2)
        #expect(Set(cases).isDisjoint(with: types))
    }

    @Test func caseDoesNotHideATypeOutsideOfTheEnum() throws {
        let components = ##"{"日本": {"properties": {"a": {"items": {"$ref": "#/components/schemas/日本"}}}}}"##
        let union = ##"{"oneOf": [{"$ref": "#/components/schemas/日本"}, {"type": "string"}]}"##
        let plan = try TemporaryFolder().plan(TemporaryFolder.description(schema: union, components: components))
        let code = try SourceWriter(plan: plan, filter: Filter([])).files().map(\.text).joined()
        #expect(code.contains("case 日本Variant(日本)"))
    }

    @Test func tagsAreSortedByTypeAndValue() {
        let tags: [APIKitTools.Tag] = [
            .boolean(true), .number("10"), .number("9"), .text("b"), .number("-1"), .text("a"),
        ]
        #expect(
            tags.sorted() == [.text("a"), .text("b"), .number("-1"), .number("9"), .number("10"), .boolean(true)])
    }
}
