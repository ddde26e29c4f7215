import APIKitJSON
import Foundation
import Testing

/// The differences from `JSONDecoder` that the documentation names, and what random values would not show.
@Suite struct JSONReaderTests {
    private struct One: Decodable, Equatable { let a: Int }

    private struct Accented: Decodable {
        let accent: Int
        enum CodingKeys: String, CodingKey { case accent = "\u{E9}" }
    }

    private struct Names: Decodable {
        let names: [String]
        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }

    // MARK: - Differences

    @Test(arguments: [
        #"{"a":1,"b":"\x"}"#, #"{"a":1,"b":"\ud800"}"#, "{\"a\":1,\"b\":\"\t\"}", #"{"a":1,"b":01}"#,
        #"{"b":[1.e],"a":1}"#, #"{"a":1,}"#,
    ]) func checksAllOfTheText(_ text: String) throws {
        let data = Data(text.utf8)
        #expect(try JSONDecoder().decode(One.self, from: data) == One(a: 1))
        #expect(throws: DecodingError.self) { try JSONReader().decode(One.self, from: data) }
    }

    @Test func refusesCommaAfterLastElement() throws {
        let data = Data("[1,]".utf8)
        #expect(try JSONDecoder().decode([Int].self, from: data) == [1])
        #expect(throws: DecodingError.self) { try JSONReader().decode([Int].self, from: data) }
    }

    @Test func refusesUTF16() throws {
        let data = Data("[1]".utf8.flatMap { [$0, 0] })
        #expect(try JSONDecoder().decode([Int].self, from: data) == [1])
        #expect(throws: DecodingError.self) { try JSONReader().decode([Int].self, from: data) }
    }

    @Test func saysWhichNumberDoesNotFit() {
        let data = Data(#"{"a":{"b":[1,300]}}"#.utf8)
        let outcomes = [
            Outcome { try JSONDecoder().decode([String: [String: [Int8]]].self, from: data) },
            Outcome { try JSONReader().decode([String: [String: [Int8]]].self, from: data) },
        ]
        let paths = outcomes.map { outcome -> [String]? in
            if case .failure(let failure) = outcome { failure.path } else { nil }
        }
        let expected: [[String]?] = [[], ["a", "b", "Index 1"]]
        #expect(paths == expected)
    }

    @Test(arguments: ["{\"e\u{301}\":1}", #"{"e\u0301":1}"#]) func comparesNamesByTheirBytes(_ text: String) throws {
        let data = Data(text.utf8)
        #expect(try JSONDecoder().decode(Accented.self, from: data).accent == 1)
        #expect(throws: DecodingError.self) { try JSONReader().decode(Accented.self, from: data) }
        #expect(try JSONReader().decode(Accented.self, from: Data("{\"\u{E9}\":1}".utf8)).accent == 1)
    }

    @Test(arguments: [4, 40]) func listsKeysInTheOrderOfTheText(count: Int) throws {
        let names = (0..<count).map { "\(($0 * 7) % count)" }
        let text = names.map { "\"\($0)\":[{}]" }.joined(separator: ",")
        #expect(try JSONReader().decode(Names.self, from: Data("{\(text)}".utf8)).names == names)
    }

    @Test func readsIntegersExactlyHoweverTheyAreWritten() throws {
        let text = "[9223372036854775807.0,-92233720368547758080e-1,90071992547409930e-1]"
        let numbers = try JSONReader().decode([Int].self, from: Data(text.utf8))
        #expect(numbers == [Int.max, Int.min, 9_007_199_254_740_993])
        #expect(throws: DecodingError.self) { try JSONReader().decode(Int.self, from: Data("9007199254740993.5".utf8)) }
        #expect(try JSONReader().decode([Double].self, from: Data("[0e1,0.00e12]".utf8)) == [0, 0])
    }

    // MARK: - As JSONDecoder

    @Test func valueOfRepeatedNameIsReadOnlyWithKeyStrategy() throws {
        let data = Data(#"{"a":1,"a":"x"}"#.utf8)
        let decoder = JSONDecoder()
        #expect(try decoder.decode([String: Int].self, from: data) == ["a": 1])
        #expect(try JSONReader().decode([String: Int].self, from: data) == ["a": 1])
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try decoder.decode([String: Int].self, from: data) }
        let reader = JSONReader(keys: .convertFromSnakeCase)
        #expect(throws: DecodingError.self) { try reader.decode([String: Int].self, from: data) }
    }

    @Test(arguments: ["_0", "__0", "__", "_", "a_", "_a_b", "__a_b_"])
    func underscoresAroundSnakeCaseAreKept(name: String) throws {
        struct Model: Decodable, Equatable {
            enum CodingKeys: String, CodingKey {
                case zero = "_0", mark = "_", letter = "a_", word = "_aB", words = "__aB_"
            }
            var zero, mark, letter, word, words: Int?
        }
        let data = Data(#"{"\#(name)": 1}"#.utf8)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(
            try JSONReader(keys: .convertFromSnakeCase).decode(Model.self, from: data)
                == decoder.decode(Model.self, from: data))
    }

    @Test func escapedTextIsNotANumber() throws {
        let floats = JSONReader.NonConformingFloats(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let reader = JSONReader(nonConformingFloats: floats)
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let plain = Data(#"["inf"]"#.utf8)
        #expect(try reader.decode([Double].self, from: plain) == decoder.decode([Double].self, from: plain))
        let escaped = Data(#"["\u0069nf"]"#.utf8)
        #expect(throws: DecodingError.self) { try decoder.decode([Double].self, from: escaped) }
        #expect(throws: DecodingError.self) { try reader.decode([Double].self, from: escaped) }
    }
}
