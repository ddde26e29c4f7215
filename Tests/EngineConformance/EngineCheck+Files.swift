import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let files = [
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
        },
        EngineCheck("a response to HEAD, or whose status has no body, is an empty file", delivering: .file) { engine in
            let server = try LoopbackServer { $0.method == "HEAD" ? .text("0123456789") : .status(204) }
            for method in [.head, .get] as [HTTPMethod] {
                let response = try await engine.perform("/", on: server, method: method, delivery: .file)
                #expect(try Data(contentsOf: #require(response.body.file)).isEmpty)
            }
        },
    ]
}
