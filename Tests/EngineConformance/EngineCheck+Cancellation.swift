import APIKitCore
import Foundation
import TestSupport
import Testing

extension EngineCheck {
    static let cancellation = [
        EngineCheck("cancelled before the start, nothing is sent") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await engine.perform("/", on: server)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.requests.isEmpty)
        },
        EngineCheck("cancelled while waiting for the head or the body, it ends at once and leaves nothing behind") {
            engine in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".utf8)
            for steps in [[.waitForClient], [.send(head), .waitForClient]] as [[ServerAnswer.Step]] {
                let server = try LoopbackServer { _ in .init(steps: steps) }
                var slowest: [Duration] = []
                let isPrompt = try await isWithin(.milliseconds(50)) {
                    var times: [Duration] = []
                    for _ in 0..<9 { times.append(try await timeToCancel(engine, server)) }
                    times.sort()
                    slowest.append(times[8])
                    return times[4]
                }
                #expect(isPrompt)
                #expect(slowest.contains { $0 < .seconds(1) })
                await server.waitUntilIdle()
            }
        },
        EngineCheck("5,000 requests with racing cancels: each ends once, as its answer or as cancelled") { engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            let server = try LoopbackServer { _ in .text("ok") }
            let outcomes = await withTaskGroup(of: Bool.self, returning: [Bool].self) { group in
                var outcomes: [Bool] = []
                for index in 0..<5_000 {
                    if index >= 32, let outcome = await group.next() { outcomes.append(outcome) }
                    group.addTask { await isAnsweredOrCancelled(engine, server, index) }
                }
                for await outcome in group { outcomes.append(outcome) }
                return outcomes
            }
            #expect(outcomes.count == 5_000)
            #expect(outcomes.allSatisfy { $0 })
        },
    ]

    /// Sends one request, cancels it once it has arrived, and tells how long its end took.
    private static func timeToCancel(_ engine: Engine, _ server: LoopbackServer) async throws -> Duration {
        let count = server.requests.count
        let task = Task { try await engine.perform("/", on: server) }
        await server.waitForRequests(count + 1)
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        return start.duration(to: .now)
    }

    /// Sends one request and cancels it after a number of yields of its own; true for an answer and for a cancel.
    private static func isAnsweredOrCancelled(_ engine: Engine, _ server: LoopbackServer, _ index: Int) async -> Bool {
        let task = Task { try await engine.perform("/", on: server).text }
        if index % 4 != 0 {
            for _ in 0..<(index * 7919 % 300) { await Task.yield() }
            task.cancel()
        }
        do {
            return try await task.value == "ok"
        } catch is CancellationError {
            return index % 4 != 0
        } catch {
            Issue.record("\(error)")
            return false
        }
    }
}
