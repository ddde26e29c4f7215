import APIKitCore
import APIKitTestServer
import AsyncHTTPClient
import AsyncHTTPClientEngine
import EngineConformance
import Foundation
import NIOCore
import Testing

extension AsyncHTTPClientEngineTests {
    /// Connections that the server closes, or resets, when it should not.
    @Suite struct KeptConnections {
        let engine = AsyncHTTPClientEngine(configuration: .test)

        /// The body of so many bytes: nil for none, and a stream of as many where `isStreamed`.
        private static func body(_ count: Int?, isStreamed: Bool = false) -> RequestBody? {
            count.map { count in
                guard isStreamed else { return .data(Data(count: count), contentType: nil) }
                return .stream(length: nil, contentType: nil) { ByteStream([Data(count: count)]) }
            }
        }

        private static let ends: [ServerAnswer.Step] = [.close, .reset]

        /// A server that reads the second of its requests, and ends the connection without an answer.
        private func breakingServer(_ end: ServerAnswer.Step) throws -> LoopbackServer {
            let count = LockedCounter()
            return try LoopbackServer { count.next() == 2 ? .init(steps: [end]) : .text($0.path) }
        }

        @Test(arguments: [HTTPMethod.post, .patch], [nil, 0, 10, 1 << 20])
        func aMethodThatIsNotIdempotentIsSentOnce(method: HTTPMethod, length: Int?) async throws {
            for (index, end) in Self.ends.enumerated() {
                for isStreamed in [false, true] {
                    let server = try breakingServer(end)
                    _ = try await engine.perform(HTTPRequest(url: server.url.appending(path: "warm")))
                    let body = Self.body(length, isStreamed: isStreamed)
                    let request = HTTPRequest(method: method, url: server.url.appending(path: "\(index)"), body: body)
                    let error = await #expect(throws: TransportError.self) { try await engine.perform(request) }
                    #expect(error?.code == .connectionLost)
                    #expect(server.requests.map(\.path) == ["/warm", "/\(index)"])
                }
            }
        }

        @Test(arguments: [HTTPMethod.get, .put, .delete, .head], [nil, 10, 1 << 20])
        func anIdempotentMethodIsSentOnceMore(method: HTTPMethod, length: Int?) async throws {
            guard length == nil || [.put, .delete].contains(method) else { return }
            for end in Self.ends {
                for isStreamed in [false, true] {
                    let server = try breakingServer(end)
                    _ = try await engine.perform(HTTPRequest(url: server.url.appending(path: "warm")))
                    let body = Self.body(length, isStreamed: isStreamed)
                    let request = HTTPRequest(method: method, url: server.url.appending(path: "x"), body: body)
                    #expect(try await engine.perform(request).head.status == 200)
                    #expect(server.requests.map(\.path) == ["/warm", "/x", "/x"])
                    #expect(server.requests.dropFirst().allSatisfy { $0.body.count == length ?? 0 })
                }
            }
        }

        @Test(arguments: [nil, 0, 10, 1 << 18]) func postsSentAtOnceUseKeptConnections(length: Int?) async throws {
            let server = try LoopbackServer { _ in .text("ok") }
            let connections = LockedCounter()
            var configuration = HTTPClient.Configuration.api
            configuration.http1_1ConnectionDebugInitializer = { channel in
                connections.next()
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            let engine = AsyncHTTPClientEngine(configuration: configuration)
            for isStreamed in [false, true] {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<8 {
                        group.addTask {
                            for _ in 0..<10 {
                                let body = Self.body(length, isStreamed: isStreamed)
                                _ = try await engine.perform(HTTPRequest(method: .post, url: server.url, body: body))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(connections.count <= 8)
        }

        /// The server ends a connection after each so many answers, without saying so.
        @Test(arguments: [1, 3, 7], [HTTPMethod.get, .put, .delete, .post])
        func requestsOverDyingConnectionsAreSentOnceOrSurvive(period: Int, method: HTTPMethod) async throws {
            let counter = LockedCounter()
            let server = try LoopbackServer { request in
                let isLast = counter.next() % period == 0
                return .init(steps: ServerAnswer.text(request.path).steps + (isLast ? [.close] : []))
            }
            let lost = LockedCounter()
            let body = method == .get ? nil : Self.body(2_000)
            try await withThrowingTaskGroup { group in
                for worker in 0..<20 {
                    group.addTask {
                        for index in 0..<Load.requests / 20 {
                            let url = server.url.appending(path: "\(worker)-\(index)")
                            let options = RequestOptions(timeout: .seconds(10))
                            do {
                                let request = HTTPRequest(method: method, url: url, body: body, options: options)
                                let response = try await engine.perform(request)
                                #expect(response.body.data == Data(url.path.utf8))
                            } catch let error as TransportError where error.code == .connectionLost {
                                #expect(method == .post, "\(error)")
                                lost.next()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let paths = server.requests.map(\.path)
            let repeats = paths.count - Set(paths).count
            Load.report("\(method), every \(period): \(paths.count) delivered, \(repeats) twice, \(lost.count) lost")
            if method == .post { #expect(repeats == 0) }
            #expect(lost.count <= Load.requests / 10)  // if the end arrives just as the request is sent
        }
    }
}
