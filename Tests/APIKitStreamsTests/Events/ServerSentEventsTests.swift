import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct ServerSentEventsTests {
    private func events(_ text: String) async throws -> [ServerSentEvents.Event] {
        try await ServerSentEvents(bytes: ByteStream(text)).collected()
    }

    private static let pieces: [[UInt8]] =
        [[0x0A], [0x0D], [0x0D, 0x0A], [0xEF, 0xBB, 0xBF], [0xFF], [0xCC, 0x81], [0xC3, 0xA9], [0xE2, 0x80], [0]]
        + [" ", "data", "data:", "data: x", "\ndata:y", "\n\n", "id: 1", "event:e", ":", "retry: 7"].map {
            Array($0.utf8)
        }

    @Test(arguments: 0..<100) func ignoresRandomChunkBoundaries(seed: UInt64) async {
        await ServerSentEvents.expectSameHoweverCut(seed: seed, pieces: Self.pieces, count: 40, limits: [10, 1_000])
    }

    @Test(
        arguments: [
            // The examples of WHATWG HTML, section 9.2.6.
            ("data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]), ("data\n\ndata\ndata\n\ndata:", ["", "\n"]),
            (": test stream\n\ndata: first event\nid: 1\n\ndata:  third event\n\n", ["first event", " third event"]),
            ("data:test\n\ndata: test\n\n", ["test", "test"]),
            // The vectors of web-platform-tests, eventsource/format-*.
            ("\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n", ["1", "3"]),
            ("\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]),
            ("data:1\r:\0\n:\r\ndata:2\n:xxxx\rdata:3\n:data:fail\r:xxxx\rdata:4\n\n", ["1\n2\n3\n4"]),
            ("retry:1000\ndata:test1\n\nid:test\ndata:test2", ["test1"]),
            ("data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]),
            (
                "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\n"
                    + "data:4\n\n", ["\0\n 2\n1\n3\n\n4"]
            ),
            ("data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n", ["test\n\ntest"]),
            ("data:\ttest\rdata: \ndata:test\n\n", ["\ttest\n\ntest"]),
            ("data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]), ("data:\0\n\n\n\n", ["\0"]),
            ("data:ok\u{2026}\n\n", ["ok\u{2026}"]),
            // No other character ends a line.
            ("data: a\u{85}b\u{2028}c\u{B}d\u{C}e\n\n", ["a\u{85}b\u{2028}c\u{B}d\u{C}e"]),
        ] as [(String, [String])])
    func readsData(text: String, data: [String]) async throws { #expect(try await events(text).map(\.data) == data) }

    @Test(
        arguments: [
            ("event:test\ndata:x\n\ndata:x\n\n", ["test", "message"]), ("event: \ndata:data\n\n", ["message"]),
            ("event\ndata:x\n\n", ["message"]), ("event:a\nevent:b\ndata:x\n\n", ["b"]),
            ("event:a\n\ndata:x\n\n", ["message"]), ("event: a b: c\ndata:x\n\n", ["a b: c"]),
            ("Event:a\ndata:x\n\n", ["message"]),
        ] as [(String, [String])])
    func readsType(text: String, types: [String]) async throws {
        #expect(try await events(text).map(\.type) == types)
    }

    @Test(
        arguments: [
            ("id:1\ndata:x\n\ndata:y\n\n", ["1", "1"]), ("id:1\ndata:x\n\nid\ndata:y\n\n", ["1", ""]),
            ("id:1\n\ndata:x\n\n", ["1"]), ("id:1\ndata:x\n\nid: a\0b\ndata:y\n\n", ["1", "1"]),
            ("id: \0\ndata:x\n\n", [""]), ("id:a\nid:b\ndata:x\n\n", ["b"]),
            ("id: caf\u{E9}\ndata:x\n\n", ["caf\u{E9}"]),
            ("data:x\nid:late\n\n", ["late"]), ("id:1\ndata:x\n\nid:\n\ndata:y\n\n", ["1", ""]),
        ] as [(String, [String])])
    func keepsID(text: String, ids: [String]) async throws { #expect(try await events(text).map(\.id) == ids) }

    @Test(arguments: [
        "", "\n\n\r\r", "data: x", "data: x\n", "data: x\r", ": x\n\n", "\u{FEFF}", "event: a\n\n", "id: 1\n\n",
    ]) func discardsEventsWithoutDataOrEnd(text: String) async throws { #expect(try await events(text).isEmpty) }

    // MARK: - Bodies that are not event streams

    @Test(arguments: [
        #"{"error": {"message": "no"}}"#, "{\n  \"error\": {\n    \"message\": \"no\"\n  }\n}\n", "<html>\n</html>\n\n",
        "upstream timed out", "Data: x\n\n", " data: x\n\n", "dat\nx: 1\n", "\n\n[1]\n", "\u{FEFF}{}", "iddata: 1",
    ]) func bodyWithoutAnyKnownFieldIsAnError(text: String) async throws {
        let error = try await #require(throws: ContentError.self) { _ = try await events(text) }
        #expect(error.code == .unexpectedType)
        #expect(error.description.contains("is not an event stream"))
        // Errors do not quote markup.
        if text.hasPrefix("<") { return }
        let firstLine = text.replacing("\u{FEFF}", with: "").split(whereSeparator: \.isNewline).first ?? ""
        #expect(error.description.contains(firstLine.trimmingCharacters(in: .whitespaces)), "\(error)")
    }

    @Test(arguments: [
        "", "\n", "\r\n\r\n", ": hi\n\n", ":", ":\n", "retry: 5", "id", "data", "dat", "d", "event", "{}\n: comment\n",
        "{}\n\ndata: x\n\n", "x: 1\nretry: 7\n", "\u{FEFF}",
    ]) func streamWithAKnownFieldOrWithoutLinesEnds(text: String) async throws {
        _ = try await events(text)
    }

    @Test func errorForABodyThatIsNotAnEventStreamHasNoSecret() async throws {
        let error = try await #require(throws: ContentError.self) {
            _ = try await events(#"{"password": "hunter2", "text": "\#(String(repeating: "x", count: 9_999))"}"#)
        }
        #expect(!"\(error)".contains("hunter2"))
        #expect("\(error)".utf8.count < 1_200)
    }

    @Test func replacesInvalidUTF8() async {
        let bytes = Data("data: a".utf8) + [0xFF, 0xC3] + Data("\nevent: ".utf8) + [0xE2, 0x80] + Data("\n\n".utf8)
        let events = await ServerSentEvents.outcome([bytes]).elements
        #expect(events == [ServerSentEvents.Event(type: "\u{FFFD}", data: "a\u{FFFD}\u{FFFD}")])
    }

    // MARK: - Chunks

    @Test(arguments: [
        "\u{FEFF}id: 1\r\ndata: a\r\ndata: b\r\n\r\n: c\r\n\r\nevent: \u{1F600}\rdata: caf\u{E9} \u{2026}\r\rdata: d\n\n",
        "data: a\r\r\ndata: b\r\n\rdata: c\n\r\ndata: d\n\n\r\r\n\n", "data\r\n\r\ndata\r\n\r\n",
        "\r\n\r\ndata:x\r\n\r\n", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", "data: \u{FEFF}x\n\n\u{FEFF}data: y\n\n",
        "id: a\0\ndata: x\n\nretry: 5\r",
    ]) func ignoresChunkBoundaries(text: String) async { await ServerSentEvents.expectSameHoweverCut(Data(text.utf8)) }

    @Test(arguments: ["", "data: 2\n"], ["data: 1\n\n", "data: 1\r\r", "data: 1\r\n\r\n", "data: 1\n\r"])
    func returnsEventAsSoonAsItIsComplete(incomplete: String, text: String) async {
        let error = TransportError(.connectionLost)
        let outcome = await ServerSentEvents.outcome([Data("\(text)\(incomplete)".utf8)], failure: error)
        #expect(outcome.elements == [ServerSentEvents.Event(data: "1")])
        #expect(outcome.failure == "connectionLost")
    }

    // MARK: - The limit

    @Test(
        arguments: [
            ("data: 12345678901", 16), ("data:1\ndata:22\ndata:3333", 8),
            (Array(repeating: "data", count: 9).joined(separator: "\n"), 8), (": a comment of any kind", 16),
            ("x-unknown: 123456789", 16),
        ] as [(String, Int)])
    func rejectsLongEvent(text: String, limit: Int) async throws {
        // The rest must not be mistaken for another event.
        let stream = ByteStream("data: 0\n\n\(text)\n\ndata: 2\n\n")
        let events = ServerSentEvents(bytes: stream, elementLimit: limit).map(\.data)
        #expect(await steps(4, of: events) == ["0", "TransportError", "nil", "nil"])
        let error = try await #require(throws: TransportError.self) { _ = try await events.collected() }
        #expect(error.code == .bodyTooLarge)
        #expect(error.description.contains("\(limit)"))
    }

    @Test func acceptsLinesUpToLimitAndAnyNumberOfEvents() async {
        let events = Data(String(repeating: "data: 3456\r\n\r\n", count: 50).utf8)
        let outcome = await ServerSentEvents.outcome([events], limit: 10)
        #expect(outcome.elements.count == 50)
        #expect(outcome.failure == nil)
    }

    // An endless line must not fill the memory.
    @Test func rejectsEndlessLine() async {
        let line = Array(repeating: Data("x".utf8), count: 100)
        let outcome = await ServerSentEvents.outcome(line, limit: 50, failure: TransportError(.timedOut))
        #expect(outcome.failure?.contains("bodyTooLarge") == true)
    }

    // MARK: - As a response

    @Test(arguments: ["text/event-stream", "Text/Event-Stream; charset=utf-8", "text/event-stream;charset=UTF-8", nil])
    func readsEventStreamResponse(type: String?) async throws {
        let client = ImmediateClient(.text("data: 1\n\n", type: type))
        let events = try await client.send(Endpoint<ServerSentEvents, Data>())
        #expect(try await events.collected() == [ServerSentEvents.Event(data: "1")])
    }

    @Test(arguments: ["application/json", "text/html; charset=utf-8", "text/event-streams", "text/plain"])
    func rejectsAnotherContentType(type: String) async throws {
        let error = try await #require(throws: ContentError.self) {
            _ = try await ServerSentEvents.process(response: .text("data: 1\n\n", type: type))
        }
        #expect(error.code == .unexpectedType)
        #expect(error.description.contains(type))
    }
}
