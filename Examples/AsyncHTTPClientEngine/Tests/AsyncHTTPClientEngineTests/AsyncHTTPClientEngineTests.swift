import APIKitCore
import APIKitTestServer
import AsyncHTTPClient
import AsyncHTTPClientEngine
import EngineConformance
import Foundation
import NIOCore
import Testing

/// One test at a time, since some of them measure how long things take, or how much memory.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AsyncHTTPClientEngineTests {
    let engine = AsyncHTTPClientEngine(configuration: .test)

    @Test(arguments: EngineCheck.all) func conforms(check: EngineCheck) async throws {
        try await check.run(
            Engine("AsyncHTTPClientEngine", engine, quirks: [.hasNoTrailers]))
    }

    // MARK: - What ends the process, hangs or loses bodies over a URLSession on Linux

    @Test(
        arguments: [
            "H", "HTTP/1.1", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
        ]
    ) func losesAConnectionThatClosesWithinTheHead(start: String) async throws {
        let server = try LoopbackServer { _ in .raw(start) }
        let error = await #expect(throws: TransportError.self) {
            try await engine.perform(HTTPRequest(url: server.url))
        }
        #expect(error?.code == .connectionLost)
    }

    @Test func deliversTheBodyOfAnAnswerThatAsksForCredentials() async throws {
        let server = try LoopbackServer { _ in
            .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: Data("who?".utf8))
        }
        for _ in 0..<20 {
            let response = try await engine.perform(HTTPRequest(url: server.url))
            #expect(response.head.status == 401)
            #expect(response.body.data == Data("who?".utf8))
        }
    }

    @Test func holdsTheServerBackWhileAReaderPauses() async throws {
        let total = 64 << 20
        let server = try LoopbackServer { request in
            guard request.path == "/large" else { return .text("small") }
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n".utf8)
            return .init(steps: [.send(head), .sendRepeatedly(Data(repeating: 7, count: 1 << 20), times: total >> 20)])
        }
        let memory = residentBytes()
        let large = HTTPRequest(url: server.url.appending(path: "large"), delivery: .stream)
        var pieces = try await engine.perform(large).body.bytes.makeAsyncIterator()
        var count = try #require(try await pieces.next()).count
        // The pause: as long as it takes others to be answered, in which the server could send all of it.
        for _ in 0..<500 { _ = try await engine.perform(HTTPRequest(url: server.url)) }
        #expect(residentBytes() - memory < total / 2)
        while let piece = try await pieces.next() {
            #expect(piece.first == 7 && piece.last == 7)
            count += piece.count
        }
        #expect(count == total)
    }

    @Test func answersRequestsAfterManyCancels() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for index in 0..<500 {
            let task = Task { try await engine.perform(HTTPRequest(url: server.url)) }
            for _ in 0..<(index % 50) { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        #expect(try await engine.perform(HTTPRequest(url: server.url)).body.data == Data("ok".utf8))
    }

    @Test func livesAsLongAsItsStreams() async throws {
        let server = try LoopbackServer { _ in .chunked([Data("one".utf8), Data("two".utf8)]) }
        let request = HTTPRequest(url: server.url, delivery: .stream)
        let read = { try await AsyncHTTPClientEngine().perform(request).body.bytes.data(upTo: .max) }
        #expect(try await read() == Data("onetwo".utf8))
        await server.waitUntilIdle()
    }

}

extension HTTPClient.Configuration {
    /// A connection made for a request that is cancelled meanwhile is kept for others; checks wait for its end.
    static var test: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration.api
        configuration.connectionPool.idleTimeout = .milliseconds(500)
        return configuration
    }
}

/// What the process has in memory; 0 if the system does not report it.
func residentBytes() -> Int {
    let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * 4096
}
