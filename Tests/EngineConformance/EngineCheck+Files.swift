import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let files = [
        EngineCheck(
            "a file is complete with a length, in chunks, until the connection closes, and empty", delivering: .file
        ) { engine in
            let server = try LoopbackServer { completeAnswer(to: $0) }
            // Less than the body, since the limit applies to memory only.
            let options = RequestOptions(sizeLimit: 10)
            for target in ["/length", "/chunks", "/close", "/empty"] {
                let response = try await engine.perform(target, on: server, options: options, delivery: .file)
                #expect(response.body.data == nil)
                let file = try #require(response.body.file)
                #expect(try Data(contentsOf: file) == (target == "/empty" ? Data() : bytes(300_000)), "\(target)")
            }
            await expectNoTemporaryFiles()
        },
        EngineCheck("a truncated file is an error and is removed", delivering: .file) { engine in
            let server = try LoopbackServer { faultyAnswer(to: $0) }
            let options = RequestOptions(timeout: .milliseconds(600))
            for (target, code) in bodyFaults {
                await engine.expectFailure(code, target, on: server, options: options, delivery: .file, "\(target)")
            }
            await expectNoTemporaryFiles()
        },
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
        EngineCheck("a response to HEAD, and one whose status has no body, is an empty file", delivering: .file) {
            engine in
            let server = try LoopbackServer { $0.method == "HEAD" ? .text("0123456789") : .status(204) }
            for method in [.head, .get] as [HTTPMethod] {
                let response = try await engine.perform("/", on: server, method: method, delivery: .file)
                #expect(try Data(contentsOf: #require(response.body.file)).isEmpty)
            }
        },
    ]
}
