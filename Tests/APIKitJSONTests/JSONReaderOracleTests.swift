import APIKitJSON
import Foundation
import TestTraits
import Testing

/// `JSONDecoder` as the oracle: the same value, or the same error at the same place.
///
/// What is not JSON by ``StrictJSON`` must be refused, whatever `JSONDecoder` does. ``Outcome`` and
/// ``StrictJSON/respelled`` say which numbers it reads differently. Models and texts have no two spellings of a name
/// that differ only in their bytes.
@Suite(.timeLimit(.minutes(10))) struct JSONReaderOracleTests {
    private static let values = Tally("values", soak: 100_000)
    private static let texts = Tally("texts with changed bytes", soak: 1_000_000)

    private static let tokens = [
        "null", "true", "0", "-1", "1.0", "1e2", "1.5", "300", "-129", "99999999999999999999", "1e400", "1e-400", "0.1",
        "\"\"",
        "\"a\"", "\"1\"", "\"inf\"", "[]", "{}", "[1]", "{\"a\":1}", "\"2026-11-20T18:30:00Z\"", "9007199254740993.0",
        "18446744073709551616", "\"\\ud83d\\ude00\"", "123456789012345678901234567890", "0.1234567890123456789",
    ]

    /// Replaces a few values and names.
    private static func changed(_ json: Data, _ random: inout SplitMix) -> Document {
        var text = String(decoding: json, as: UTF8.self)
        let changes = Int.random(in: 0...2, using: &random)
        for _ in 0..<changes {
            let values = text.ranges(of: /-?[0-9][0-9.eE+-]*|true|false|null|"(?:[^"\\]|\\.)*"/)
            guard let range = values.randomElement(using: &random) else { break }
            let isName = text[range.upperBound...].first == ":"
            if isName {
                let name = ["\"x_int\"", "\"html_url\"", "\"user_id\"", "\"\\u0061\"", "\"name\"", "\"int\""]
                text.replaceSubrange(range, with: name.randomElement(using: &random)!)
            } else {
                text.replaceSubrange(range, with: tokens.randomElement(using: &random)!)
            }
        }
        return Document(Data(text.utf8), changes: changes)
    }

    /// Removes, adds or replaces a few bytes, or cuts the text off.
    private static func damaged(_ json: Data, _ random: inout SplitMix) -> Document {
        var json = json
        let changes = Int.random(in: 1...3, using: &random)
        for _ in 0..<changes where !json.isEmpty {
            let index = json.indices.randomElement(using: &random)!
            switch Int.random(in: 0...3, using: &random) {
            case 0: json.remove(at: index)
            case 1: json.insert(UInt8.random(in: 0...255, using: &random), at: index)
            case 2: json[index] = Array("{}[]\",:0123456789.eE-+\\ntf \u{9}".utf8).randomElement(using: &random)!
            default: json = json[..<index]
            }
        }
        return Document(json, changes: changes)
    }

    private static func failure(
        _ shape: Shape, _ strategy: Strategy, round: Int, _ document: Document
    ) -> Comment? {
        shape.difference(document, strategy).map { difference -> Comment in
            let text = String(decoding: document.data, as: UTF8.self)
            return "\(shape), \(strategy), round \(round): \(difference)\n\(text)"
        }
    }

    @Test func comparesFiftyModels() { #expect(Shape.all.count >= 50) }

    @Test(arguments: Shape.all) func readsAsJSONDecoder(_ shape: Shape) async {
        var random = SplitMix(seed: 20)
        for round in 0..<Self.values.perShape {
            let document = Self.changed(shape.json(&random), &random)
            for strategy in Strategy.allCases {
                if let failure = Self.failure(shape, strategy, round: round, document) {
                    Issue.record(failure)
                    return
                }
            }
        }
        await Self.values.addShape()
    }

    @Test(arguments: Shape.all) func anyBytesAreRefusedOrReadAsJSONDecoder(_ shape: Shape) async {
        var random = SplitMix(seed: 21)
        var json = Data()
        for round in 0..<Self.texts.perShape {
            if round.isMultiple(of: 4) { json = shape.json(&random) }
            let document = Self.damaged(json, &random)
            if let failure = Self.failure(shape, .plain, round: round, document) {
                Issue.record(failure)
                return
            }
        }
        await Self.texts.addShape()
    }
}

/// Counts what is read alike. Of a soak, it prints the number when all shapes have been compared.
private actor Tally {
    private let name: String
    /// How many each shape has to read.
    let perShape: Int
    private var shapes = 0

    init(_ name: String, soak: Int) {
        self.name = name
        let count = Effort.isSoaking ? soak : Effort.rounds(500, thorough: 2_000)
        perShape = (count + Shape.all.count - 1) / Shape.all.count
    }

    func addShape() {
        shapes += 1
        guard Effort.isSoaking, shapes == Shape.all.count else { return }
        print("soak: JSONReader agrees with JSONDecoder on \(shapes * perShape) \(name), of \(shapes) models")
    }
}
