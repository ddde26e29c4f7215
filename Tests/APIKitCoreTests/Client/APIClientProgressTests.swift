import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct APIClientProgressTests {
    private struct Trouble: Error {}

    /// Reports progress `steps` times, then responds or throws.
    private static func reporting(_ steps: Int, error: (any Error)? = nil) -> ReportingClient {
        ReportingClient(steps: steps, error: error)
    }

    private struct ReportingClient: APIClient {
        let steps: Int
        let error: (any Error)?
        var clock: any Clock<Duration> { ContinuousClock() }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            for step in 0..<steps { call.reporter?.report(TransferProgress(bytesReceived: step)) }
            if let reporter = call.reporter { await withCheckedContinuation { reporter.afterReports($0.resume) } }
            if let error { throw error }
            return .json("[]")
        }
    }

    @Test func sendDeliversTheLastReport() async throws {
        let reports = Recorder<Int>()
        _ = try await Self.reporting(20)
            .send(AccountsRequest(), progress: .anywhere { reports.append($0.bytesReceived) })
        #expect(reports.values.last == 19)
        #expect(reports.values == reports.values.sorted())
        _ = try await Self.reporting(3)
            .reply(to: AccountsRequest(), progress: .anywhere { reports.append($0.bytesReceived) })
        #expect(reports.values.last == 2)
    }

    @Test func sendReportsOnMainActorBeforeItReturns() async throws {
        let reports = Recorder<String>()
        let report: @MainActor @Sendable (TransferProgress) -> Void = {
            reports.append("\($0.bytesReceived) \(MainQueue.isCurrent)")
        }
        #expect(try await Self.reporting(50).send(AccountsRequest(), progress: .onMainActor(report)) == [])
        // Reports may be skipped, but not the last one.
        #expect(reports.values.last == "49 true")
        #expect(reports.values.allSatisfy { $0.hasSuffix("true") })
        let failing = Self.reporting(3, error: Trouble())
        await #expect(throws: DirectoryFailure.self) {
            try await failing.send(AccountsRequest(), progress: .onMainActor(report))
        }
        #expect(reports.values.last == "2 true")
    }

    @Test @MainActor func reportsOfAStreamContinueOnMainActor() async throws {
        let (counts, count) = AsyncStream.makeStream(of: Int.self)
        let client = StubClient().answering(BytesRequest.self, with: .stream("a", "bc"))
        let bytes = try await client.send(BytesRequest(), progress: .onMainActor { count.yield($0.bytesReceived) })
        for try await _ in bytes {}
        for await count in counts where count == 3 { break }
    }

    @Test(arguments: [true, false]) @MainActor func reportsOfAStreamEndWithTheCompletion(isOnMain: Bool) async throws {
        let events = Recorder<String>()
        let client = StubClient().answering(BytesRequest.self, with: .stream("a", "bc"))
        let report: @Sendable (TransferProgress) -> Void = { events.append("\($0.bytesReceived)") }
        var stream: ByteStream?
        await client.start(BytesRequest(), progress: isOnMain ? .onMainActor(report) : .anywhere(report)) {
            events.append("completed")
            stream = try? $0.get()
        }.value
        for try await _ in try #require(stream) {}
        #expect(events.values.last == "completed")
    }

    private struct BytesRequest: DirectoryRequest {
        typealias Response = ByteStream
        var path: URLPath { "bytes" }
    }

    @Test func reportsOnlyIfRequestedAndOnEachHop() async throws {
        let isRequested = Recorder<Bool>()
        let client = ScriptedClient(
            .status(302, headers: [.location: "/next"]), .json("[]"), .json("[]"),
            .status(302, headers: [.location: "/next"]),
            .json("[]")
        ).intercepting { _, call in isRequested.append(call.reportsProgress) }
        _ = try await client.send(AccountsRequest())
        await client.start(AccountsRequest()).value
        _ = try await client.send(AccountsRequest(), progress: .anywhere { _ in })
        #expect(isRequested.values == [false, false, false, true, true])
    }

    @Test(arguments: [nil, Trouble() as (any Error)?])
    func startReportsOnMainActorBeforeCompletion(error: (any Error)?) async {
        let calls = Recorder<String>()
        let task = Self.reporting(50, error: error).start(
            AccountsRequest(),
            progress: .onMainActor { calls.append("\($0.bytesReceived) \(MainQueue.isCurrent)") }
        ) { _ in calls.append("completed \(MainQueue.isCurrent)") }
        await task.value
        #expect(calls.values.suffix(2) == ["49 true", "completed true"])
        #expect(calls.values.allSatisfy { $0.hasSuffix("true") })
        let steps = calls.values.dropLast().compactMap { Int($0.prefix { $0 != " " }) }
        #expect(steps == steps.sorted())
        #expect(Set(steps).count == steps.count)
    }

    // The client reports until it is cancelled, and once more after that: the yields vary which of them comes first.
    @Test @MainActor func reportsNothingAfterCancelOnMainActor() async {
        let last = CancelledRound()
        var (inTime, late) = (0, 0)
        for round in 0..<200 {
            let task = HangingReporter().start(
                AccountsRequest(),
                progress: .onMainActor { _ in if last.number == round { late += 1 } else { inTime += 1 } }
            ) { _ in late += 1 }
            for _ in 0..<(round % 20) { await Task.yield() }
            task.cancel()
            last.number = round
            await task.value
        }
        #expect(late == 0)
        // The race went both ways.
        #expect(inTime > 0)
    }

    @Test @MainActor func canBeCancelledFromReport() async {
        var calls: [String] = []
        var task: Task<Void, Never>?
        task = HangingReporter().start(
            AccountsRequest(),
            progress: .onMainActor { _ in
                calls.append("reported")
                task?.cancel()
            }
        ) { _ in calls.append("completed") }
        await task?.value
        #expect(calls == ["reported"])
    }

    /// Reports progress until its task is cancelled, and once more after that. It yields since others may need its
    /// thread.
    private struct HangingReporter: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            while !Task.isCancelled {
                call.reporter?.report(TransferProgress())
                await Task.yield()
            }
            call.reporter?.report(TransferProgress())
            return .json("[]")
        }
    }
}
