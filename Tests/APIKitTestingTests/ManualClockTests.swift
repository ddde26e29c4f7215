import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualClockTests {
    private let clock = ManualClock()

    /// Starts a task that sleeps and then records its name, and waits until it sleeps.
    private func sleeper(
        _ name: String, for duration: Duration, after others: Int, in log: Recorder<String>
    ) async -> Task<Void, any Error> {
        let task = Task {
            try await clock.sleep(for: duration)
            log.append(name)
        }
        await clock.waitForSleepers(others + 1)
        return task
    }

    @Test func wakesThoseWhoseTimeHasCome() async throws {
        let log = Recorder<String>()
        let last = await sleeper("last", for: .seconds(3600), after: 0, in: log)
        let late = await sleeper("late", for: .seconds(20), after: 1, in: log)
        let early = await sleeper("early", for: .seconds(10), after: 2, in: log)
        clock.advance(by: .seconds(9))
        await Task.yield()
        #expect(clock.elapsed == .seconds(9))
        #expect(log.values.isEmpty)
        clock.advance(by: .seconds(1))
        try await early.value
        #expect(log.values == ["early"])
        #expect(clock.advanceToNextSleeper() == .seconds(10))
        try await late.value
        #expect(clock.elapsed == .seconds(20))
        clock.advance(by: .seconds(3600))
        try await last.value
        #expect(log.values == ["early", "late", "last"])
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func advancesInOrderPastCancelledSleepers() async {
        let ends = (0..<100).map { $0 * 37 % 101 + 1 }
        let tasks = ends.map { end in Task { try await clock.sleep(for: .seconds(end)) } }
        await clock.waitForSleepers(ends.count)
        for (index, task) in tasks.enumerated() where !index.isMultiple(of: 3) { task.cancel() }
        let remaining = ends.indices.filter { $0.isMultiple(of: 3) }.map { ends[$0] }
        for end in remaining.sorted() {
            clock.advanceToNextSleeper()
            #expect(clock.elapsed == .seconds(end))
        }
        #expect(clock.advanceToNextSleeper() == nil)
    }

    @Test func cancelEndsSleepsAndWaits() async {
        let log = Recorder<String>()
        let task = await sleeper("never", for: .seconds(1), after: 0, in: log)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.advanceToNextSleeper() == nil)
        #expect(log.values.isEmpty)
        let wait = Task { await clock.waitForSleepers(1) }
        wait.cancel()
        await wait.value
    }

    @Test(arguments: [true, false])
    func cancelledTaskDoesNotSleep(skips: Bool) async {
        let clock = ManualClock(skippingSleep: skips)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.elapsed == .zero)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
    func pastNeedsNoSleep(duration: Duration) async throws {
        try await clock.sleep(for: duration)
        clock.advance(by: duration)
        #expect(clock.elapsed == .zero)
    }

    @Test(arguments: [Duration.seconds(3600), .seconds(Int64.max)])
    func skipsSleepsOfAnyLength(duration: Duration) async throws {
        let clock = ManualClock(skippingSleep: true)
        let minute = clock.now.advanced(by: .seconds(60))
        try await clock.sleep(for: duration)
        try await clock.sleep(for: .seconds(-5))
        try await clock.sleep(until: minute)
        #expect(clock.elapsed == duration)
    }

    // MARK: - Deadlines

    private func endpoint(_ deadline: RequestOptions.TimeLimit) -> Endpoint<NoContent, Data> {
        Endpoint(options: RequestOptions(deadline: deadline))
    }

    @Test func timesDeadlines() async throws {
        async let error = HangingClient().timed(by: clock).failure(of: endpoint(.seconds(3600)))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(3599))
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        let failure = try await error
        #expect(failure.transportCode == .timedOut)
    }

    @Test func deadlineDoesNotSkipTime() async throws {
        let clock = ManualClock(skippingSleep: true)
        let client = HangingClient()
        async let error = client.timed(by: clock).failure(of: endpoint(.seconds(10)))
        _ = await client.arrival()
        await clock.waitForSleepers(1)
        #expect(clock.elapsed == .zero)
        try await clock.sleep(for: .seconds(11))
        let failure = try await error
        #expect(failure.transportCode == .timedOut)
    }

    @Test func showsTimeLeftToClients() async throws {
        let left = Recorder<Duration?>()
        let client = ImmediateClient { request in
            guard request.url.path != "/next" else { return .status(204) }
            clock.advance(by: .seconds(4))
            return .status(307, headers: [.location: "/next"])
        }
        .intercepting { _, call in left.append(call.timeLeft) }
        try await client.timed(by: clock).send(endpoint(.seconds(10)))
        try await client.timed(by: clock).send(Endpoint<NoContent, Data>())
        #expect(left.values == [.seconds(10), .seconds(6), nil, nil])
    }
}
