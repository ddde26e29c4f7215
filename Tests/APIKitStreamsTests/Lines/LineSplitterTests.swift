import Foundation
import Testing

@testable import APIKitCore
@testable import APIKitStreams

@Suite struct LineSplitterTests {
    private func lines(_ chunks: [Data], carriageReturnEndsLine: Bool, limit: Int = 100) throws -> [String] {
        var splitter = LineSplitter(limit: limit, carriageReturnEndsLine: carriageReturnEndsLine)
        var lines: [String] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        if let rest = splitter.takeRest() { lines.append("\(String(decoding: rest, as: UTF8.self))$") }
        return lines
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a$"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b$"]), ("a\r\nb\n", ["a\r", "b"]),
        ("\r", ["\r$"]), ("a\u{2028}b\u{85}c\n", ["a\u{2028}b\u{85}c"]), ("a\0\n", ["a\0"]), ("\n\na", ["", "", "a$"]),
        ("a\n\n", ["a", ""]),
    ]) func splitsAtLineFeedsOnly(text: String, expected: [String]) throws {
        for chunks in everyCut(of: Data(text.utf8)) {
            #expect(try lines(chunks, carriageReturnEndsLine: false) == expected)
        }
    }

    @Test(arguments: [
        ("", []), ("\r", [""]), ("\n", [""]), ("\r\n", [""]), ("\n\r", ["", ""]), ("\r\r\n\n", ["", "", ""]),
        ("a\rb\nc\r\nd", ["a", "b", "c", "d$"]), ("\r\n\r\n", ["", ""]), ("a\r", ["a"]),
        ("\r\na\n\rb", ["", "a", "", "b$"]),
    ]) func splitsAtEveryLineEnding(text: String, expected: [String]) throws {
        for chunks in everyCut(of: Data(text.utf8)) {
            #expect(try lines(chunks, carriageReturnEndsLine: true) == expected, "\(chunks.map(\.count))")
        }
    }

    @Test func ignoresEmptyChunks() throws {
        let chunks = ["", "a", "", "\r", "", "", "\n", "", "b", ""].map { Data($0.utf8) }
        #expect(try lines(chunks, carriageReturnEndsLine: true) == ["a", "b$"])
    }

    // A slice of Data does not start at index 0.
    @Test func readsSlices() throws {
        let data = Data("xxa\nb\nyy".utf8)
        #expect(try lines([data[2..<6]], carriageReturnEndsLine: false) == ["a", "b"])
    }

    @Test(arguments: [true, false]) func limitsLengthOfLine(carriageReturnEndsLine: Bool) throws {
        for chunks in everyCut(of: Data("1234\n12\n1234".utf8)) {
            let split = try lines(chunks, carriageReturnEndsLine: carriageReturnEndsLine, limit: 4)
            #expect(split == ["1234", "12", "1234$"])
            #expect(throws: LineSplitter.LineTooLong.self) {
                try lines(chunks, carriageReturnEndsLine: carriageReturnEndsLine, limit: 3)
            }
        }
    }
}
