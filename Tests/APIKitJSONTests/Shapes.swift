import Foundation

// The model types by which the decoders are compared.

struct Scalars: Codable, Equatable {
    let int, userId: Int; let text: String; let flag: Bool; let double: Double; let float: Float
}
struct Widths: Codable, Equatable {
    let a: Int8, b: Int16, c: Int32, d: Int64, e: UInt8, f: UInt16, g: UInt32, h: UInt64, i: UInt
}
struct Optionals: Codable, Equatable {
    let int: Int?, text: String?, flag: Bool?, double: Double?, float: Float?, small: Int8?, list: [Int]?, when: Date?
}
struct Nested: Codable, Equatable {
    let scalars: Scalars; let inner: Inner?; let list: [Inner]
    struct Inner: Codable, Equatable { let name: String; let deeper: [String: [Int?]] }
}
final class Tree: Codable, Equatable, Sendable {
    let value: Int
    let children: [Tree]
    init(_ value: Int, _ children: [Tree]) { (self.value, self.children) = (value, children) }
    static func == (left: Tree, right: Tree) -> Bool { left.value == right.value && left.children == right.children }
}
indirect enum Payload: Codable, Equatable, Sendable {
    case empty, number(Int), pair(first: String, second: Double), nested(Payload)
}
enum Kind: String, Codable, Equatable, CaseIterable { case user, bot, organization }
enum Level: Int, Codable, Equatable { case low = 1, high }
struct Generic<Value: Codable & Equatable & Sendable>: Codable, Equatable {
    let value: Value; let values: [Value]; let named: [String: Value]
}
struct Foundational: Codable, Equatable {
    let date: Date; let url: URL; let data: Data; let id: UUID; let decimal: Decimal
}
struct Keyed: Codable, Equatable { let byInt: [Int: String]; let byKind: [Kind: Int]; let byName: [String: Level] }
struct SnakeCased: Codable, Equatable { let htmlUrl: String; let siteAdmin: Bool; let _private_: Int?; let x: Int }
/// Reads by hand: nested containers, all keys, a key that may be missing, and a super decoder.
struct ByHand: Codable, Equatable {
    let keys: [String], numbers: [Int], name: String?, rest: [String: Int]

    init(_ numbers: [Int], _ name: String?, _ rest: [String: Int]) {
        (keys, self.numbers, self.name, self.rest) = (
            ["name", "numbers", "rest"].filter { $0 != "name" || name != nil }, numbers, name, rest
        )
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        keys = container.allKeys.map(\.stringValue).sorted()
        var list = try container.nestedUnkeyedContainer(forKey: Name("numbers"))
        var numbers: [Int] = []
        while !list.isAtEnd {
            if try list.decodeNil() { numbers.append(0) } else { numbers.append(try list.decode(Int.self)) }
        }
        self.numbers = numbers
        name = try container.decodeIfPresent(String.self, forKey: Name("name"))
        let nested = try container.nestedContainer(keyedBy: Name.self, forKey: Name("rest"))
        var rest: [String: Int] = [:]
        for key in nested.allKeys { rest[key.stringValue] = try nested.decode(Int.self, forKey: key) }
        self.rest = rest
        _ = try? container.superDecoder().singleValueContainer().decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(numbers, forKey: Name("numbers"))
        try container.encodeIfPresent(name, forKey: Name("name"))
        try container.encode(rest, forKey: Name("rest"))
    }
}

extension SplitMix {
    mutating func text() -> String {
        let letters = [
            "a", "B", "7", " ", "\"", "\\", "/", "\n", "\u{1}", "é", "日", "😀", "e\u{301}", "_", "\u{7F}", "\u{FFFF}",
        ]
        return (0..<Int.random(in: 0...9, using: &self)).map { _ in letters.randomElement(using: &self)! }.joined()
    }

    mutating func int() -> Int {
        [0, 1, -1, 42, 127, 128, -129, 65_536, .max, .min, 1 << 53, (1 << 53) + 1].randomElement(using: &self)!
    }

    mutating func double() -> Double {
        let choices: [Double] = [
            0, -0.0, 1, 0.1, -2.5, 1e21, 1.7976931348623157e308, 0x1p-1074, .pi, 123456.789, 9007199254740992,
            0.30000000000000004,
            Double.random(in: -180...180, using: &self), Double(bitPattern: next()).isFinite ? 1e-7 : 2,
        ]
        return choices.randomElement(using: &self)!
    }

