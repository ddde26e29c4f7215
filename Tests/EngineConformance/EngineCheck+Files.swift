import APIKitCore
import APIKitTestServer
import Foundation
import Testing

extension EngineCheck {
    static let files = [
        EngineCheck("a file is complete with a length, in chunks, until the connection closes, and empty") { engine in
            guard await delivers(.file, engine) else { return }
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
        EngineCheck("a truncated file is an error and is removed") { engine in
            guard await delivers(.file, engine) else { return }
            let server = try LoopbackServer { faultyAnswer(to: $0) }
            for (target, code) in bodyFaults {
                let options = RequestOptions(timeout: .milliseconds(600))
                let actual = await engine.failureCode {
                    try await engine.perform(target, on: server, options: options, delivery: .file)
                }
                #expect(actual == code, "\(target)")
            }
            await expectNoTemporaryFiles()
        },
        EngineCheck("a cancelled file is removed") { engine in
            guard await delivers(.file, engine) else { return }
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".utf8)
            let server = try LoopbackServer { _ in .init(steps: [.send(head), .waitForClient]) }
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
        EngineCheck("a response to HEAD, and one whose status has no body, is an empty file") { engine in
            guard await delivers(.file, engine) else { return }
            let server = try LoopbackServer { $0.method == "HEAD" ? .text("0123456789") : .status(204) }
            for method in [.head, .get] as [HTTPMethod] {
                let response = try await engine.perform("/", on: server, method: method, delivery: .file)
                let file = try #require(response.body.file)
                #expect(try Data(contentsOf: file).isEmpty)
            }
        },
    ]
}
