import APIKit
import APIKitTestServer
import APIKitTesting
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct StreamTests {
    @Test func anEventIsInTheLoopAsSoonAsAResponse() async throws {
        let gates = (0..<51).map { _ in Gate() }
        let server = try LoopbackServer { request in
            if request.path == "/ok" { return .text("ok") }
            let head = Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
            var answer = ServerAnswer(steps: [.send(head)])
            for gate in gates { answer.steps += [.waitFor(gate), .send(Data("data: x\n\n".utf8))] }
            answer.steps.append(.close)
            return answer
        }
        let events = Probe<ServerSentEvents>(base: APIBase(server.url), options: RequestOptions(timeout: .seconds(50)))
        let response = Probe<String>(base: APIBase(server.url), path: "ok")
        var roundTrips: [Duration] = []
        for _ in gates {
            roundTrips.append(try await ContinuousClock().measure { _ = try await URLSession.api.send(response) })
        }
        var delays: [Duration] = []
        var sent = ContinuousClock.now
        gates[0].open()
        for try await event in try await URLSession.api.send(events) {
            delays.append(sent.duration(to: .now))
            #expect(event.data == "x")
            if delays.count == gates.count { break }
            sent = .now
            gates[delays.count].open()
        }
        // The best of each, since the machine may be busy.
        let (delay, roundTrip) = (try #require(delays.min()), try #require(roundTrips.min()))
        #expect(delay < roundTrip * 20, "\(delay), a response takes \(roundTrip)")
    }

    @Test func aDeadlineEndsTheWaitForTheHeadAndTheStream() async throws {
        let server = try LoopbackServer { request in
            request.path == "/probe"
                ? .init(steps: [.send(Data("HTTP/1.1 200 OK\r\n\r\na\n".utf8)), .waitForClient])
                : .init(steps: [.waitForClient])
        }
        let clock = ManualClock()
        var request = Probe<TextLines>(base: APIBase(server.url), options: RequestOptions(deadline: .seconds(30)))
        let client = URLSession.api.timed(by: clock)
        let lines = try await client.send(request)
        request.path = "slow"
        let slow = Task { [request] in try await client.send(request) }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(30))
        await #expect(throws: APIError<ServerError>.self) { _ = try await slow.value }
        let error = try await #require(throws: APIError<ServerError>.self) { for try await _ in lines {} }
        #expect(error.transportCode == .timedOut)
    }
}
