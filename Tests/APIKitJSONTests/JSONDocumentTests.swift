import Foundation
import TestTraits
import Testing

@testable import APIKitJSON

@Suite struct JSONDocumentTests {
    struct Sample: CustomTestStringConvertible {
        let item: String
        /// How many bytes reading may take for each byte of the text.
        let limit: Double
        var testDescription: String { item.count > 80 ? "\(item.prefix(80))…" : item }
    }

    private static let deep = String(repeating: "[", count: 511) + String(repeating: "]", count: 511)

    /// A copy of the text takes one byte for each of its bytes. A cell takes four, and an array of cells may have room
    /// for twice as many. Most texts have at least six bytes for each cell.
    static let samples: [Sample] = [
        Sample(
            item: #"{"id":17,"name":"Item number 17","price":12.5,"tags":["first","second"],"isNew":true}"#, limit: 2),
        Sample(item: "[-65.613616999999977,43.420273000000009]", limit: 2),
        Sample(item: #""a text of twenty \" letters""#, limit: 2), Sample(item: "1234567", limit: 2),
        // The shortest values: there is no text with less than one byte for each cell.
        Sample(item: "1", limit: 3), Sample(item: "\"\"", limit: 3), Sample(item: #"{"":1}"#, limit: 5),
        Sample(item: "[]", limit: 5), Sample(item: "{}", limit: 5), Sample(item: "[1]", limit: 5),
        Sample(item: deep, limit: 5),
    ]

    @Test(arguments: samples) func memoryIsLimitedByTheText(_ sample: Sample) throws {
        let length = Effort.rounds(1 << 17, thorough: 1 << 21)
        let items = Array(repeating: sample.item, count: length / sample.item.utf8.count)
        let text = Data("[\(items.joined(separator: ","))]".utf8)
        let document = try JSONReader().document(text)
        let bytes = document.cells.capacity * MemoryLayout<UInt32>.stride + document.text.count
        // Memory comes in pages.
        #expect(bytes <= Int(sample.limit * Double(text.count)) + 1 << 16, "\(Double(bytes) / Double(text.count)) each")
    }
}
