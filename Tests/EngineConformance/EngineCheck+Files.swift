import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let files: [EngineCheck] = [
        EngineCheck("a cancelled file is removed", delivering: .file) { engine in
            let server = try LoopbackServer { _ in .short(then: .waitForClient) }
            let (arrivals, arrival) = AsyncStream.makeStream(of: Int.self)
            let task = Task {
                try await engine.perform("/", on: server, delivery: .file) { arrival.yield($0.bytesReceived) }
            }
            for await count in arrivals where count == 5 { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await server.waitUntilIdle()
            await expectNoTemporaryFiles()
        }
    ]
}
