import APIKitJSON
import Foundation
import Testing

@Suite struct JSONValueTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONReader().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test func literalsAreValuesOfJSON() throws {
        let value: JSONValue = [
            "name": "Chair", "price": 2.5, "count": 3, "isNew": true, "tags": ["a", .null], "more": [:],
        ]
        let text = #"{"name": "Chair", "price": 2.5, "count": 3, "isNew": true, "tags": ["a", null], "more": {}}"#
        #expect(value.description == text)
        #expect(try read(text) == value)
    }

    @Test func contentsAreFoundByNameAndIndex() throws {
        let value = try read(#"{"users": [{"login": "ann", "age": 41, "isAdmin": false, "manager": null}]}"#)
        let user = try #require(value["users"]?[0])
        #expect(user["login"]?.string == "ann")
        #expect(user["age"]?.number?.int == 41)
        #expect(user["isAdmin"]?.bool == false)
        #expect(user["manager"]?.isNull == true)
        #expect(user["manager"] == .null)
        #expect(user["missing"] == nil)
        #expect(value["users"]?[1] == nil)
        #expect(value["users"]?[-1] == nil)
        #expect(value["users"]?["0"] == nil)
        #expect(value["users"]?.array?.count == 1)
        #expect(user.object?.map(\.name) == ["login", "age", "isAdmin", "manager"])
    }

    @Test func numbersKeepAllDigitsAndMembersTheirOrder() throws {
        let text = #"{"z": 12345678901234567890123456789012345678901234567890, "a": 0.1000, "m": 1e400}"#
        #expect(try read(text).description == text)
    }

    @Test func memberIsSetAndRemoved() {
        var object: JSONValue.Object = ["a": 1, "b": 2]
        object["a"] = "one"
        object["b"] = nil
        object["c"] = .null
        #expect(object == ["c": .null, "a": "one"])
        #expect(JSONValue.object(object).description == #"{"a": "one", "c": null}"#)
    }

    @Test func orderOfMembersDoesNotMatter() throws {
        let value = try read(#"{"a": 1, "b": [1, 2]}"#)
        let other = try read(#"{"b": [1, 2], "a": 1}"#)
        #expect(value == other)
        #expect(Set([value, other]).count == 1)
        #expect(try value != read(#"{"a": 1, "b": [2, 1]}"#))
        #expect(try value != read(#"{"a": 1}"#))
    }

    @Test func firstMemberOfANameCounts() throws {
        let value = try read(#"{"a": 1, "a": 2, "\u0061": 3}"#)
        #expect(value["a"] == 1)
        #expect(value == ["a": 1])
    }

    @Test(
        arguments: [
            ("1", "1.0"), ("1", "10e-1"), ("100", "1e2"), ("-0", "0"), ("0.10", "0.1"), ("1E+2", "100"), ("0e5", "0"),
            ("1e400", "10e399"), ("0e9223372036854775807", "0"), ("0e99999999999999999999", "-0"),
            ("0.10e-9223372036854775807", "1e-9223372036854775808"),
        ] as [(String, String)])
    func numbersOfOneValueAreEqual(first: String, second: String) throws {
        #expect(try read(first) == read(second))
        #expect(try Set([read(first), read(second)]).count == 1)
    }

    @Test(
        arguments: [
            ("1", "1.0000000000000000000000000000000000001"), ("9007199254740993", "9007199254740992"), ("1", "-1"),
            ("1", "10"), ("1e99999999999999999999", "1e99999999999999999998"), ("1", "true"), ("1", #""1""#),
            ("10e9223372036854775807", "1"), ("1.5e-9223372036854775808", "1"),
        ] as [(String, String)])
    func otherNumbersDiffer(first: String, second: String) throws {
        #expect(try read(first) != read(second))
    }

    @Test func numberIsConverted() {
        #expect(JSONValue.Number(7).int == 7)
        #expect(JSONValue.Number(UInt64.max).int == nil)
        #expect(JSONValue.Number(UInt64.max).description == "18446744073709551615")
        #expect(JSONValue.Number(Int.min).int == Int.min)
        #expect(JSONValue.Number(2.5 as Double)?.int == nil)
        #expect(JSONValue.Number(2.5 as Double)?.double == 2.5)
        #expect(JSONValue.Number(1e3 as Double)?.int == 1000)
        #expect(JSONValue.Number(Double.infinity) == nil)
        #expect(JSONValue.Number(Double.nan) == nil)
        #expect(JSONValue.Number(Decimal.nan) == nil)
        #expect(JSONValue.Number(Decimal(string: "0.3")!)?.decimal == Decimal(string: "0.3"))
    }

    @Test func hugeNumberIsNoDecimal() throws {
        #expect(try read("1e400").number?.decimal == nil)
        #expect(try read("1e400").number?.double == .infinity)
        #expect(try read("1e99999999999999999999").number?.int == nil)
    }

    @Test(arguments: [
        "null", "true", "[]", "{}", #""text""#, "-12", "18446744073709551615", "0.1", "0.30000000000000000001",
        #"{"a": [1, {"b_c": null}], "é": "\\n"}"#,
    ])
    func foundationsCodersReadAndWriteTheSame(text: String) throws {
        let value = try read(text)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let data = try encoder.encode([value])
        #expect(try JSONReader().decode([JSONValue].self, from: data) == [value])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        if text != "0.30000000000000000001" { #expect(try decoder.decode([JSONValue].self, from: data) == [value]) }
    }

    @Test func keyStrategiesDoNotConvertNames() throws {
        struct Model: Decodable { let freeForm: JSONValue }
        let data = Data(#"{"free_form": {"first_name": 1}}"#.utf8)
        let model = try JSONReader(keys: .convertFromSnakeCase).decode(Model.self, from: data)
        #expect(model.freeForm == ["first_name": 1])
    }

    @Test func deepNestingIsAnError() throws {
        let deepest = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(try read(deepest).description == deepest)
        #expect(throws: DecodingError.self) { try read("[\(deepest)]") }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JSONValue.self, from: Data("[[\(deepest)]]".utf8))
        }
    }

    @Test func missingMemberIsNotNull() throws {
        struct Model: Decodable { let value: JSONValue? }
        #expect(try JSONReader().decode(Model.self, from: Data("{}".utf8)).value == nil)
        struct Required: Decodable { let value: JSONValue }
        #expect(throws: DecodingError.self) { try JSONReader().decode(Required.self, from: Data("{}".utf8)) }
        #expect(try JSONReader().decode(Required.self, from: Data(#"{"value": null}"#.utf8)).value == .null)
    }
}
