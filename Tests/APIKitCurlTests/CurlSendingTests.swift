#if os(Linux)
import APIKitCore
import APIKitSupport
import APIKitCurl
import APIKitTestServer
import Foundation
import EngineConformance
import TestTraits
import Testing

/// What libcurl would do by itself: send again, wait for a 100, lose a proxy's answer.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlSendingTests {
    private func post(
        _ server: LoopbackServer, _ body: RequestBody, headers: HTTPHeaders = ["Expect": "100-continue"]
    ) async throws -> HTTPResponse {
        let url = server.url.appendingPathComponent("post")
        let request = HTTPRequest(method: .post, url: url, headers: headers, body: body)
        return try await CurlClient().perform(request)
    }

    private static let bodies: [RequestBody] = [
        .data(Data(count: 10), contentType: nil), .data(Data(count: 300_000), contentType: nil),
        .stream(length: nil, contentType: nil) { ByteStream([Data(count: 300_000)]) },
    ]

    /// A handle keeps what its last request has set.
    @Test func methodAndBodyAreThoseOfTheRequestWhateverTheLastOneHad() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let client = CurlClient()
        let data = RequestBody.data(Data("data".utf8), contentType: nil)
        let stream = RequestBody.stream(length: nil, contentType: nil) { ByteStream([Data("stream".utf8)]) }
        let kinds: [(method: HTTPMethod, body: RequestBody?, bytes: String)] = [
            (.get, nil, ""), (.head, nil, ""), (.delete, nil, ""), (.post, nil, ""), (.post, data, "data"),
            (.post, stream, "stream"), (.put, data, "data"), (.put, stream, "stream"), (.patch, nil, ""),
        ]
        for last in kinds {
            for kind in kinds {
                for (method, body, _) in [last, kind] {
                    let response = try await client.perform(HTTPRequest(method: method, url: server.url, body: body))
                    #expect(response.body.text == (method == .head ? "" : "ok"))
                }
                for (received, sent) in zip(server.requests.suffix(2), [last, kind]) {
                    #expect(received.method == sent.method.rawValue)
                    #expect(received.body == Data(sent.bytes.utf8))
                    let isEmpty = sent.body == nil && ["GET", "HEAD", "DELETE"].contains(received.method)
                    #expect(received.values(of: "Content-Type").isEmpty == (sent.body == nil))
                    #expect(received.values(of: "Content-Length").isEmpty == (isEmpty || sent.bytes == "stream"))
                }
            }
        }
        #expect(server.openConnections == 1)
    }

    // MARK: - Expect

    @Test(arguments: bodies) func refusedExpectationIsAResponse(body: RequestBody) async throws {
        let heads = Locked(0)
        let answer = Data("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno".utf8)
        let server = try LoopbackServer(answeringEarly: { _ in
            heads.withLock { $0 += 1 }
            return answer
        }) { _ in ServerAnswer(steps: []) }
        let response = try await post(server, body)
        #expect(response.head.status == 417)
        #expect(response.body.data == Data("no".utf8))
        #expect(heads.withLock { $0 } == 1)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: bodies) func bodyFollowsA100(body: RequestBody) async throws {
        let server = try LoopbackServer { request in .text("\(request.body.count)") }
        var durations: [Duration] = []
        for _ in 0..<5 {
            let start = ContinuousClock.now
            let response = try await post(server, body)
            durations.append(start.duration(to: .now))
            #expect(response.body.data == Data("\(body.length ?? 300_000)".utf8))
        }
        #expect(server.requests.map { $0.values(of: "Expect") } == Array(repeating: ["100-continue"], count: 5))
        // Without the wait of a second, which a busy machine may add to some.
        #expect(durations.contains { $0 < .seconds(1) })
    }

    @Test func bodyIsSentThoughNo100Arrives() async throws {
        let server = try LoopbackServer(answeringEarly: { _ in Data() }) { request in .text("\(request.body.count)") }
        #expect(try await post(server, Self.bodies[0]).body.data == Data("10".utf8))
    }

    @Test func cancelEndsTheWaitForA100() async throws {
        let (heads, head) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer(answeringEarly: { _ in
            head.yield()
            return Data()
        }) { _ in .text("") }
        let task = Task { try await post(server, Self.bodies[1]) }
        for await _ in heads { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitUntilIdle()
        #expect(server.requests.isEmpty)
    }

    // MARK: - Proxies

    @Test(arguments: [HTTPMethod.get, .post], [407, 403, 502])
    func refusalOfAProxyIsAnErrorThatNamesIt(method: HTTPMethod, status: Int) async throws {
        let proxy = try LoopbackServer { _ in
            .status(status, headers: [("Proxy-Authenticate", "Basic realm=\"x\"")], body: Data("secret".utf8))
        }
        var configuration = CurlClient.Configuration()
        configuration.proxy = .server(try #require(URL(string: "http://user:wrong@127.0.0.1:\(proxy.port)")))
        let client = CurlClient(configuration)
        for _ in 0..<2 {
            let request = HTTPRequest(method: method, url: try #require(URL(string: "https://far.invalid/")))
            let error = try await #require(throws: TransportError.self) { try await client.perform(request) }
            #expect(error.code == .proxyRefused)
            #expect(error.description.contains("\(status)"))
            #expect(!error.description.contains("wrong"))
        }
        #expect(proxy.requests.map(\.target) == ["far.invalid:443", "far.invalid:443"])
    }

    // MARK: - Heads

    // RFC 9112, section 2.2; RFC 9110, section 5.5.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX-A: a\rb\r\n", "HTTP/1.1 200 OK\r\nX-A: a\r\r\n", "HTTP/1.1 200 OK\r\nX\r-A: a\r\n",
        "HTTP/1.1 200 O\rK\r\nX-A: a\r\n", "HTTP/1.1 200 OK\r\nX-A: a\u{0}b\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: a\rb\r\n\r\nHTTP/1.1 200 OK\r\n",
    ])
    func headWithABareCRIsABadResponse(head: String) async throws {
        let server = try LoopbackServer { _ in .raw("\(head)Content-Length: 2\r\n\r\nhi") }
        let error = try await #require(throws: TransportError.self) {
            try await CurlClient().perform(HTTPRequest(url: server.url))
        }
        #expect(error.code == .badResponse)
        #expect(server.requests.count == 1)
    }
}
#endif
