import Foundation

// Models of types that the first ones do not have: every width of number, any kind of key, and names that need care.

struct OptionalWidths: Codable, Equatable {
    let a: Int8?, b: Int16?, c: Int32?, d: Int64?, e: UInt8?, f: UInt16?, g: UInt32?, h: UInt64?, i: UInt?, j: Float?
}
struct NumberLists: Codable, Equatable {
    let a: [Int8], b: [Int16], c: [Int32], d: [Int64], e: [UInt8], f: [UInt16], g: [UInt32], h: [UInt64], i: [UInt]
    let j: [Float?]
}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct Wide: Codable, Equatable { let signed: Int128; let unsigned: UInt128?; let list: [Int128] }
/// Equals only what has the same bits and bytes, so that 0 is not -0, and é is not e with an accent.
struct Exact: Codable, Equatable {
    let double: Double; let float: Float; let text: String
    static func == (left: Exact, right: Exact) -> Bool {
        left.double.bitPattern == right.double.bitPattern && left.float.bitPattern == right.float.bitPattern
            && left.text.utf8.elementsEqual(right.text.utf8)
    }
}
enum Color: String, Codable, CodingKeyRepresentable { case red, green, blue }
struct NumberedKeys: Codable, Equatable {
    let first: Int, second: String?
    enum CodingKeys: Int, CodingKey { case first = 1, second = 22 }
}
struct OddNames: Codable, Equatable {
    let empty: Int, spaced: Int?, quoted: String, foreign: Bool, long: [Int]
    enum CodingKeys: String, CodingKey {
        case empty = "", spaced = "a b", quoted = "\"\\\n", foreign = "日本", long = "more than sixteen bytes"
    }
}
struct Collections: Codable, Equatable { let span: ClosedRange<Int>; let part: Range<Double>?; let set: Set<Int> }
struct Point: Codable, Equatable { let x: Double; let y: Int16? }
enum Event: Codable, Equatable { case closed, opened(at: Date, by: String?), moved(Point, Int) }
struct Folder: Codable, Equatable {
    let name: String; let files: [File]
    struct File: Codable, Equatable { let size: UInt64; let folders: [Folder] }
}
struct Meters: RawRepresentable, Codable, Equatable { var rawValue: Double }

extension SplitMix {
    mutating func integer<Number: FixedWidthInteger>() -> Number { Number(truncatingIfNeeded: int()) }
    mutating func integers<Number: FixedWidthInteger>() -> [Number] { list { $0.integer() } }
    mutating func optionalInteger<Number: FixedWidthInteger>() -> Number? { bool() ? integer() : nil }
    mutating func float() -> Float { Float(Int8.random(in: -9...9, using: &self)) / 4 }
    mutating func point() -> Point { Point(x: double(), y: optionalInteger()) }
    mutating func id() -> UUID {
        let (a, b) = (next(), next())
        let bytes: [UInt8] = (0..<16).map { (index: Int) in
            let half: UInt64 = index < 8 ? a : b
            return UInt8(truncatingIfNeeded: half >> (index % 8 * 8))
        }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
    mutating func event() -> Event {
        switch Int.random(in: 0...2, using: &self) {
        case 0: .closed
        case 1: .opened(at: date(), by: maybe(text()))
        default: .moved(point(), int())
        }
    }
    mutating func folder(_ depth: Int = 0) -> Folder {
        Folder(name: text(), files: depth > 1 ? [] : list { $0.file(depth) })
    }
    private mutating func file(_ depth: Int) -> Folder.File {
        Folder.File(size: integer(), folders: list { $0.folder(depth + 1) })
    }
    mutating func collections() -> Collections {
        let (a, b) = (double(), double())
        return Collections(
            span: -3...max(-3, int()), part: maybe(min(a, b)..<max(a, b)), set: Set(list { $0.int() }))
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func wide() -> Int128 {
        let choices: [Int128] = [0, -1, .max, .min, Int128(Int.max) + 1, Int128(int())]
        return choices.randomElement(using: &self)!
    }
}

extension Shape {
    static let types: [Shape] = [
        Shape(OptionalWidths.self) {
            OptionalWidths(
                a: $0.optionalInteger(), b: $0.optionalInteger(), c: $0.optionalInteger(), d: $0.optionalInteger(),
                e: $0.optionalInteger(), f: $0.optionalInteger(), g: $0.optionalInteger(), h: $0.optionalInteger(),
                i: $0.optionalInteger(), j: $0.maybe($0.float()))
        },
        Shape(NumberLists.self) {
            NumberLists(
                a: $0.integers(), b: $0.integers(), c: $0.integers(), d: $0.integers(), e: $0.integers(),
                f: $0.integers(), g: $0.integers(), h: $0.integers(), i: $0.integers(),
                j: $0.list { $0.maybe($0.float()) })
        },
        Shape([Exact].self) { $0.list { Exact(double: $0.double(), float: -$0.float(), text: $0.text()) } },
        Shape([Data].self) { $0.list { Data($0.text().utf8) } },
        Shape([URL?].self) { $0.list { $0.maybe(URL(string: "https://example.com/a?b=c#d")!) } },
        Shape([String: UUID].self, isOrdered: false) { $0.dictionary { $0.id() } },
        Shape([UUID: Int].self, isOrdered: false) { Dictionary($0.list { ($0.id(), $0.int()) }) { first, _ in first } },
        Shape([Color: Int].self, isOrdered: false) { [.red: $0.int(), .blue: $0.int()] },
        Shape(NumberedKeys.self) { NumberedKeys(first: $0.int(), second: $0.maybe($0.text())) },
        Shape(OddNames.self) {
            OddNames(
                empty: $0.int(), spaced: $0.maybe($0.int()), quoted: $0.text(), foreign: $0.bool(), long: $0.integers())
        },
        Shape(Collections.self) { $0.collections() },
        Shape([Event].self) { $0.list { $0.event() } },
        Shape(Folder.self) { $0.folder() },
        Shape([Meters].self) { $0.list { Meters(rawValue: $0.double()) } },
    ]

    static let wide: [Shape] = {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return [] }
        return [
            Shape(Wide.self) {
                Wide(signed: $0.wide(), unsigned: $0.maybe($0.wide().magnitude), list: $0.list { $0.wide() })
            }
        ]
    }()
}
