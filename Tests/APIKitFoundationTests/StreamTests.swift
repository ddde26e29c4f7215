import APIKit
import APIKitTestServer
import APIKitTesting
import TestTraits
import Testing

@Suite(.exclusive, .timeLimit(.minutes(10))) struct StreamTests {
    @Test func anEventIsInTheLoopWithinFiveMilliseconds() async throws {
        let gates = (0..<2_000).map { _ in Gate() }
        let server = try LoopbackServer { _ in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
            var answer = ServerAnswer(steps: [.send(head)])
            for gate in gates { answer.steps += [.waitFor(gate), .send(Data("data: x\n\n".utf8))] }
            answer.steps.append(.close)
            return answer
        }
        let events = Probe<ServerSentEvents>(base: APIBase(server.url), options: RequestOptions(timeout: .seconds(50)))
        var (count, best, sent) = (0, Duration.seconds(1), ContinuousClock.now)
        gates[0].open()
        for try await event in try await URLSession.api.send(events) {
            best = min(best, sent.duration(to: .now))
            #expect(event.data == "x")
            count += 1
            // The best of at least 51, and of more on a busy machine, since other tests run at the same time.
            if count > 50 && best < .milliseconds(5) || count == gates.count { break }
            sent = .now
            gates[count].open()
        }
        #expect(best < .milliseconds(5), "after \(count) events")
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
