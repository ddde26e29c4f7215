import APIKit
import APIKitTestServer
import APIKitTesting
import Testing

/// What needs no TLS, over loopback: method, body and credentials on the same origin and on another port.
@Suite struct RedirectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPMethod
        let isSameOrigin: Bool
        var testDescription: String { "\(status) \(method) to \(isSameOrigin ? "the same origin" : "another port")" }

        /// RFC 9110, section 15.4.
        var followedMethod: HTTPMethod {
            switch (status, method) {
            case (303, .head): .head
            case (303, _), (301, .post), (302, .post): .get
            default: method
            }
        }
    }

    static let cases = [301, 302, 303, 307, 308].flatMap { status in
        [HTTPMethod.get, .post, .put, .head].flatMap { method in
            [true, false].map { Case(status: status, method: method, isSameOrigin: $0) }
        }
    }

    @Test(arguments: cases) func isFollowed(_ test: Case) async throws {
        let other = try LoopbackServer { _ in .text("arrived") }
        let target = test.isSameOrigin ? "/next" : "\(other.url)/next"
        let first = try LoopbackServer { request in
            request.path == "/next" ? .text("arrived") : .status(test.status, headers: [("Location", target)])
        }
        let request = Probe<String>(
            baseURL: first.url, method: test.method, parameters: ["a": "b"],
            headers: [.authorization: "Bearer abc", "X-API-Key": "def", .cookie: "c=1", "X-Request-Id": "7"])
        _ = try await URLSession.api.send(request)

        let arrived = try #require((test.isSameOrigin ? first : other).requests.last)
        #expect(arrived.target == "/next")
        #expect(arrived.method == test.followedMethod.rawValue)
        let keepsBody = test.followedMethod == test.method && (test.method == .post || test.method == .put)
        #expect(arrived.body == Data((keepsBody ? "a=b" : "").utf8))
        #expect(arrived.values(of: "Content-Type") == (keepsBody ? ["application/x-www-form-urlencoded"] : []))
        #expect(arrived.values(of: "X-Request-Id") == ["7"])
        #expect(arrived.values(of: "Authorization") == (test.isSameOrigin ? ["Bearer abc"] : []))
        #expect(arrived.values(of: "X-API-Key") == (test.isSameOrigin ? ["def"] : []))
        #expect(arrived.values(of: "Cookie") == (test.isSameOrigin ? ["c=1"] : []))
    }

    @Test func theFinalURLIsTold() async throws {
        let server = try LoopbackServer { request in
            request.path == "/probe" ? .status(302, headers: [("Location", "../b?c=d#e")]) : .text("")
        }
        let reply = try await URLSession.api.reply(to: Probe<String>(baseURL: server.url))
        #expect(reply.head.url.absoluteString == "\(server.url)/b?c=d")
    }

    @Test func aLoopEndsAtTheLimit() async throws {
        let server = try LoopbackServer { _ in .status(302, headers: [("Location", "/probe")]) }
        let request = Probe<String>(baseURL: server.url, options: RequestOptions(redirects: .follow(limit: 3)))
        let error = await #expect(throws: APIError<ServerError>.self) { try await URLSession.api.send(request) }
        #expect(error?.transportCode == .tooManyRedirects)
        #expect(server.requests.count == 4)
    }
}
