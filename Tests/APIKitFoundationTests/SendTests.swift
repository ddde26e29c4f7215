import APIKit
import APIKitTestServer
import APIKitTesting
import TestTraits
import Testing

@Suite(.exclusive) struct SendTests {
    @Test func givesTheModelOfAnAcceptedAnswer() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
        let items = try await URLSession.api.send(Probe<[Item]>(base: APIBase(server.url), parameters: ["a": "b c"]))
        #expect(items == [Item(id: 1), Item(id: 2)])
        #expect(server.requests.map(\.target) == ["/probe?a=b%20c"])
        #expect(server.requests.first?.values(of: "Accept") == ["application/json"])
    }

    /// The server sends back the body that it got, with its coding, so the engine decompresses what was compressed.
    @Test(arguments: [true, nil]) func compressedBodyIsWhatWasSent(compresses: Bool?) async throws {
        let server = try LoopbackServer { request in
            let codings = request.values(of: "Content-Encoding").map { ("Content-Encoding", $0) }
            return .status(200, headers: codings, body: request.body)
        }
        let text = (0..<5_000).map { "line \($0)\n" }.joined()
        let request = HTTPRequest(
            method: .post, url: server.url, body: .text(text), options: RequestOptions(compressesBody: compresses))
        let response = try await URLSession.api.perform(request)
        #expect(response.body.text == text)
        let received = try #require(server.requests.first)
        #expect(received.values(of: "Content-Encoding") == (compresses == true ? ["gzip"] : []))
        #expect(received.values(of: "Content-Length") == ["\(received.body.count)"])
        #expect((received.body.count < text.utf8.count / 2) == (compresses == true))
    }
}
