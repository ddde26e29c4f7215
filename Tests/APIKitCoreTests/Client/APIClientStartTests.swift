import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct APIClientStartTests {
    @Test func completesOnceOnMainActor() async {
        let calls = Recorder<Bool>()
        let task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in calls.append(MainQueue.isCurrent) }
        await task.value
        await task.value
        #expect(calls.values == [true])
    }

    @Test @MainActor func completesAfterStartReturns() async {
        var events: [String] = []
        let task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in events.append("completed") }
        events.append("returned")
        await task.value
        #expect(events == ["returned", "completed"])
    }

    @Test func deliversTypedResult() async throws {
        let results = Recorder<Result<[Account], DirectoryFailure>>()
        await ImmediateClient(.json(#"[{"id":1,"login":"ada"}]"#)).start(AccountsRequest()) { results.append($0) }.value
        await ImmediateClient(.json(#"{"message":"no"}"#, status: 403)).start(AccountsRequest()) { results.append($0) }
            .value
        await ImmediateClient { _ in throw CancellationError() }.start(AccountsRequest()) { results.append($0) }.value
        #expect(try results.values[0].get() == [Account(id: 1, login: "ada")])
        guard case .failure(.rejected(let error?, let response)) = results.values[1] else {
            Issue.record("\(results.values[1])")
            return
        }
        #expect(error.message == "no")
        #expect(response.head.status == 403)
        guard case .failure(let cancellation) = results.values[2] else {
            Issue.record("\(results.values[2])")
            return
        }
        #expect(cancellation.transportCode == .other)
    }

    @Test func sendsWithoutCompletion() async {
        let client = ScriptedClient(.status(500))
        client.start(AccountsRequest())
        await client.start(AccountsRequest(since: 2)).value
        #expect(client.requests.contains { $0.url.query == "since=2" })
    }

    @Test func releasingTaskDoesNotCancel() async {
        let completed = Hold()
        _ = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in completed.release() }
        await completed.wait()
    }

    @Test func cancelReachesClientAndSkipsCompletion() async {
        let calls = Recorder<Bool>()
        let ended = Recorder<Bool>()
        let client = HangingClient {
            ended.append(Task.isCancelled)
            return .json("[]")
        }
        let task = client.start(AccountsRequest()) { _ in calls.append(true) }
        _ = await client.arrival()
        task.cancel()
        await task.value
        #expect(ended.values == [true])
        #expect(calls.values.isEmpty)
    }

    // Cancels before, during and after the exchange.
    @Test @MainActor func doesNotCompleteAfterCancelOnMainActor() async {
        let client = ImmediateClient(.json("[]"))
        let race = Race()
        for round in 0..<1_200 {
            let task = client.start(AccountsRequest()) { _ in
                race.completions += 1
                if race.cancelledRound == round { race.lateCompletions += 1 }
            }
            for _ in 0..<(round % 60) { await Task.yield() }
            task.cancel()
            race.cancelledRound = round
            await task.value
        }
        #expect(race.lateCompletions == 0)
        // The race went both ways.
        #expect(race.completions > 0)
        #expect(race.completions < 1_200)
    }

    @MainActor private final class Race {
        var completions = 0
        var lateCompletions = 0
        var cancelledRound = -1
    }

    @Test @MainActor func cancelInSameJobPreventsCompletion() async {
        var completions = 0
        for _ in 0..<500 {
            let task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in completions += 1 }
            task.cancel()
            await task.value
        }
        #expect(completions == 0)
    }

    @Test @MainActor func completionCanCancelItsOwnTask() async {
        var task: Task<Void, Never>?
        var completions = 0
        task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in
            task?.cancel()
            completions += 1
        }
        await task?.value
        #expect(completions == 1)
    }

    @Test func repeatedAndLateCancelsDoNothing() async {
        let calls = Recorder<Bool>()
        let task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in calls.append(true) }
        await task.value
        task.cancel()
        task.cancel()
        await task.value
        #expect(calls.values == [true])
    }

    @Test func tasksAreDistinct() {
        let client = ImmediateClient(.json("[]"))
        let first = client.start(AccountsRequest())
        let second = client.start(AccountsRequest())
        #expect(first == first)
        #expect(Set([first, second, first]).count == 2)
    }
}
