import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct TextLinesTests {
    @Test(
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\rc\n\nd", ["a", "b", "c", "", "d"]),
            ("\n", [""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]), ("a\u{2028}b\u{85}", ["a\u{2028}b\u{85}"]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", [""]), ("\u{FEFF}\na", ["", "a"]),
            (" a \n", [" a "]),
        ] as [(String, [String])])
    func splitsTextIntoLines(text: String, expected: [String]) async throws {
        #expect(try await TextLines(bytes: ByteStream(text)).collected() == expected)
    }

    @Test func replacesInvalidUTF8WhateverTheChunks() async {
        for chunks in everyCut(of: Data([0x61, 0xFF, 0x0A, 0xE2, 0x80, 0x0D, 0xC3])) {
            #expect(await TextLines.outcome(chunks).elements == ["a\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
        }
    }

    @Test func rejectsLongLineWhateverTheChunks() async throws {
        for chunks in everyCut(of: Data("123\n12345\n".utf8)) {
            var iterator = TextLines(bytes: ByteStream(Chunks(chunks: chunks)), elementLimit: 4).makeAsyncIterator()
            #expect(try await iterator.next() == "123")
            let error = try await #require(throws: TransportError.self) { _ = try await iterator.next() }
            #expect(error.code == .bodyTooLarge)
        }
    }

    @Test(arguments: [TransportError(.connectionLost) as any Error, CancellationError()])
    func discardsIncompleteLineAfterError(error: any Error) async {
        let lines = TextLines(bytes: ByteStream("a\nb", breakingWith: error))
        #expect(await steps(4, of: lines) == ["a", "\(type(of: error))", "nil", "nil"])
    }

    private static let pieces: [[UInt8]] = [
        [0x61], [0x0A], [0x0D], [0x0D, 0x0A], [0xC3, 0xA9], [0xF0, 0x9F, 0x98, 0x80], [0xEF, 0xBB, 0xBF],
        [0xE2, 0x80, 0xA8], [0xCC, 0x81], [0xFF], [0xC3], [0],
    ]

    @Test(arguments: 0..<100) func ignoresRandomChunkBoundaries(seed: UInt64) async {
        await TextLines.expectSameHoweverCut(seed: seed, pieces: Self.pieces, count: 30, limits: [6, 100])
    }

    @Test(arguments: [
        nil, "text/plain", "text/plain; charset=", "text/plain; charset=\"\"; format=flowed",
        "text/plain; charset=UTF-8", "text/plain; charset=\"utf-8\"", "text/csv; charset=us-ascii",
        "text/plain; charset='utf-8'", "text/plain; charset=csUTF8", "text/plain; charset=us",
    ]) func readsAResponse(type: String?) async throws {
        let client = ImmediateClient(.text("a\nb", type: type))
        let lines = try await client.send(Endpoint<TextLines, Data>())
        #expect(try await lines.collected() == ["a", "b"])
    }

    @Test(arguments: ["iso-8859-1", "UTF-16", "x"]) func rejectsUnsupportedCharset(charset: String) async throws {
        let client = ImmediateClient(.text("a\nb", type: "text/plain; charset=\(charset)"))
        let error = try await client.failure(of: Endpoint<TextLines, Data>())
        #expect(error.unreadable?.error is ContentError)
        #expect(error.description.contains(charset.lowercased()))
    }
}
