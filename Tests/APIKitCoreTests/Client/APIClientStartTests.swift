import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct APIClientStartTests {
    @Test func completesOnceOnMainActor() async {
        let calls = Recorder<Bool>()
        let task = ImmediateClient(.json("[]")).start(AccountsRequest()) { _ in calls.append(MainQueue.isCurrent) }
        await task.value
        await task.value
        // Late cancels do nothing.
        task.cancel()
        task.cancel()
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
        let clients = [
            ImmediateClient(.json(#"[{"id":1,"login":"ada"}]"#)),
            ImmediateClient(.json(#"{"message":"no"}"#, status: 403)),
            ImmediateClient { _ in throw CancellationError() },
        ]
        for client in clients { await client.start(AccountsRequest()) { results.append($0) }.value }
        #expect(try results.values[0].get() == [Account(id: 1, login: "ada")])
        let errors = results.values.dropFirst().map { result in
            #expect(throws: DirectoryFailure.self) { try result.get() }
        }
        #expect(errors.first??.rejection?.failure?.message == "no")
        #expect(errors.first??.status == 403)
        #expect(errors.last??.transportCode == .other)
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

    // Cancels before, during and after the exchange: the yields vary which of them comes first.
    @Test @MainActor func doesNotCompleteAfterCancelOnMainActor() async {
        let client = ImmediateClient(.json("[]"))
        let last = CancelledRound()
        var (completions, late) = (0, 0)
        for round in 0..<1_200 {
            let task = client.start(AccountsRequest()) { _ in
                completions += 1
                if last.number == round { late += 1 }
            }
            for _ in 0..<(round % 60) { await Task.yield() }
            task.cancel()
            last.number = round
            await task.value
        }
        #expect(late == 0)
        // The race went both ways.
        #expect(completions > 0)
        #expect(completions < 1_200)
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
}

/// The last round that a test has cancelled.
@MainActor final class CancelledRound {
    var number = -1
}
