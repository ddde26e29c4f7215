import APIKitCore
import APIKitTestServer
import AsyncHTTPClient
import AsyncHTTPClientEngine
import Foundation
import Testing

extension AsyncHTTPClientEngineTests {
    /// Many cancels, deadlines and refusals at once: nothing dies, freezes or times out.
    @Suite struct Storms {
        // Several loops, so that connections and their requests are on different ones.
        let engine = AsyncHTTPClientEngine(configuration: .test, eventLoopGroup: HTTPClient.defaultEventLoopGroup)

        private struct Get: APIRequest {
            typealias Response = Data
            var base: APIBase
            var path: URLPath
            var options = RequestOptions(timeout: .seconds(20))
        }

        @Test func cancelsAndDeadlinesAgainstRedirects() async throws {
            let server = try LoopbackServer { request in
                let hops = Int(request.query?.drop { $0 != "=" }.dropFirst() ?? "") ?? 0
                guard hops < 5 else { return .text("ok") }
                return .status(302, headers: [("Location", "/hop?hops=\(hops + 1)")], body: Data("moved".utf8))
            }
            let (answered, ended) = (LockedCounter(), LockedCounter())
            try await withThrowingTaskGroup { group in
                for worker in 0..<20 {
                    group.addTask {
                        for index in 0..<Load.requests / 20 {
                            var request = Get(base: APIBase(server.url), path: "hop")
                            if index.isMultiple(of: 2) {
                                request.options.deadline = .after(.microseconds((index * 37 + worker * 101) % 60_000))
                            }
                            let task = Task { [request] in try await engine.send(request) }
                            if !index.isMultiple(of: 2) {
                                for _ in 0..<(index * 37 + worker * 11) % 800 { await Task.yield() }
                                task.cancel()
                            }
                            do {
                                let data = try await task.value
                                #expect(data == Data("ok".utf8))
                                answered.next()
                            } catch let error as APIError<Data> {
                                let isDeadline = index.isMultiple(of: 2) && error.transportCode == .timedOut
                                #expect(isDeadline || error.isCancellation, "\(error)")
                                ended.next()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(answered.count + ended.count == Load.requests / 20 * 20)
            let last = try await engine.send(Get(base: APIBase(server.url), path: "hop"))
            #expect(last == Data("ok".utf8))
            Load.report("redirects: \(answered.count) answered, \(ended.count) ended")
        }

        @Test func basicChallengesBesideDownloads() async throws {
            let file = Data(count: 2 << 20)
            let server = try LoopbackServer { request in
                let headers = [("WWW-Authenticate", "Basic realm=\"x\"")]
                return request.path == "/file" ? .status(200, body: file) : .status(401, headers: headers)
            }
            let (files, challenges) = (LockedCounter(), LockedCounter())
            let end = ContinuousClock.now + .milliseconds(500 * Load.factor)
            try await withThrowingTaskGroup { group in
                for worker in 0..<20 {
                    group.addTask {
                        while ContinuousClock.now < end {
                            let path = worker < 12 ? "file" : "secret"
                            let response = try await engine.perform(HTTPRequest(url: server.url.appending(path: path)))
                            if worker < 12 {
                                #expect(response.body.data?.count == 2 << 20)
                                files.next()
                            } else {
                                #expect(response.head.status == 401)
                                challenges.next()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(files.count >= 12 && challenges.count >= 8)
            Load.report("challenges: \(files.count) files, \(challenges.count) challenges")
        }

        @Test func cancelsOverSlowStreams() async throws {
            let server = try LoopbackServer { request in
                guard request.path == "/stream" else { return .text("ok") }
                let head = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                let chunk = Data("10000\r\n".utf8) + Data(count: 1 << 16) + Data("\r\n".utf8)
                return .init(steps: [.send(head), .sendRepeatedly(chunk, times: .max)])
            }
            try await withThrowingTaskGroup { group in
                for worker in 0..<20 {
                    group.addTask {
                        for index in 0..<Load.requests / 20 {
                            let request = HTTPRequest(url: server.url.appending(path: "stream"), delivery: .stream)
                            let task = Task {
                                var count = 0
                                for try await piece in try await engine.perform(request).body.bytes {
                                    count += piece.count
                                    await Task.yield()
                                }
                                return count
                            }
                            for _ in 0..<(index * 7 + worker) % 100 { await Task.yield() }
                            task.cancel()
                            await #expect(throws: CancellationError.self) { try await task.value }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let last = try await engine.perform(HTTPRequest(url: server.url))
            #expect(last.body.data == Data("ok".utf8))
            await server.waitUntilIdle()
        }
    }
}