    mutating func bool() -> Bool { Bool.random(using: &self) }
    mutating func maybe<Value>(_ value: Value) -> Value? { bool() ? value : nil }
    mutating func list<Value>(_ make: (inout SplitMix) -> Value) -> [Value] {
        (0..<Int.random(in: 0...4, using: &self)).map { _ in make(&self) }
    }
    mutating func dictionary<Value>(_ make: (inout SplitMix) -> Value) -> [String: Value] {
        let count = Int.random(in: 0...9, using: &self) == 0 ? 40 : Int.random(in: 0...4, using: &self)
        return Dictionary((0..<count).map { _ in (text(), make(&self)) }) { first, _ in first }
    }
    mutating func scalars() -> Scalars {
        Scalars(
            int: int(), userId: int(), text: text(), flag: bool(), double: double(),
            float: Float(Int8.random(in: -9...9, using: &self)) / 4)
    }
    mutating func inner() -> Nested.Inner { Nested.Inner(name: text(), deeper: dictionary { $0.list { $0.maybe(3) } }) }
    mutating func tree(_ depth: Int = 0) -> Tree { Tree(int(), depth > 3 ? [] : list { $0.tree(depth + 1) }) }
    mutating func payload() -> Payload {
        switch Int.random(in: 0...4, using: &self) {
        case 0: .empty
        case 1: .number(int())
        case 2: .pair(first: text(), second: double())
        default: .nested(.number(1))
        }
    }
    mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(Int.random(in: -9_999_999...2_000_000_000, using: &self)))
    }
}

extension Shape {
    static let all = models + types + wide + handwritten

    private static let models: [Shape] = [
        Shape(Scalars.self) { $0.scalars() },
        Shape([Scalars].self) { $0.list { $0.scalars() } },
        Shape(Widths.self) {
            Widths(a: 1, b: -2, c: 3, d: Int64($0.int()), e: 5, f: 6, g: 7, h: 1 << 63, i: UInt($0.int().magnitude))
        },
        Shape(Optionals.self) {
            Optionals(
                int: $0.maybe($0.int()), text: $0.maybe($0.text()), flag: $0.maybe(true), double: $0.maybe($0.double()),
                float: $0.maybe(1.5), small: $0.maybe(-3), list: $0.maybe([1, 2]), when: $0.maybe($0.date()))
        },
        Shape(Nested.self, isOrdered: false) {
            Nested(scalars: $0.scalars(), inner: $0.maybe($0.inner()), list: $0.list { $0.inner() })
        },
        Shape(Tree.self) { $0.tree() },
        Shape(Payload.self) { $0.payload() },
        Shape([Payload].self) { $0.list { $0.payload() } },
        Shape([Kind].self) { $0.list { Kind.allCases.randomElement(using: &$0)! } },
        Shape([String: Level].self, isOrdered: false) { $0.dictionary { $0.bool() ? .low : .high } },
        Shape(Generic<Int>.self, isOrdered: false) {
            Generic(value: $0.int(), values: $0.list { $0.int() }, named: $0.dictionary { $0.int() })
        },
        Shape(Generic<Scalars>.self, isOrdered: false) {
            Generic(value: $0.scalars(), values: $0.list { $0.scalars() }, named: $0.dictionary { $0.scalars() })
        },
        Shape(Generic<String?>.self, isOrdered: false) {
            Generic(value: $0.maybe($0.text()), values: $0.list { $0.maybe($0.text()) }, named: [:])
        },
        Shape(Foundational.self) {
            Foundational(
                date: $0.date(), url: URL(string: "https://example.com/a?b=c")!, data: Data($0.text().utf8), id: UUID(),
                decimal: Decimal($0.int()) / 7)
        },
        Shape([Date].self) { $0.list { $0.date() } },
        Shape([Decimal].self) { $0.list { Decimal($0.int()) / 3 } },
        Shape(Keyed.self, isOrdered: false) {
            Keyed(byInt: [-3: $0.text()], byKind: [.bot: $0.int()], byName: ["a": .high])
        },
        Shape(SnakeCased.self) {
            SnakeCased(htmlUrl: $0.text(), siteAdmin: $0.bool(), _private_: $0.maybe(1), x: $0.int())
        },
        Shape([SnakeCased].self) { $0.list { SnakeCased(htmlUrl: "u", siteAdmin: $0.bool(), _private_: nil, x: 1) } },
        Shape(ByHand.self, isOrdered: false) {
            ByHand($0.list { $0.int() }, $0.maybe($0.text()), $0.dictionary { $0.int() })
        },
        Shape(Int.self) { $0.int() }, Shape(Double.self) { $0.double() }, Shape(String.self) { $0.text() },
        Shape(Bool.self) { $0.bool() }, Shape(Int?.self) { $0.maybe($0.int()) },
        Shape(Float.self) { Float($0.double()) },
        Shape(UInt8.self) { UInt8.random(in: 0...255, using: &$0) }, Shape(Decimal.self) { Decimal($0.int()) / 9 },
        Shape([Double].self) { $0.list { $0.double() } },
        Shape([[Double]].self) { $0.list { $0.list { $0.double() } } },
        Shape([Int].self) { $0.list { $0.int() } }, Shape([String].self) { $0.list { $0.text() } },
        Shape([String: String].self, isOrdered: false) { $0.dictionary { $0.text() } },
        Shape([String: [String: Int?]].self, isOrdered: false) {
            $0.dictionary { $0.dictionary { $0.maybe($0.int()) } }
        },
        Shape([Bool?].self) { $0.list { $0.maybe($0.bool()) } }, Shape([UInt64].self) { $0.list { _ in .max } },
        Shape(UUID.self) { _ in UUID() }, Shape(URL.self) { _ in URL(string: "/a/b")! },
        Shape([Float?].self) { $0.list { $0.maybe(0.5) } },
    ]
}
