import APIKitJSON
import Foundation
import Testing

/// `JSONDecoder` as the oracle: the same value, or the same error at the same place.
@Suite(.timeLimit(.minutes(10))) struct JSONReaderOracleTests {
    private static let rounds = ProcessInfo.processInfo.environment["APIKIT_SOAK"] == nil ? 40 : 2_000

    private static let tokens = [
        "null", "true", "0", "-1", "1.0", "1e2", "1.5", "300", "-129", "99999999999999999999", "1e400", "1e-400", "0.1",
        "\"\"",
        "\"a\"", "\"1\"", "\"inf\"", "[]", "{}", "[1]", "{\"a\":1}", "\"2026-11-20T18:30:00Z\"", "9007199254740993.0",
        "18446744073709551616", "\"\\ud83d\\ude00\"", "123456789012345678901234567890", "0.1234567890123456789",
    ]

    /// Replaces, deletes or repeats a few values and names.
    private static func changed(_ json: Data, _ random: inout SplitMix) -> Data {
        var text = String(decoding: json, as: UTF8.self)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
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
        return Data(text.utf8)
    }

    @Test(arguments: Shape.all) func readsAsJSONDecoder(_ shape: Shape) {
        var random = SplitMix(seed: 20)
        for round in 0..<Self.rounds {
            let json = Self.changed(shape.json(&random), &random)
            for strategy in Strategy.allCases {
                if let difference = shape.difference(json, strategy) {
                    Issue.record(
                        "\(shape), \(strategy), round \(round): \(difference)\n\(String(decoding: json, as: UTF8.self))"
                    )
                    return
                }
            }
        }
    }

    @Test(arguments: Shape.all) func anyBytesAreRefusedOrReadAsJSONDecoder(_ shape: Shape) {
        var random = SplitMix(seed: 21)
        for round in 0..<Self.rounds {
            var json = shape.json(&random)
            for _ in 0..<Int.random(in: 1...3, using: &random) where !json.isEmpty {
                let index = json.indices.randomElement(using: &random)!
                switch Int.random(in: 0...3, using: &random) {
                case 0: json.remove(at: index)
                case 1: json.insert(UInt8.random(in: 0...255, using: &random), at: index)
                case 2: json[index] = Array("{}[]\",:0123456789.eE-+\\ntf \u{9}".utf8).randomElement(using: &random)!
                default: json = json[..<index]
                }
            }
            if let difference = shape.difference(json, .plain) {
                Issue.record("\(shape), round \(round): \(difference)\n\(String(decoding: json, as: UTF8.self))")
                return
            }
        }
    }
}
