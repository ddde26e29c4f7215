#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import Foundation
import TestTraits
import Testing

/// Responses over HTTP/1.1 that are complete before their requests are.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct EarlyResponseTests {
    /// A server that answers a PUT after its head, and then reads the body.
    private func server(answering answer: String) throws -> LoopbackServer {
        let early = Data("HTTP/1.1 \(answer)".utf8)
        return try LoopbackServer(answeringEarly: { $0.method == "PUT" ? early : nil }) { request in
            request.method == "PUT" ? ServerAnswer(steps: []) : .text("next")
        }
    }

    /// A request whose upload is given up after half of the timeout without progress.
    private func put(
        _ body: RequestBody, to server: LoopbackServer, timeout: RequestOptions.TimeLimit = .seconds(4)
    ) -> HTTPRequest {
        let options = RequestOptions(timeout: timeout)
        return HTTPRequest(method: .put, url: server.url, body: body, options: options)
    }

    /// All cases at once, since each waits for half of the timeout.
    @Test func completeResponseEndsAnUploadThatWaits() async throws {
        let answers =
            [
                ("200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"), ("200 OK\r\nContent-Length: 0\r\n\r\n", ""),
                ("204 No Content\r\n\r\n", ""),
            ] as [(String, String)]
        try await withThrowingTaskGroup { group in
            for (text, body) in answers {
                for isKept in [false, true] {
                    group.addTask { try await expectEndOfUpload(answeredBy: text, body, isKept: isKept) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func expectEndOfUpload(answeredBy text: String, _ responseBody: String, isKept: Bool) async throws {
        let server = try server(answering: text)
        let client = CurlClient()
        if isKept { _ = try await client.perform(HTTPRequest(url: server.url)) }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let body = RequestBody.stream(length: nil, contentType: nil) {
            AsyncStream<Data> { pieces in
                pieces.onTermination = { _ in end.yield() }
                pieces.yield(Data(count: 10))
            }
        }
        let response = try await client.perform(put(body, to: server))
        #expect(response.body.text == responseBody)
        // The body is not read any more.
        for await _ in ends { break }
        // Its connection is closed, since the server would take the next request for the rest of the body.
        await server.waitUntilIdle()
        #expect(server.requests.count { $0.method == "PUT" } == 0)
        #expect(try await client.perform(HTTPRequest(url: server.url)).body.text == "next")
    }

    @Test func uploadThatMakesProgressIsSentToItsEnd() async throws {
        let server = try server(answering: "200 OK\r\nContent-Length: 2\r\n\r\nok")
        let pieces = 64
        let body = RequestBody.stream(length: nil, contentType: nil) {
            AsyncStream<Data> { stream in
                for _ in 0..<pieces { stream.yield(Data(count: 1 << 16)) }
                stream.finish()
            }
        }
        let client = CurlClient()
        #expect(try await client.perform(put(body, to: server, timeout: .seconds(60))).body.text == "ok")
        #expect(try await client.perform(HTTPRequest(url: server.url)).body.text == "next")
        #expect(server.requests.map(\.body.count) == [pieces << 16, 0])
        #expect(server.openConnections == 1)
    }

    @Test func streamEndsWithTheResponseWhileTheUploadWaits() async throws {
        let server = try server(answering: "200 OK\r\nContent-Length: 2\r\n\r\nok")
        let body = RequestBody.stream(length: nil, contentType: nil) {
            AsyncStream<Data> { _ = $0.yield(Data(count: 1)) }
        }
        var request = put(body, to: server)
        request.delivery = .stream
        let response = try await CurlClient().perform(request)
        #expect(try await response.body.bytes.data(upTo: 10) == Data("ok".utf8))
    }
}
#endif
