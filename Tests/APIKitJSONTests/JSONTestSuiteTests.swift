import APIKitJSON
import Foundation
import Testing

/// The test vectors of JSONTestSuite.
@Suite struct JSONTestSuiteTests {
    struct Vector: CustomTestStringConvertible {
        let name: String
        let data: Data
        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "JSONTestSuite.txt")
        let lines = (try? String(contentsOf: file, encoding: .utf8)).map { $0.split(separator: "\n") } ?? []
        let vectors = lines.filter { !$0.hasPrefix("#") }.compactMap { line in
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            return Data(base64Encoded: String(parts[1])).map { Vector(name: String(parts[0]), data: $0) }
        }
        let arrays = String(repeating: "[", count: 100_000)
        let objects = String(repeating: "[{\"\":", count: 50_000)
        return vectors + [
            Vector(name: "n_structure_100000_opening_arrays", data: Data(arrays.utf8)),
            Vector(name: "n_structure_open_array_object", data: Data(objects.utf8)),
        ]
    }()

    /// What the suite leaves open and this decoder refuses: what is not UTF-8, and half of a pair of surrogates.
    private static let refused: Set = [
        "i_string_1st_surrogate_but_2nd_missing", "i_string_1st_valid_surrogate_2nd_invalid",
        "i_string_incomplete_surrogate_and_escape_valid", "i_string_incomplete_surrogate_pair",
        "i_string_incomplete_surrogates_escape_valid", "i_string_invalid_lonely_surrogate",
        "i_string_invalid_surrogate", "i_string_invalid_utf-8", "i_string_inverted_surrogates_U+1D11E",
        "i_string_iso_latin_1", "i_string_lone_second_surrogate", "i_string_lone_utf8_continuation_byte",
        "i_string_not_in_unicode_range", "i_string_overlong_sequence_2_bytes", "i_string_overlong_sequence_6_bytes",
        "i_string_overlong_sequence_6_bytes_null", "i_string_truncated-utf-8", "i_string_utf16BE_no_BOM",
        "i_string_utf16LE_no_BOM", "i_string_UTF-16LE_with_BOM", "i_string_UTF-8_invalid_sequence",
        "i_string_UTF8_surrogate_U+D800", "i_object_key_lone_2nd_surrogate",
    ]

    /// Reads any JSON, without a look at its values.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    @Test func hasAllVectors() { #expect(Self.vectors.count == 318) }

    @Test(arguments: vectors) func isAcceptedOrRefused(_ vector: Vector) throws {
        let isAccepted =
            vector.name.hasPrefix("y_") || vector.name.hasPrefix("i_") && !Self.refused.contains(vector.name)
        do {
            _ = try JSONReader().decode(Anything.self, from: vector.data)
            #expect(isAccepted, "accepted")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(!isAccepted, "\(context.debugDescription)")
            #expect(context.codingPath.isEmpty)
        }
    }
}
