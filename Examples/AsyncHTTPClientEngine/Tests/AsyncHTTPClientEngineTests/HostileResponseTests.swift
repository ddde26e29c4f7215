import APIKitCore
import APIKitTestServer
import AsyncHTTPClient
import Foundation
import NIOCore
import Testing

@testable import AsyncHTTPClientEngine

extension AsyncHTTPClientEngineTests {
    /// Responses that no server should send.
    @Suite struct HostileResponses {
        let engine = AsyncHTTPClientEngine(configuration: .test)

        private func code(_ server: LoopbackServer, _ options: RequestOptions = RequestOptions()) async -> String? {
            do {
                let response = try await engine.perform(HTTPRequest(url: server.url, options: options))
                return "\(response.head.status)"
            } catch {
                return (error as? TransportError)?.code.rawValue ?? "\(error)"
            }
        }

        @Test(
            arguments: ["0", "00", "000", "7", "42", "099", "99", "1000", "20000", "-200", "2x0"],
            [
                "Content-Length: 2\r\n\r\nhi", "Content-Length: 0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", "\r\nhi",
            ])
        func refusesAnInvalidStatus(status: String, rest: String) async throws {
            let server = try LoopbackServer { _ in .raw("HTTP/1.1 \(status) X\r\n\(rest)") }
            #expect(await code(server) == "badResponse")
        }

        @Test(arguments: [
            "-1", "-9223372036854775808", "+5", "0x2", "1e1", "5, 2", "5\r\nContent-Length: 2", "99999999999999999999",
        ])
        func refusesAnInvalidLength(length: String) async throws {
            let server = try LoopbackServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello") }
            #expect(await code(server) == "badResponse")
        }

        @Test func informationalResponsesDoNotPutTheTimeoutOff() async throws {
            let gate = Gate()
            let server = try LoopbackServer { _ in
                let head = Data("HTTP/1.1 102 Processing\r\n\r\n".utf8)
                return .init(steps: [.sendRepeatedly(head, times: .max), .waitFor(gate)])
            }
            let start = ContinuousClock.now
            #expect(await code(server, RequestOptions(timeout: .milliseconds(500))) == "timedOut")
            #expect(start.duration(to: .now) < .seconds(5))
            server.stop()
        }

        @Test func aBodyThatNeverYieldsMeetsTheTimeout() async throws {
            let server = try LoopbackServer { _ in .text("") }
            let body = RequestBody.stream(length: nil, contentType: nil) { ByteStream(AsyncStream<Data> { _ in }) }
            let options = RequestOptions(timeout: .milliseconds(300))
            let error = await #expect(throws: TransportError.self) {
                try await engine.perform(HTTPRequest(method: .post, url: server.url, body: body, options: options))
            }
            #expect(error?.code == .timedOut)
            await server.waitUntilIdle()
        }

        // MARK: - Responses that nobody asked for

        /// The first request of a connection is answered twice, in one piece; several requests wait for the connection.
        @Test(arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale", "HTTP/1.1 103 X\r\n\r\n", "garbage\r\n\r\n",
        ])
        func neverTakesBytesBehindAResponseForTheNext(behind: String) async throws {
            var configuration = HTTPClient.Configuration.test
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
            let engine = AsyncHTTPClientEngine(configuration: configuration)
            let server = try LoopbackServer { request in
                let body = request.path
                let text = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)\(behind)"
                return .init(steps: [.send(Data(text.utf8))])
            }
            try await withThrowingTaskGroup { group in
                for index in 0..<50 {
                    let request = HTTPRequest(method: .post, url: server.url.appending(path: "\(index)"))
                    group.addTask {
                        do {
                            let response = try await engine.perform(request)
                            #expect(response.head.status == 200)
                            #expect(response.body.data == Data("/\(index)".utf8))
                        } catch let error as TransportError {
                            #expect(error.code == .connectionLost, "\(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(Set(server.requests.map(\.path)).count == server.requests.count)
        }

        /// The late response has arrived, but the event loops come to read it only after they have been given the next
        /// request.
        @Test func neverTakesALateResponseThatHasYetToBeRead() async throws {
            for index in 0..<20 {
                let gate = Gate()
                let server = try LoopbackServer { request in
                    guard request.path == "/first" else { return .text("fresh") }
                    let stale = Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale".utf8)
                    return .init(steps: ServerAnswer.text("first").steps + [.waitFor(gate), .send(stale), .close])
                }
                let first = HTTPRequest(url: server.url.appending(path: "first"))
                #expect(try await engine.perform(first).body.data == Data("first".utf8))
                let isBlocked = DispatchSemaphore(value: 0)
                let loops = Array(engine.client.eventLoopGroup.makeIterator())
                for loop in loops { loop.execute { isBlocked.wait() } }
                gate.open()
                await server.waitUntilIdle()
                let method: HTTPMethod = index.isMultiple(of: 2) ? .get : .post
                let next = Task { try await engine.perform(HTTPRequest(method: method, url: server.url)) }
                for _ in 0..<2_000 { await Task.yield() }
                for _ in loops { isBlocked.signal() }
                #expect(try await next.value.body.data == Data("fresh".utf8))
            }
        }

        @Test func neverTakesALateResponseForTheNext() async throws {
            let engine = AsyncHTTPClientEngine()
            for index in 0..<15 {
                let gate = Gate()
                let stale = Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale".utf8)
                let server = try LoopbackServer { request in
                    guard request.path == "/first" else { return .text("fresh") }
                    return .init(steps: [
                        .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)), .waitFor(gate),
                        .send(stale),
                    ])
                }
                let first = HTTPRequest(url: server.url.appending(path: "first"))
                #expect(try await engine.perform(first).body.data == Data("first".utf8))
                gate.open()
                await server.waitUntilIdle()  // which the stale response leads to
                let method: HTTPMethod = index.isMultiple(of: 2) ? .get : .post
                let next = try await engine.perform(HTTPRequest(method: method, url: server.url))
                #expect(next.body.data == Data("fresh".utf8))
            }
        }
    }
}
