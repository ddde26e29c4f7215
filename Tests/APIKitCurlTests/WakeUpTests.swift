#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import EngineConformance
import Foundation
import TestTraits
import Testing

/// Requests and cancels reach the engine's thread, whether it waits or works. A message that it overlooks would be
/// noticed only at the next timeout, after the time limit.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct WakeUpTests {
    private let client: CurlClient

    init() {
        var configuration = CurlClient.Configuration()
        configuration.idleTimeout = .seconds(600)
        client = CurlClient(configuration)
    }

    @Test func eachRequestOfManyTasksEnds() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (client, request) = (client, HTTPRequest(url: server.url, options: RequestOptions(timeout: .seconds(600))))
        let rounds = Effort.isSoaking ? 2000 : Effort.rounds(25, thorough: 100)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<rounds { _ = try await client.perform(request) }
                    return rounds
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 16 * rounds)
    }

    @Test func eachCancelReachesTheThread() async throws {
        let server = try LoopbackServer { $0.path == "/" ? .text("ok") : ServerAnswer(steps: [.waitForClient]) }
        let (client, options) = (client, RequestOptions(timeout: .seconds(600)))
        let silent = HTTPRequest(url: server.url.appendingPathComponent("silent"), options: options)
        let short = HTTPRequest(url: server.url, options: options)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<(Effort.isSoaking ? 1000 : Effort.rounds(15, thorough: 50)) {
                        let waiting = Task { try await client.perform(silent) }
                        // At once, or while the thread works for another request.
                        if (task + round).isMultiple(of: 2) { _ = try? await client.perform(short) }
                        waiting.cancel()
                        _ = await waiting.result
                    }
                }
            }
        }
        // Each of those that waited has given up its connection.
        while server.openConnections > 16 { await Task.yield() }
    }
}
#endif
