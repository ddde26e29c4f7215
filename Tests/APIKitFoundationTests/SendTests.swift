import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

@Suite struct SendTests {
    @Test func givesTheModelOfAnAcceptedAnswer() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
        let items = try await URLSession.api.send(Probe<[Item]>(base: APIBase(server.url), parameters: ["a": "b c"]))
        #expect(items == [Item(id: 1), Item(id: 2)])
        #expect(server.requests.map(\.target) == ["/probe?a=b%20c"])
        #expect(server.requests.first?.values(of: "Accept") == ["application/json"])
    }

    @Test(arguments: [
        (ServerAnswer.raw("HELLO\r\n\r\n"), "badResponse"), (.json("{nope"), "could not be read"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), "connectionLost"),
        (.text("0123456789 and more"), "bodyTooLarge"), (.json(#"{"id": "x"}"#), "id is not an Int"),
        (.text("<html>busy</html>", status: 503, contentType: "text/html"), "503: (17 bytes)"),
    ])
    func namesWhatCameBack(_ answer: ServerAnswer, _ expected: String) async throws {
        let server = try LoopbackServer { _ in answer }
        let options = RequestOptions(sizeLimit: expected == "bodyTooLarge" ? 10 : nil)
        let request = Probe<Item>(base: APIBase(server.url), parameters: ["api_key": "s3cret"], options: options)
        let text = try await URLSession.api.failure(of: request).localizedDescription
        #expect(text.contains(expected), "\(text)")
        #expect(text.hasPrefix("GET \(server.url)/probe?api_key=***"), "\(text)")
    }
}
