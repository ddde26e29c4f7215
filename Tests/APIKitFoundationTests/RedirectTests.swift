import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

/// What needs no TLS, over loopback: method, body and credentials on the same origin and on another port.
@Suite struct RedirectTests {
    /// RFC 9110, section 15.4.
    private func followedMethod(_ status: Int, _ method: HTTPMethod) -> HTTPMethod {
        switch (status, method) {
        case (303, .head): .head
        case (303, _), (301, .post), (302, .post): .get
        default: method
        }
    }

    private static let hops = [HTTPMethod.get, .post, .put, .head].flatMap { [($0, true), ($0, false)] }

    @Test(arguments: [301, 302, 303, 307, 308], hops)
    func isFollowed(status: Int, hop: (method: HTTPMethod, isSameOrigin: Bool)) async throws {
        let (method, isSameOrigin) = hop
        let other = try LoopbackServer { _ in .text("arrived") }
        let target = isSameOrigin ? "/next" : "\(other.url)/next"
        let first = try LoopbackServer { request in
            request.path == "/next" ? .text("arrived") : .status(status, headers: [("Location", target)])
        }
        let request = Probe<String>(
            base: APIBase(first.url), method: method, parameters: ["a": "b"],
            headers: [.authorization: "Bearer abc", "X-API-Key": "def", .cookie: "c=1", "X-Request-Id": "7"])
        let reply = try await URLSession.api.reply(to: request)
        #expect(reply.head.url.absoluteString == "\((isSameOrigin ? first : other).url)/next")

        let arrived = try #require((isSameOrigin ? first : other).requests.last)
        #expect(arrived.target == "/next")
        #expect(arrived.method == followedMethod(status, method).rawValue)
        let keepsBody = followedMethod(status, method) == method && [.post, .put].contains(method)
        #expect(arrived.body == Data((keepsBody ? "a=b" : "").utf8))
        #expect(arrived.values(of: "Content-Type") == (keepsBody ? ["application/x-www-form-urlencoded"] : []))
        #expect(arrived.values(of: "X-Request-Id") == ["7"])
        #expect(arrived.values(of: "Authorization") == (isSameOrigin ? ["Bearer abc"] : []))
        #expect(arrived.values(of: "X-API-Key") == (isSameOrigin ? ["def"] : []))
        #expect(arrived.values(of: "Cookie") == (isSameOrigin ? ["c=1"] : []))
    }
}
