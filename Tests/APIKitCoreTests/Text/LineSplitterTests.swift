import Foundation
import Testing

@testable import APIKitCore

@Suite struct LineSplitterTests {
    private func lines(_ chunks: [Data], _ ending: LineSplitter.Ending, limit: Int = 100) throws -> [String] {
        var splitter = LineSplitter(ending: ending, limit: limit)
        var lines: [String] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let line = try splitter.next({ $0.text }) { lines.append(line) }
        }
        if let last = splitter.last({ "\($0.text)$" }) { lines.append(last) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a$"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b$"]), ("a\r\nb\n", ["a\r", "b"]),
        ("\r", ["\r$"]), ("a\u{2028}b\u{85}c\n", ["a\u{2028}b\u{85}c"]), ("a\0\n", ["a\0"]),
    ])
    func cutsAtLineFeedsAlone(text: String, expected: [String]) throws {
        for chunks in everyCut(of: Data(text.utf8)) {
            #expect(try lines(chunks, .lineFeed) == expected)
        }
    }

    @Test(arguments: [
        ("", []), ("\r", [""]), ("\n", [""]), ("\r\n", [""]), ("\n\r", ["", ""]), ("\r\r\n\n", ["", "", ""]),
        ("a\rb\nc\r\nd", ["a", "b", "c", "d$"]), ("\r\n\r\n", ["", ""]), ("a\r", ["a"]),
        ("\r\na\n\rb", ["", "a", "", "b$"]),
    ])
    func cutsAtEveryEnd(text: String, expected: [String]) throws {
        for chunks in everyCut(of: Data(text.utf8)) {
            #expect(try lines(chunks, .any) == expected, "\(chunks.map(\.count))")
        }
    }

    @Test func emptyChunksMeanNothing() throws {
        let chunks = ["", "a", "", "\r", "", "", "\n", "", "b", ""].map { Data($0.utf8) }
        #expect(try lines(chunks, .any) == ["a", "b$"])
    }

    // A slice of Data does not start at 0.
    @Test func readsSlices() throws {
        let data = Data("xxa\nb\nyy".utf8)
        #expect(try lines([data[2..<6]], .lineFeed) == ["a", "b"])
    }

    @Test(arguments: [LineSplitter.Ending.lineFeed, .any])
    func theLimitIsThatOfALine(ending: LineSplitter.Ending) throws {
        for chunks in everyCut(of: Data("1234\n12\n1234".utf8)) {
            #expect(try lines(chunks, ending, limit: 4) == ["1234", "12", "1234$"])
            let error = try #require(throws: TransportError.self) { try lines(chunks, ending, limit: 3) }
            #expect(error.code == .bodyTooLarge)
        }
    }

    @Test func whatReadingThrowsLosesThatLineAlone() throws {
        struct Trouble: Error {}
        var splitter = LineSplitter(ending: .any, limit: 10)
        splitter.append(Data("a\nb\n".utf8))
        #expect(throws: Trouble.self) { try splitter.next { _ in throw Trouble() } }
        #expect(try splitter.next { $0.text } == "b")
    }
}
