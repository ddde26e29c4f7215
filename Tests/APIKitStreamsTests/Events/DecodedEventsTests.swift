import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct DecodedEventsTests {
    private struct Delta: Codable, Hashable { let text: String }

    private func events(_ data: String...) -> ServerSentEvents { events(data) }
    private func events(_ data: [String]) -> ServerSentEvents {
        ServerSentEvents(bytes: ByteStream(data.map { "data: \($0)\n\n" }.joined()))
    }

    @Test(arguments: ["[DONE]", ""]) func endsAtEndEventAndStaysThere(end: String) async throws {
        let values = events("1", "2", end, "3", "no").decoded(as: Int.self, until: .data(end))
        #expect(await steps(4, of: values) == ["1", "2", "nil", "nil"])
    }

    @Test(arguments: [["1"], ["1", "[DONE"], []]) func endBeforeEndEventIsError(data: [String]) async throws {
        let values = events(data).decoded(as: String.self, until: .data("[DONE]"), decoder: Verbatim())
        #expect(await steps(data.count + 2, of: values) == data + ["TransportError", "nil"])
        let error = try await #require(throws: TransportError.self) { _ = try await values.collected() }
        #expect(error.code == .connectionLost)
        #expect(error.message == "the stream ended before the event \"[DONE]\"")
    }

    private struct Verbatim: DataDecoder {
        func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
            try #require(String(decoding: data, as: UTF8.self) as? T)
        }
    }

    @Test(arguments: ["[DONE] ", "[done]", "\"[DONE]\"", "DONE"])
    func endEventMustMatchExactly(data: String) async throws {
        let values = events("1", data).decoded(as: Int.self, until: .data("[DONE]"))
        let error = try await #require(throws: ContentError.self) { _ = try await values.collected() }
        #expect(error.elementNumber == 2)
    }

    @Test func usesGivenDecoder() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let dates = try await events("7").decoded(as: Date.self, decoder: decoder).collected()
        #expect(dates == [Date(timeIntervalSince1970: 7)])
    }

    @Test func usesDecoderOfValue() async throws {
        let maybe = events(#"{"user_name":"ada"}"#, "null").decoded(as: JSONLinesTests.Snake?.self)
        #expect(try await maybe.collected().map { $0?.userName } == ["ada", nil])
        let own = events(#"{"userName":"ada"}"#).decoded(as: JSONLinesTests.Snake.self, decoder: JSONDecoder())
        #expect(try await own.collected().map(\.userName) == ["ada"])
    }

    @Test func errorHasNumberOfEvent() async throws {
        let values = events("{\"text\":\"a\"}", "{\"text\":7,\"token\":\"hunter2\"}").decoded(as: Delta.self)
        let error = try await #require(throws: ContentError.self) { _ = try await values.collected() }
        #expect(error.elementNumber == 2)
        #expect(error.description.contains("text is not a String"))
        #expect(!error.description.contains("hunter2"))
    }

    @Test func rethrowsErrorsOfEventsAndEnds() async {
        // Continues after its error.
        struct Stubborn: AsyncSequence, AsyncIteratorProtocol, Sendable {
            var count = 0
            func makeAsyncIterator() -> Self { self }
            mutating func next() async throws -> ServerSentEvents.Event? {
                count += 1
                if count == 2 { throw TransportError(.connectionLost) }
                return ServerSentEvents.Event(data: "\(count)")
            }
        }
        #expect(await steps(4, of: Stubborn().decoded(as: Int.self)) == ["1", "TransportError", "nil", "nil"])
        #expect(await Outcome(of: Stubborn().decoded(as: Int.self)).failure == "connectionLost")
    }

    @Test func continuesAfterUnreadableEvent() async {
        let values = events("1", "no", "3").decoded(as: Int.self)
        #expect(await steps(5, of: values) == ["1", "ContentError", "3", "nil", "nil"])
    }

    @Test func readsEventsOfSeveralConnections() async throws {
        let client = ScriptedClient(
            .text("retry: 0\ndata: 1\n\n", type: "text/event-stream"),
            .text("data: 2\n\ndata: [DONE]\n\n", type: "text/event-stream"))
        let values = client.events(for: Endpoint<ServerSentEvents, Data>()).decoded(
            as: Int.self, until: .data("[DONE]"))
        #expect(try await values.collected() == [1, 2])
        #expect(client.requests.count == 2)
    }

}
