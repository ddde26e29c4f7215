import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct JSONEventsTests {
    private struct Tick: Codable, Hashable, EventModel { let count: Int }

    private typealias Ticks = Endpoint<JSONEvents<Ruled>, DirectoryError>

    /// A value whose rules are those of a test.
    private enum Ruled: Hashable, EventModel {
        case tick(Tick)
        case other(String)
        case over

        @TaskLocal static var rules: EventRules<Ruled> = EventRules(["tick": .decoded(tick), "over": .constant(.over)])
    }

    private func values(_ text: String, by rules: EventRules<Ruled>) -> JSONEvents<Ruled> {
        JSONEvents(ServerSentEvents(bytes: ByteStream([Data(text.utf8)])), rules: rules)
    }

    private func event(_ type: String, _ data: String = #"{"count": 1}"#) -> String {
        "event: \(type)\ndata: \(data)\n\n"
    }

    // MARK: - Values

    @Test func eachTypeHasItsCase() async throws {
        let text =
            event("tick") + event("ping", "{}") + ": comment\n\n" + event("over", "") + event("tick", #"{"count": 2}"#)
        #expect(
            try await values(text, by: Ruled.rules).collected() == [
                .tick(Tick(count: 1)), .over, .tick(Tick(count: 2)),
            ])
    }

    @Test func otherTypesAreKeptIfTheRulesSaySo() async throws {
        let rules = EventRules<Ruled>(["tick": .decoded(Ruled.tick)], other: { .other($0.type) })
        #expect(try await values(event("new"), by: rules).collected() == [.other("new")])
    }

    @Test func modelIsReadFromEveryEvent() async throws {
        let events = JSONEvents<Tick>.self
        let data = Data("data: {\"count\": 1}\n\nevent: x\ndata: {\"count\": 2}\n\n".utf8)
        #expect(try await events.process(data: data).collected() == [Tick(count: 1), Tick(count: 2)])
    }

    @Test func unreadableEventIsSkippedByTheNextRead() async {
        #expect(
            await steps(3, of: values(event("tick", "{}") + event("over"), by: Ruled.rules)) == [
                "ContentError", "over", "nil",
            ])
    }

    // MARK: - Ends

    @Test func listedTypeThatEndsTheStreamIsItsLastValue() async throws {
        var rules = Ruled.rules
        rules.end = .type("done", "over")
        #expect(try await values(event("over") + event("tick"), by: rules).collected() == [.over])
        #expect(try await values(event("tick") + event("done"), by: rules).collected() == [.tick(Tick(count: 1))])
    }

    @Test func endThatMayBeMissing() async throws {
        var rules = Ruled.rules
        (rules.end, rules.requiresEnd) = (.type("over"), false)
        #expect(try await values(event("tick"), by: rules).collected() == [.tick(Tick(count: 1))])
    }

    @Test(
        arguments: [
            (EventRules<Ruled>.Match.data("[DONE]"), "the event \"[DONE]\""),
            (.type("a", "b"), "an event of the type a or b"),
            (.member("done"), "an event with the member \"done\""),
        ] as [(EventRules<Ruled>.Match, String)])
    private func truncationNamesRequestAndMissingEnd(end: EventRules<Ruled>.Match, text: String) async throws {
        try await Ruled.$rules.withValue(EventRules(["tick": .decoded(Ruled.tick)], end: end)) {
            let stub = try StubClient().answering(
                Ticks.self, with: .events([.init(json: Tick(count: 1), type: "tick")]))
            let error = try await #require(throws: DirectoryFailure.self) {
                _ = try await stub.send(Ticks()).collected()
            }
            #expect(error.description.hasPrefix("GET https://api.example.com/things"))
            #expect(error.transportError?.message == "the stream ended before \(text)")
        }
    }

    // MARK: - Failures

    @Test func failureIsThatOfTheEndpoint() async throws {
        try await Ruled.$rules.withValue(EventRules(["tick": .decoded(Ruled.tick)], failure: .type("error"))) {
            let stub = try StubClient().answering(
                Ticks.self,
                with: .events([
                    .init(json: Tick(count: 1), type: "tick"), .init(json: ["message": "full"], type: "error"),
                    .init(json: Tick(count: 2), type: "tick"),
                ]))
            var read: [Ruled] = []
            do {
                for try await value in try await stub.send(Ticks(method: .post)) { read.append(value) }
                Issue.record("the failure was not thrown")
            } catch DirectoryFailure.rejected(let error?, let response) {
                #expect(error == DirectoryError(message: "full"))
                #expect(response.head.status == 200)
                #expect(response.body.data == Data(#"{"message":"full"}"#.utf8))
                #expect(response.description == #"POST https://api.example.com/things: 200: {"message":"full"}"#)
            }
            #expect(read == [.tick(Tick(count: 1))])
        }
    }

    // Some APIs report a failure with a 200, in JSON in place of events.
    @Test(arguments: ["application/json; charset=utf-8", "application/problem+json"])
    func jsonInPlaceOfEventsIsAFailure(type: String) async throws {
        let stub = StubClient(.status(200, headers: [.contentType: type], body: Data(#"{"message": "full"}"#.utf8)))
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await stub.send(Ticks()) }
        guard case .rejected(let failure, let response) = error else { throw error }
        #expect(failure == DirectoryError(message: "full"))
        #expect(response.body.text == #"{"message": "full"}"#)
        let events = try await #require(throws: DirectoryFailure.self) {
            _ = try await stub.send(Endpoint<ServerSentEvents, DirectoryError>())
        }
        #expect(events.status == 200)
    }

    @Test func failureThatCannotBeReadIsNil() async throws {
        await Ruled.$rules.withValue(EventRules([:], failure: .type("error"))) {
            let stub = StubClient().answering(Ticks.self, with: .events([.init(type: "error", data: "sorry")]))
            await #expect {
                _ = try await stub.send(Ticks()).collected()
            } throws: {
                if case DirectoryFailure.rejected(nil, let response) = $0 {
                    response.body.data == Data("sorry".utf8)
                } else {
                    false
                }
            }
        }
    }

    @Test(
        arguments: [
            (#"{"error": {"a": 1}}"#, true), (#"{"error": null}"#, false), (#"{"a": {"error": 1}}"#, false),
            (#"["error"]"#, false), ("error", false), (#"{"err\u006Fr": 1, "error": 2}"#, true),
        ] as [(String, Bool)])
    func memberIsFoundInTheObjectItself(data: String, isFound: Bool) {
        #expect(EventRules<Ruled>.Match.member("error").matches(.init(data: data)) == isFound)
    }

    @Test func failuresOfReconnectingEventsAreThoseOfTheEndpoint() async {
        let stub = StubClient().answering(
            Endpoint<ServerSentEvents, DirectoryError>.self,
            with: .events([.init(type: "error", data: #"{"message": "full"}"#)]))
        let events = stub.events(for: Endpoint<ServerSentEvents, DirectoryError>())
        await #expect(throws: DirectoryFailure.self) {
            _ = try await JSONEvents<Tick>(events, rules: EventRules(failure: .type("error"))).collected()
        }
    }

    @Test func failureWithoutAnEndpointIsAContentError() async throws {
        let events = ServerSentEvents(bytes: ByteStream(["event: error\ndata: full\n\n"].map { Data($0.utf8) }))
        let error = try await #require(throws: ContentError.self) {
            _ = try await JSONEvents<Tick>(events, rules: EventRules(failure: .type("error"))).collected()
        }
        #expect(error.code == .failureEvent)
        #expect(error.description == "element 1 of the stream is a failure: full")
    }

    // MARK: - Time

    @Test(arguments: [": ping\n\n", "\n", "event: ping\ndata: {}\n\n"])
    func streamWithoutValuesIsNotAlive(ping: String) async throws {
        let clock = ManualClock(skippingSleep: true)
        let pieces = [event("tick")] + Array(repeating: ping, count: 9)
        let rules = EventRules<Ruled>(["tick": .decoded(Ruled.tick)], longestGap: .seconds(60))
        try await Ruled.$rules.withValue(rules) {
            let stub = StubClient(clock: clock).answering(
                Ticks.self, with: .stream(pieces.map { Data($0.utf8) }, every: .seconds(25)))
            let values = try await stub.send(Ticks())
            #expect(await steps(2, of: values).last == "APIError<DirectoryError>")
            #expect(clock.elapsed == .seconds(75))
        }
    }

    @Test func deadlineEndsStream() async throws {
        let clock = ManualClock()
        let stub = try StubClient(clock: clock).answering(
            Ticks.self,
            with: .events([.init(json: Tick(count: 1), type: "tick"), .init(data: "")], every: .seconds(50)))
        var values = try await stub.send(Ticks(options: RequestOptions(deadline: .seconds(30)))).makeAsyncIterator()
        #expect(try await values.next() == .tick(Tick(count: 1)))
        async let moved: Void = {
            await clock.waitForSleepers(2); clock.advance(by: .seconds(30))
        }()
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await values.next() }
        await moved
        #expect(error.transportCode == .timedOut)
        #expect(error.transportError?.message == "the call did not end within its deadline of 30.0 seconds")
    }

    @Test func streamThatHasEndedNeedsNoDeadline() async throws {
        let clock = ManualClock()
        let stub = try StubClient(clock: clock).answering(
            Ticks.self, with: .events([.init(json: Tick(count: 1), type: "tick")]))
        let values = try await stub.send(Ticks(options: RequestOptions(deadline: .seconds(30))))
        clock.advance(by: .seconds(29))
        #expect(try await values.collected().count == 1)
    }

    // MARK: - Values in memory

    @Test func stubAnswersWithValues() async throws {
        let stub = StubClient().answering(
            Ticks.self, with: .model(JSONEvents([.over, .other("x")], failingWith: TransportError(.connectionLost))))
        let values = try await stub.send(Ticks())
        #expect(await steps(4, of: values) == ["over", #"other("x")"#, "TransportError", "nil"])
    }
}
