import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct StubClientTimeTests {
    private let clock = ManualClock()
    private let stream = StubClient.Answer<ByteStream>.stream("a", "b", "c", every: .seconds(10))

    private func stub<Response: APIResponse>(
        _ answer: StubClient.Answer<Response.Model>, to type: Endpoint<Response, Data>.Type
    ) -> StubClient { StubClient(clock: clock).answering(type, with: answer) }

    private func endpoint<Response: APIResponse>(
        timeout: RequestOptions.TimeLimit = .seconds(60), _: Response.Type = Response.self
    ) -> Endpoint<Response, Data> { Endpoint(options: RequestOptions(timeout: timeout)) }

    // MARK: - Delays

    @Test(arguments: [
        StubClient.Answer<Data>.status(200, body: Data("a".utf8)), .model(Data("a".utf8)), .stream("a"),
    ])
    func waitsForDelay(answer: StubClient.Answer<Data>) async throws {
        let stub = stub(answer.delayed(by: .seconds(1)).delayed(by: .seconds(2)), to: Endpoint<Data, Data>.self)
        async let data = stub.send(endpoint(Data.self))
        await clock.waitForSleepers(1)
        #expect(stub.requests.count == 1)
        #expect(clock.advanceToNextSleeper() == .seconds(3))
        #expect(try await data == Data("a".utf8))
    }

    @Test func failsAfterDelay() async throws {
        let stub = stub(
            .failure(TransportError(.connectionLost)).delayed(by: .seconds(5)), to: Endpoint<Data, Data>.self)
        async let error = stub.failure(of: endpoint(Data.self))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(5))
        #expect(try await error.transportCode == .connectionLost)
    }

    @Test(arguments: [Duration.zero, .seconds(-5), .seconds(Int64.min)])
    func noDelayNeedsNoClock(delay: Duration) async throws {
        let stub = stub(.status(200).delayed(by: delay), to: Endpoint<Data, Data>.self)
        #expect(try await stub.send(endpoint(timeout: .seconds(0), Data.self)).isEmpty)
        #expect(clock.elapsed == .zero)
    }

    // Longer than clocks can measure: their sleeps would trap.
    @Test func longestDelaysDoNotTrap() async throws {
        var answer = StubClient.Answer<Data>.status(200)
        for _ in 0..<100 { answer = answer.delayed(by: .seconds(Int64.max)) }
        for answer in [answer, .stream("a", "b", every: .seconds(Int64.max))] {
            let stub = StubClient().answering(Endpoint<Data, Data>.self, with: answer)
            let endpoint = endpoint(timeout: .seconds(Int64.max), Data.self)
            let task = Task { try await stub.perform(try endpoint.httpRequest(), in: Call(endpoint: endpoint)) }
            while stub.requests.isEmpty { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    // MARK: - Timeouts

    @Test(arguments: [Duration.seconds(5), .seconds(3600), .seconds(Int64.max)])
    func timesOutBeforeLongerDelay(delay: Duration) async throws {
        let stub = stub(.status(200).delayed(by: delay), to: Endpoint<Data, Data>.self)
        async let error = stub.failure(of: endpoint(timeout: .seconds(5), Data.self))
        await clock.waitForSleepers(1)
        #expect(clock.advanceToNextSleeper() == .seconds(5))
        let failure = try await error
        #expect(failure.transportCode == .timedOut)
        #expect(failure.description == "GET https://api.example.com/things: timedOut: no data received for 5.0 seconds")
    }

    @Test func delayOfTypedClosureAndTimeoutsAreRetried() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock)
            .answering(Endpoint<Data, Data>.self, once: .status(200).delayed(by: .seconds(60)), .status(200))
        let client = stub.retrying(.backoff(attempts: 2, jitter: \.self))
        _ = try await client.send(endpoint(timeout: .seconds(10), Data.self))
        #expect(clock.elapsed == .milliseconds(10_500))
        #expect(stub.unusedAnswers.isEmpty)
    }

    @Test func streamTimesOutBetweenPieces() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock).answering(Endpoint<ByteStream, Data>.self, with: stream)
        let bytes = try await stub.send(endpoint(timeout: .seconds(4), ByteStream.self))
        let read = Recorder<Data>()
        let error = await #expect(throws: APIError<Data>.self) { for try await piece in bytes { read.append(piece) } }
        #expect(error?.transportCode == .timedOut)
        #expect(read.values == [Data("a".utf8)])
        #expect(clock.elapsed == .seconds(4))
    }

    // MARK: - Streams

    @Test func piecesAndFailureComeOneByOne() async throws {
        let clock = ManualClock(skippingSleep: true)
        let answer = StubClient.Answer<ByteStream>.stream(
            "a", "b", every: .seconds(10), failingWith: TransportError(.connectionLost))
        let stub = StubClient(clock: clock).answering(Endpoint<ByteStream, Data>.self, with: answer)
        let bytes = try await stub.send(endpoint(ByteStream.self))
        let seen = Recorder<String>()
        let error = await #expect(throws: APIError<Data>.self) {
            for try await piece in bytes {
                seen.append("\(String(decoding: piece, as: UTF8.self)) at \(clock.elapsed)")
            }
        }
        #expect(error?.transportCode == .connectionLost)
        #expect(seen.values == ["a at 0.0 seconds", "b at 10.0 seconds"])
        #expect(clock.elapsed == .seconds(20))
    }

    @Test func dataTakesAllIntervals() async throws {
        let clock = ManualClock(skippingSleep: true)
        let answer = StubClient.Answer<Data>.stream([Data("a".utf8), Data("b".utf8)], every: .seconds(10))
        let stub = StubClient(.status(404), clock: clock)
            .answering(Endpoint<Data, Data>.self, with: answer.delayed(by: .seconds(5)))
        #expect(try await stub.send(endpoint(Data.self)) == Data("ab".utf8))
        #expect(clock.elapsed == .seconds(15))
    }

    @Test func cancelEndsStream() async throws {
        let stub = stub(stream, to: Endpoint<ByteStream, Data>.self)
        let read = Recorder<Data>()
        let task = Task {
            for try await piece in try await stub.send(endpoint(ByteStream.self)) { read.append(piece) }
        }
        await clock.waitForSleepers(1)
        task.cancel()
        let error = await #expect(throws: APIError<Data>.self) { try await task.value }
        #expect(error?.isCancellation == true)
        #expect(read.values == [Data("a".utf8)])
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func cancelsOfManyLeaveNothing() async throws {
        let answer = StubClient.Answer<Data>.stream("a", "b", every: .seconds(10)).delayed(by: .seconds(1))
        let stub = StubClient(clock: clock).answering(Endpoint<Data, Data>.self, with: answer)
        let tasks = (0..<200).map { _ in Task { try await stub.send(endpoint(Data.self)) } }
        await clock.waitForSleepers(200)
        for task in tasks[..<100] { task.cancel() }
        clock.advance(by: .seconds(1))
        await clock.waitForSleepers(100)
        for task in tasks { task.cancel() }
        for task in tasks {
            let error = await #expect(throws: APIError<Data>.self) { try await task.value }
            #expect(error?.isCancellation == true)
        }
        #expect(clock.advanceToNextSleeper() == nil)
    }
}
