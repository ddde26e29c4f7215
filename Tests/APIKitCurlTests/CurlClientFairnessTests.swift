#if os(Linux)
import APIKitCore
import APIKitCurl
import APIKitTestServer
import Foundation
import EngineConformance
import TestTraits
import Testing

/// What compressed bodies cost the other requests of an engine.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct CurlClientFairnessTests {
    private let client = CurlClient()

    /// gzip of 64 KiB of zeros, of nothing, and of a letter.
    private static let zeros = member(
        "H4sIAAAAAAACA+3BAQEAAACAkP6v7ggK" + String(repeating: "A", count: 84) + "auuOl9cAAAEA")
    private static let empty = member("H4sIAAAAAAACAwMAAAAAAAAAAAA=")
    private static let letter = member("H4sIAAAAAAACA6sAAIMW3IwBAAAA")

    private static func member(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }

    private static func members(_ member: Data, _ count: Int) -> Data {
        Data((0..<count).map { _ in member }.joined())
    }

    private static func endless(_ members: Data) -> ServerAnswer {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        return ServerAnswer(steps: [.send(head), .sendForever(members, pause: .zero)])
    }

    private func request(_ path: String, on server: LoopbackServer, _ delivery: ResponseBody.Delivery) -> HTTPRequest {
        HTTPRequest(
            url: server.url.appendingPathComponent(path), options: RequestOptions(timeout: .seconds(10)),
            delivery: delivery)
    }

    @Test func endlessEmptyMembersDelayNoOtherRequest() async throws {
        let body = Self.members(Self.empty, 3000) + Self.letter
        let server = try LoopbackServer { $0.path == "/small" ? .text("ok") : Self.endless(body) }
        let response = try await client.perform(request("endless", on: server, .stream))
        var pieces = response.body.bytes.makeAsyncIterator()
        _ = try await pieces.next()
        for _ in 0..<20 {
            #expect(try await client.perform(request("small", on: server, .data)).head.status == 200)
        }
        #expect(try await pieces.next()?.isEmpty == false)
    }

    @Test func largeCompressedBodiesDelayNoOtherRequest() async throws {
        let body = Self.members(Self.zeros, 256)
        let server = try LoopbackServer {
            $0.path == "/small" ? .text("ok") : .status(200, headers: [("Content-Encoding", "gzip")], body: body)
        }
        let (client, request) = (client, request("large", on: server, .data))
        try await withThrowingTaskGroup(of: (HTTPResponse, ContinuousClock.Instant).self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let start = ContinuousClock.now
                    let response = try await client.perform(request)
                    return (response, start + (try #require(response.timing.finished)))
                }
            }
            await server.waitForRequests(8)
            let start = ContinuousClock.now
            let small = try await client.perform(self.request("small", on: server, .data)).timing
            let end = start + (try #require(small.finished))
            var overtaken = 0
            for try await (response, finished) in group {
                #expect(response.body.data?.count == 16 << 20)
                if (start..<end).contains(finished) { overtaken += 1 }
            }
            #expect(overtaken < 4)
        }
    }

    @Test(arguments: [ResponseBody.Delivery.data, .stream])
    func bodyWithoutADecodedByteTimesOut(delivery: ResponseBody.Delivery) async throws {
        let server = try LoopbackServer { _ in Self.endless(Self.members(Self.empty, 3000)) }
        let request = HTTPRequest(
            url: server.url, options: RequestOptions(timeout: .milliseconds(300)), delivery: delivery)
        let error = await #expect(throws: TransportError.self) {
            try await client.perform(request).body.bytes.data(upTo: 10)
        }
        #expect(error?.code == .timedOut)
    }

    /// What was received is delivered before the failure.
    @Test func brokenBodyIsDecodedAsFarAsItCame() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n"
        let server = try LoopbackServer { _ in
            ServerAnswer(steps: [.send(Data(head.utf8) + Self.members(Self.zeros, 64)), .close])
        }
        let response = try await client.perform(request("", on: server, .stream))
        var count = 0
        let error = await #expect(throws: TransportError.self) {
            for try await piece in response.body.bytes { count += piece.count }
        }
        #expect(error?.code == .connectionLost)
        #expect(count == 4 << 20)
    }
}
#endif
