import APIKitJSON
import Foundation

// Models that read by hand: what the compiler writes for the others does not use all of a decoder.

/// Has parts that are read from decoders of their own.
struct Supers: Codable, Equatable { let usual, named: Point; let list: [Point] }
extension Supers {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        usual = try Point(from: container.superDecoder())
        named = try Point(from: container.superDecoder(forKey: Name("named")))
        var elements = try container.nestedUnkeyedContainer(forKey: Name("list"))
        var list: [Point] = []
        while !elements.isAtEnd { list.append(try Point(from: elements.superDecoder())) }
        self.list = list
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try usual.encode(to: container.superEncoder())
        try named.encode(to: container.superEncoder(forKey: Name("named")))
        var elements = container.nestedUnkeyedContainer(forKey: Name("list"))
        for point in list { try point.encode(to: elements.superEncoder()) }
    }
}

/// Has containers within containers.
struct Grid: Codable, Equatable { let rows: [[Double]]; let sizes: [Int8?] }
extension Grid {
    init(from decoder: any Decoder) throws {
        var outer = try decoder.unkeyedContainer()
        var (rows, sizes): ([[Double]], [Int8?]) = ([], [])
        while !outer.isAtEnd {
            let members = try outer.nestedContainer(keyedBy: Name.self)
            var numbers = try members.nestedUnkeyedContainer(forKey: Name("row"))
            var row: [Double] = []
            while !numbers.isAtEnd {
                var one = try numbers.nestedUnkeyedContainer()
                row.append(try one.decode(Double.self))
            }
            rows.append(row)
            let inner = try members.nestedContainer(keyedBy: Name.self, forKey: Name("inner"))
            sizes.append(try inner.decodeIfPresent(Int8.self, forKey: Name("size")))
        }
        (self.rows, self.sizes) = (rows, sizes)
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.unkeyedContainer()
        for (row, size) in zip(rows, sizes) {
            var members = outer.nestedContainer(keyedBy: Name.self)
            var numbers = members.nestedUnkeyedContainer(forKey: Name("row"))
            for number in row {
                var one = numbers.nestedUnkeyedContainer()
                try one.encode(number)
            }
            var inner = members.nestedContainer(keyedBy: Name.self, forKey: Name("inner"))
            try inner.encodeIfPresent(size, forKey: Name("size"))
        }
    }
}

/// Any JSON, found out by trying.
indirect enum Anything: Equatable {
    case null, bool(Bool), number(Double), text(String), list([Anything]), object([String: Anything])
}
extension Anything: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([Anything].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: Anything].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// Keeps the elements that can be read, and notes where the others are.
struct Lossy: Codable, Equatable { let kept: [Int8]; let lost: [Int?] }
extension Lossy {
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var (kept, lost): ([Int8], [Int?]) = ([], [container.count])
        while !container.isAtEnd {
            if let value = try? container.decode(Int8.self) {
                kept.append(value)
            } else {
                lost.append(container.currentIndex)
                _ = try container.superDecoder()
            }
        }
        (self.kept, self.lost) = (kept, lost)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in kept { try container.encode(value) }
        for index in lost { try container.encode(index) }
    }
}

/// Notes the coding paths by which it comes.
struct Paths: Codable, Equatable { let elements: [String]; var seen: [String] = [] }
extension Paths {
    private static func text(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: "/") }

    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Name.self)
        var seen = [decoder.codingPath, outer.codingPath].map(Self.text)
        let inner = try outer.nestedContainer(keyedBy: Name.self, forKey: Name("in ner"))
        seen.append(Self.text(inner.codingPath))
        var list = try inner.nestedUnkeyedContainer(forKey: Name("list"))
        var elements: [String] = []
        while !list.isAtEnd {
            seen.append(Self.text(list.codingPath))
            let element = try list.superDecoder()
            let single = try element.singleValueContainer()
            seen += [element.codingPath, single.codingPath].map(Self.text)
            seen.append("\(element.codingPath.last?.intValue ?? -1)")
            elements.append(try single.decode(String.self))
        }
        seen.append(Self.text(try outer.superDecoder().codingPath))
        (self.elements, self.seen) = (elements, seen)
    }

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Name.self)
        var inner = outer.nestedContainer(keyedBy: Name.self, forKey: Name("in ner"))
        try inner.encode(elements, forKey: Name("list"))
    }
}

/// Tells what is missing from what is null.
struct Presence: Codable, Equatable { let states: [String] }
extension Presence {
    private enum Letter: String, CodingKey, CaseIterable { case a, b, c }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Letter.self)
        let states = try Letter.allCases.map { letter -> String in
            guard container.contains(letter) else { return "missing" }
            if try container.decodeNil(forKey: letter) { return "null" }
            return try container.decode(String.self, forKey: letter)
        }
        self.states = states + container.allKeys.map(\.stringValue).sorted()
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Letter.self)
        for (letter, state) in zip(Letter.allCases, states) where state != "missing" {
            if state == "null" {
                try container.encodeNil(forKey: letter)
            } else {
                try container.encode(state, forKey: letter)
            }
        }
    }
}

