import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct SharedWorkTests {
    private let work = SharedWork<String, Int>()

    @Test func startsWorkForWhichNoOtherRuns() async throws {
        #expect(try await work.valueUnlessRunning(for: "a") { 1 } == 1)
        #expect(try await work.valueUnlessRunning(for: "a") { 2 } == 2)
    }

    @Test func doesNotWaitForWorkOfOthers() async throws {
        let (began, mayEnd) = (Hold(), Hold())
        let first = Task {
            try await work.value(for: "a") {
                began.release()
                await mayEnd.wait()
                return 1
            }
        }
        await began.wait()
        #expect(try await work.valueUnlessRunning(for: "a") { 2 } == nil)
        #expect(try await work.valueUnlessRunning(for: "b") { 3 } == 3)
        mayEnd.release()
        #expect(try await first.value == 1)
        #expect(try await work.valueUnlessRunning(for: "a") { 4 } == 4)
    }

    @Test func othersJoinWorkThatMayNotJoin() async throws {
        let (began, mayEnd) = (Hold(), Hold())
        let first = Task {
            try await work.valueUnlessRunning(for: "a") {
                began.release()
                await mayEnd.wait()
                return 1
            }
        }
        await began.wait()
        let second = Task { @OneAtATime in try await work.value(for: "a") { 2 } }
        await OneAtATime.settle()
        mayEnd.release()
        #expect(try await first.value == 1)
        #expect(try await second.value == 1)
    }

    // Cancelled work may wait for another one that the caller has started.
    @Test func doesNotWaitForTheEndOfCancelledWork() async throws {
        let (began, mayEnd, isCancelled) = (Hold(), Hold(), Hold())
        let first = Task {
            try await work.value(for: "a") {
                began.release()
                await withTaskCancellationHandler {
                    await mayEnd.wait()
                } onCancel: {
                    isCancelled.release()
                }
                return 1
            }
        }
        await began.wait()
        first.cancel()
        await isCancelled.wait()
        #expect(try await work.valueUnlessRunning(for: "a") { 2 } == nil)
        mayEnd.release()
        #expect(try await work.value(for: "a") { 3 } == 3)
    }
}
