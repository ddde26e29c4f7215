import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct APIClientProgressTests {
    private struct Trouble: Error {}

    /// Reports progress `steps` times, then responds or throws.
    private static func reporting(_ steps: Int, error: (any Error)? = nil) -> ImmediateClient {
        ImmediateClient { request in
            for step in 0..<steps { request.progress?(TransferProgress(bytesReceived: step)) }
            if let error { throw error }
            return .json("[]")
        }
    }

    @Test func sendDeliversEveryReport() async throws {
        let reports = Recorder<Int>()
        _ = try await Self.reporting(20).send(AccountsRequest()) { reports.append($0.bytesReceived) }
        #expect(reports.values == Array(0..<20))
        _ = try await Self.reporting(3).reply(to: AccountsRequest()) { reports.append($0.bytesReceived) }
        #expect(reports.values == Array(0..<20) + [0, 1, 2])
    }

    @Test func sendReportsOnMainActorBeforeItReturns() async throws {
        let reports = Recorder<String>()
        let report: @MainActor @Sendable (TransferProgress) -> Void = {
            reports.append("\($0.bytesReceived) \(MainQueue.isCurrent)")
        }
        #expect(try await Self.reporting(50).send(AccountsRequest(), progressOnMainActor: report) == [])
        // Reports may be skipped, but not the last one.
        #expect(reports.values.last == "49 true")
        #expect(reports.values.allSatisfy { $0.hasSuffix("true") })
        let failing = Self.reporting(3, error: Trouble())
        await #expect(throws: DirectoryFailure.self) {
            try await failing.send(AccountsRequest(), progressOnMainActor: report)
        }
        #expect(reports.values.last == "2 true")
    }

    @Test @MainActor func reportsOfAStreamContinueOnMainActor() async throws {
        let (counts, count) = AsyncStream.makeStream(of: Int.self)
        let client = StubClient().answering(BytesRequest.self, with: .stream("a", "bc"))
        let bytes = try await client.send(BytesRequest(), progressOnMainActor: { count.yield($0.bytesReceived) })
        for try await _ in bytes {}
        for await count in counts where count == 3 { break }
    }

    private struct BytesRequest: DirectoryRequest {
        typealias Response = ByteStream
        var path: URLPath { "bytes" }
    }

    @Test func setsProgressOnlyIfRequestedAndOnEachHop() async throws {
        let isRequested = Recorder<Bool>()
        let client = ImmediateClient { request in
            isRequested.append(request.progress != nil)
            request.progress?(TransferProgress())
            return request.url.path == "/next" ? .json("[]") : .status(302, headers: [.location: "/next"])
        }
        let reports = Recorder<TransferProgress>()
        _ = try await client.send(AccountsRequest())
        await client.start(AccountsRequest()).value
        _ = try await client.send(AccountsRequest(), progress: { reports.append($0) })
        #expect(isRequested.values == [false, false, false, false, true, true])
        #expect(reports.values.count == 2)
    }

    @Test(arguments: [nil, Trouble() as (any Error)?])
    func startReportsOnMainActorBeforeCompletion(error: (any Error)?) async {
        let calls = Recorder<String>()
        let task = Self.reporting(50, error: error).start(AccountsRequest()) { _ in
            calls.append("completed \(MainQueue.isCurrent)")
        } progress: {
            calls.append("\($0.bytesReceived) \(MainQueue.isCurrent)")
        }
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
            let task = HangingReporter().start(AccountsRequest()) { _ in
                late += 1
            } progress: { _ in
                if last.number == round { late += 1 } else { inTime += 1 }
            }
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
        task = HangingReporter().start(AccountsRequest()) { _ in
            calls.append("completed")
        } progress: { _ in
            calls.append("reported")
            task?.cancel()
        }
        await task?.value
        #expect(calls == ["reported"])
    }

    /// Reports progress until its task is cancelled, and once more after that. It yields since others may need its thread.
    private struct HangingReporter: APIClient {
        func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
            while !Task.isCancelled {
                request.progress?(TransferProgress())
                await Task.yield()
            }
            request.progress?(TransferProgress())
            return .json("[]")
        }
    }
}