/// Is one of several models, by the member that says which, and is read from the same decoder as they are.
struct KindModel: Codable, Equatable { let kind: Kind; let point: Point?; let scalars: Scalars? }
extension KindModel {
    init(from decoder: any Decoder) throws {
        kind = try decoder.container(keyedBy: Name.self).decode(Kind.self, forKey: Name("kind"))
        point = try kind == .bot ? nil : Point(from: decoder)
        scalars = try kind == .user ? nil : Scalars(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try point?.encode(to: encoder)
        try scalars?.encode(to: encoder)
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(kind, forKey: Name("kind"))
    }
}

/// Is told apart by a tag, which the compiler's code for enums does not know.
enum Creature: TaggedUnion, Equatable {
    case user(Point)
    case bot(Scalars)
    case team(members: [Point?], size: Int?)
    case nobody

    static var tagName: String { "kind" }
}

/// Has more members than are searched one by one.
struct Many: Codable, Equatable { let values: [Int?] }
extension Many {
    private static let names = (0..<40).map { Name("member number \($0)") }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        values = try Self.names.map { try container.decodeIfPresent(Int.self, forKey: $0) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in zip(Self.names, values) { try container.encodeIfPresent(value, forKey: name) }
    }
}

/// Is one value, or null.
struct Single<Value: Codable & Equatable & Sendable>: Equatable { let value: Value? }
extension Single: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decodeNil() ? nil : container.decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
struct Singles: Codable, Equatable {
    let a: Single<Int8>, b: Single<UInt16>, c: Single<Float>, d: Single<Bool>, e: Single<String>, f: Single<Date>
    let g: [Single<URL>], h: Single<Decimal>, i: Single<[Double]>, j: Single<Point>
}

/// Adds what a decoder's user tells it.
struct Informed: Codable, Equatable { let number: Int }
extension Informed {
    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int32.self)
        self.number = Int(number) + (decoder.userInfo[.unit] as? Int ?? 0)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}

extension SplitMix {
    fileprivate mutating func grid() -> Grid {
        let rows = list { $0.list { $0.double() } }
        return Grid(rows: rows, sizes: rows.map { _ in optionalInteger() })
    }
    fileprivate mutating func anything(_ depth: Int = 0) -> Anything {
        switch Int.random(in: 0...(depth < 3 ? 5 : 3), using: &self) {
        case 0: .null
        case 1: .bool(bool())
        case 2: .number(double())
        case 3: .text(text())
        case 4: .list(list { $0.anything(depth + 1) })
        default: .object(dictionary { $0.anything(depth + 1) })
        }
    }
    fileprivate mutating func tagged() -> KindModel {
        let kind = Kind.allCases.randomElement(using: &self)!
        return KindModel(kind: kind, point: kind == .bot ? nil : point(), scalars: kind == .user ? nil : scalars())
    }
    fileprivate mutating func creature() -> Tagged<Creature> {
        switch Int.random(in: 0...3, using: &self) {
        case 0: Tagged(.user(point()))
        case 1: Tagged(.bot(scalars()))
        case 2: Tagged(.team(members: list { $0.maybe($0.point()) }, size: optionalInteger()))
        default: Tagged(.nobody)
        }
    }
    fileprivate mutating func presence() -> Presence {
        Presence(states: (0..<3).map { _ in ["missing", "null", "other"].randomElement(using: &self)! })
    }
    fileprivate mutating func many() -> Many { Many(values: (0..<40).map { _ in maybe(int()) }) }
    fileprivate mutating func single<Value: Codable & Equatable & Sendable>(_ value: Value) -> Single<Value> {
        Single(value: maybe(value))
    }
}

extension Shape {
    static let handwritten: [Shape] = [
        Shape(Supers.self) { Supers(usual: $0.point(), named: $0.point(), list: $0.list { $0.point() }) },
        Shape(Grid.self) { $0.grid() },
        Shape(Anything.self, isOrdered: false) { $0.anything() },
        Shape(Lossy.self) { Lossy(kept: $0.integers(), lost: $0.list { $0.maybe($0.int()) }) },
        Shape([String: Paths].self, isOrdered: false) { $0.dictionary { Paths(elements: $0.list { $0.text() }) } },
        Shape([Paths].self) { $0.list { Paths(elements: $0.list { $0.text() }) } },
        Shape(Presence.self) { $0.presence() },
        Shape([KindModel].self) { $0.list { $0.tagged() } },
        Shape([Tagged<Creature>].self) { $0.list { $0.creature() } },
        Shape(Many.self) { $0.many() },
        Shape(Singles.self) {
            Singles(
                a: $0.single($0.integer()), b: $0.single($0.integer()), c: $0.single($0.float()),
                d: $0.single($0.bool()), e: $0.single($0.text()), f: $0.single($0.date()),
                g: $0.list { $0.single(URL(string: "/a")!) }, h: $0.single(Decimal($0.int()) / 7),
                i: $0.single($0.list { $0.double() }), j: $0.single($0.point()))
        },
        Shape([Informed].self) { $0.list { Informed(number: Int(Int16(truncatingIfNeeded: $0.int()))) } },
    ]
}
