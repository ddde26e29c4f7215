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
}
