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
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"
            for steps in [[.waitForClient], [.send(Data(head.utf8)), .waitForClient]] as [[ServerAnswer.Step]] {
                let server = try LoopbackServer { _ in .init(steps: steps) }
                var times: [Duration] = []
                for count in 1...9 {
                    let task = Task { try await engine.perform("/", on: server) }
                    await server.waitForRequests(count)
                    let start = ContinuousClock.now
                    task.cancel()
                    await #expect(throws: CancellationError.self) { try await task.value }
                    times.append(start.duration(to: .now))
                }
                times.sort()
                #expect(times[times.count / 2] < .milliseconds(50))
                #expect(times[times.count - 1] < .seconds(1))
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
