import APIKitCore
import APIKitTesting
import Foundation
import Testing

/// Random values, the same in every run: what JSONEncoder writes of them and what parameters write mean the same.
@Suite struct ParametersSeededTests {
    @Test(arguments: 0..<8) func jsonMatchesJSONEncoder(seed: UInt64) throws {
        var random = SeededTree(seed: seed)
        for _ in 0..<25 {
            let value = random.object(depth: 0)
            let expected = try Meaning(JSONEncoder.standard.encode(value))
            let body = try #require(JSONProbe(parameters: Parameters(encoding: value)).httpRequest().body?.data)
            #expect(try Meaning(body) == expected)
        }
    }

    @Test(arguments: 0..<8) func formsMatchJSON(seed: UInt64) throws {
        var random = SeededTree(seed: seed + 100)
        for _ in 0..<25 {
            let value = random.object(depth: 0)
            let expected = try Meaning(JSONEncoder.standard.encode(value)).pairs
            let form = RequestBody.form(Parameters(encoding: value), style: ParameterStyle(lists: .indexed))
            let bytes = try #require(form.data)
            let pairs = bytes.isEmpty ? [] : try WireDecoding.pairs(bytes, plusIsSpace: true)
            let texts = pairs.map { pair in pair.map { String(decoding: $0, as: UTF8.self) } }
            #expect(texts.map { Meaning.Pair(name: $0[0], text: $0[1]) }.sorted() == expected)
        }
    }
}

/// JSON without the freedoms of its text.
private enum Meaning: Decodable, Hashable {
    case null
    case boolean(Bool)
    case number(Double)
    case text([UInt8])
    case list([Meaning])
    case object([String: Meaning])

    struct Pair: Comparable {
        var name: String
        var text: String

        /// Numbers have many spellings.
        init(name: String, text: String) {
            self.name = name
            self.text = Double(text).map(\.description) ?? text
        }

        static func < (left: Pair, right: Pair) -> Bool {
            (left.name + "=" + left.text).utf8.lexicographicallyPrecedes((right.name + "=" + right.text).utf8)
        }
    }

    init(_ data: Data) throws { self = try JSONDecoder().decode(Meaning.self, from: data) }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(Array(text.utf8))
        } else if let list = try? value.decode([Meaning].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: Meaning].self))
        }
    }

    /// The pairs of a form, sorted.
    var pairs: [Pair] {
        guard case .object(let members) = self else { return [] }
        return members.flatMap { $1.pairs(named: $0) }.sorted()
    }

    private func pairs(named name: String) -> [Pair] {
        switch self {
        case .null: [Pair(name: name, text: "")]
        case .boolean(let value): [Pair(name: name, text: value ? "true" : "false")]
        case .number(let value): [Pair(name: name, text: value.description)]
        case .text(let bytes): [Pair(name: name, text: String(decoding: bytes, as: UTF8.self))]
        case .list(let list): list.enumerated().flatMap { $1.pairs(named: "\(name)[\($0)]") }
        case .object(let members): members.flatMap { $1.pairs(named: "\(name)[\($0)]") }
        }
    }
}

/// Makes random Encodable values, encoded in all the ways that there are.
private struct SeededTree {
    typealias Value = ParameterSlotTests.Value

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private var texts: SeededText

    init(seed: UInt64) { texts = SeededText(seed: seed) }

    /// A value with named members. Few names, so that some are asked for twice.
    mutating func object(depth: Int) -> any Encodable & Sendable {
        let steps = (0..<Int.random(in: 0...5, using: &texts.generator)).map { _ in member(depth: depth) }
        return Value { encoder in
            var container = encoder.container(keyedBy: Key.self)
            for step in steps {
                // Another container of the same encoder is the same object.
                if step.asksAgain { container = encoder.container(keyedBy: Key.self) }
                try step.encode(&container)
            }
        }
    }

    private struct Member {
        var asksAgain: Bool
        var encode: @Sendable (inout KeyedEncodingContainer<Key>) throws -> Void
    }

    private mutating func member(depth: Int) -> Member {
        let number = Int.random(in: 0..<4, using: &texts.generator)
        let asksAgain = Bool.random(using: &texts.generator)
        let text = texts.next()
        // Each kind has names of its own, since no value is two things.
        switch Int.random(in: 0..<(depth < 4 ? 8 : 4), using: &texts.generator) {
        case 0...2:
            let value = leaf()
            return Member(asksAgain: asksAgain) { try $0.encode(Value(value.encode), forKey: Key("v\(number)\(text)")) }
        case 3: return Member(asksAgain: asksAgain) { try $0.encodeNil(forKey: Key("n\(number)")) }
        case 4:
            let value = object(depth: depth + 1)
            return Member(asksAgain: asksAgain) { try $0.encode(Value(value.encode), forKey: Key("o\(number)")) }
        case 5:
            let inner = (0..<3).map { _ in member(depth: depth + 1) }
            return Member(asksAgain: asksAgain) { container in
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("o\(number)"))
                for step in inner { try step.encode(&nested) }
            }
        case 6:
            let value = list(depth: depth + 1)
            return Member(asksAgain: asksAgain) { try $0.encode(Value(value.encode), forKey: Key("l\(number)")) }
        default:
            let inner = list(depth: depth + 1)
            return Member(asksAgain: asksAgain) { container in
                var nested = container.nestedUnkeyedContainer(forKey: Key("l\(number)"))
                try nested.encode(Value(inner.encode))
                try nested.encodeNil()
            }
        }
    }

    private mutating func list(depth: Int) -> any Encodable & Sendable {
        let elements = (0..<Int.random(in: 0...4, using: &texts.generator)).map { _ in
            switch Int.random(in: 0..<(depth < 4 ? 5 : 3), using: &texts.generator) {
            case 0...2: leaf()
            case 3: list(depth: depth + 1)
            default: object(depth: depth + 1)
            }
        }
        let way = Int.random(in: 0..<4, using: &texts.generator)
        return Value { encoder in
            var container = encoder.unkeyedContainer()
            for element in elements {
                switch way {
                case 0: try element.encode(to: container.superEncoder())
                case 1: try container.encode(contentsOf: [Value(element.encode)])
                case 2:
                    var nested = container.nestedUnkeyedContainer()
                    try nested.encode(Value(element.encode))
                default: try container.encode(Value(element.encode))
                }
            }
        }
    }

    private mutating func leaf() -> any Encodable & Sendable {
        let text = texts.next()
        switch Int.random(in: 0..<12, using: &texts.generator) {
        case 0: return text
        case 1: return Int.random(in: -1000...1000, using: &texts.generator)
        case 2: return Double(bitPattern: texts.generator.next()).isFinite ? 0.1 : 1e300
        case 3: return Double.random(in: -1e9...1e9, using: &texts.generator)
        case 4: return Bool.random(using: &texts.generator)
        case 5: return Date(timeIntervalSince1970: .random(in: -1e10...1e10, using: &texts.generator))
        case 6: return Data(text.utf8)
        case 7: return URL(string: "https://h/\(texts.generator.next())")
        case 8: return [text: [text, nil]]
        case 9: return ["b": 1, "a": 2]
        case 10: return Int8.random(in: .min ... .max, using: &texts.generator)
        default: return Optional<Int>.none
        }
    }
}
