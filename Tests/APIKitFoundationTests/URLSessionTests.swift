#if os(Linux)
import APIKit
import APIKitTestServer
import EngineConformance
import TestTraits
import Testing

@testable import APIKitFoundation

/// Sessions on Linux, where libcurl carries what they send.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct URLSessionTests {
    private let url = URL(string: "http://127.0.0.1:9/")!  // a valid literal

    private func session(_ change: (URLSessionConfiguration) -> Void = { _ in }) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        change(configuration)
        return URLSession(configuration: configuration)
    }

    @Test(arguments: [URLSession.shared, .api]) func sendsABodyOnce(session: URLSession) async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 1}"#) }
        let body = RequestBody.data(Data("name=Ann".utf8), contentType: "application/x-www-form-urlencoded")
        let response = try await session.perform(HTTPRequest(method: .post, url: server.url, body: body))
        #expect(response.body.data == Data(#"{"id": 1}"#.utf8))
        #expect(server.requests.map(\.body) == [Data("name=Ann".utf8)])
    }

    @Test func deliversStreamsAndFiles() async throws {
        let bytes = Data(repeating: 7, count: 1 << 20)
        let server = try LoopbackServer { _ in .status(200, body: bytes) }
        let stream = try await URLSession.shared.perform(HTTPRequest(url: server.url, delivery: .stream))
        #expect(try await stream.body.bytes.data(upTo: 2 << 20) == bytes)
        let file = try await URLSession.shared.perform(HTTPRequest(url: server.url, delivery: .file))
        #expect(try Data(contentsOf: #require(file.body.file)) == bytes)
    }

    @Test func sendsThousandsOfRequests() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 1}"#) }
        let request = Probe<Item>(base: APIBase(server.url))
        let rounds = Effort.rounds(100, thorough: 1_000)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    var count = 0
                    for _ in 0..<rounds { count += try await URLSession.shared.send(request).id }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 10 * rounds)
        // The session's own limit of connections to a host.
        #expect(server.openConnections <= 6)
    }

    @Test func addsHeadersOfItsConfiguration() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = session { $0.httpAdditionalHeaders = ["X-Team": "blue", "Accept": "text/plain"] }
        _ = try await session.perform(HTTPRequest(url: server.url, headers: [.accept: "text/html"]))
        #expect(server.requests.first?.values(of: "X-Team") == ["blue"])
        #expect(server.requests.first?.values(of: "Accept") == ["text/html"])
    }

    // MARK: - Refusals

    private final class Delegate: NSObject, URLSessionDelegate {}

    @Test func delegateIsRefused() async throws {
        let own = URLSession(configuration: .ephemeral, delegate: Delegate(), delegateQueue: nil)
        for session in [own, URLSession.api(delegate: Delegate())] {
            let error = await #expect(throws: TransportError.self) { try await session.perform(HTTPRequest(url: url)) }
            #expect(error?.code == .unsupported)
            #expect(error?.message?.contains("use URLSession.api, or a CurlClient") == true)
            session.invalidateAndCancel()
        }
    }

    /// Foundation releases a session's delegate then, and with it what a delegate would know of pins.
    @Test func invalidatedSessionKeepsItsPins() throws {
        let pins = try #require(
            PublicKeyPins(
                "YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=",
                backup: "YmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI="))
        let session = URLSession.api(pins: pins)
        session.invalidateAndCancel()
        #expect((session as? APISession)?.engine === SessionEngine.shared(for: .api, pins: pins))
        #expect(SessionEngine.shared(for: .api, pins: pins) !== SessionEngine.shared(for: .api))
        #expect(SessionEngine.shared(for: .api, pins: pins) === SessionEngine.shared(for: .api, pins: pins))
    }

    @Test func masksAKeyThatAClientHasSetAndTheServerRepeats() async throws {
        let server = try LoopbackServer { request in
            .status(403, body: Data("bad key: \(request.values(of: "X-Api-Key").first ?? "")".utf8))
        }
        let client = URLSession.api.intercepted { request, _, next in
            var request = request
            request.headers["X-Api-Key"] = "secret-key-1234"
            return try await next(request)
        }
        let error = try await client.failure(of: Probe<Item>(base: APIBase(server.url)))
        #expect(error.response?.description.contains("bad key: ***") == true)
        #expect(!error.description.contains("secret-key-1234"))
    }

    // MARK: - Cookies

    /// Has a server set cookies by its answer to a first request, and returns those of a second one.
    private func cookies(
        settingBy headers: [String], at path: String = "a/b", _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> String? {
        let server = try LoopbackServer { request in
            .status(200, headers: request.path == "/set" ? headers.map { ("Set-Cookie", $0) } : [])
        }
        let session = session(change)
        for path in ["set", path] {
            _ = try await session.perform(HTTPRequest(url: server.url.appendingPathComponent(path)))
        }
        return server.requests.last?.values(of: "Cookie").first
    }

    @Test(
        arguments: [
            (["a=1", "b=2; Path=/a; HttpOnly"], "b=2; a=1"), (["a=1; Path=/x"], nil), (["a=1; Path=/a/"], "a=1"),
            (["ab=1; Path=/a/bc"], nil), (["a=1; Secure"], nil), (["a=1; Domain=evil.example"], nil),
            (["a=1; Domain=0.0.1"], nil), (["a=1; Max-Age=0"], nil), (["a=1; Max-Age=60; Expires=0"], "a=1"),
            (["a=1", "a=; Max-Age=-1"], nil), (["a=1", "a=2"], "a=2"), (["a=1; Max-Age=99999999999999999999"], "a=1"),
            (["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT"], nil), (["=", ";", "a", "a=x y", ""], "a=x y"),
        ] as [([String], String?)])
    func keepsCookiesByTheirRules(headers: [String], expected: String?) async throws {
        #expect(try await cookies(settingBy: headers) == expected)
    }

    @Test func keepsCookiesAsConfigured() async throws {
        #expect(try await cookies(settingBy: ["a=1"]) { $0.httpShouldSetCookies = false } == nil)
        #expect(try await cookies(settingBy: ["a=1"]) { $0.httpCookieAcceptPolicy = .never } == nil)
        #expect(try await cookies(settingBy: ["a=1"]) { $0.httpCookieStorage = nil } == nil)
    }

    @Test func requestMayHaveACookieOfItsOwn() async throws {
        let server = try LoopbackServer { _ in .status(204, headers: [("Set-Cookie", "a=1")]) }
        let session = session()
        for headers: HTTPHeaders in [[:], [:], [.cookie: "b=2"]] {
            _ = try await session.perform(HTTPRequest(url: server.url, headers: headers))
        }
        #expect(server.requests.map { $0.values(of: "Cookie") } == [[], ["a=1"], ["b=2"]])
    }

    @Test func expiredCookieIsNotSent() async throws {
        let headers = [("Set-Cookie", "a=1; Max-Age=1"), ("Set-Cookie", "b=2")]
        let server = try LoopbackServer { .status(200, headers: $0.path == "/set" ? headers : []) }
        let session = session()
        for path in ["set", "later"] {
            _ = try await session.perform(HTTPRequest(url: server.url.appendingPathComponent(path)))
            // Cookies expire by the clock of the system.
            if path == "set" { try await Task.sleep(for: .seconds(1.5)) }
        }
        #expect(server.requests.last?.values(of: "Cookie") == ["b=2"])
    }

    @Test func cookieOfTheProgramCannotInject() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let session = session { configuration in
            for (name, value) in [("a", "1\r\nX-Evil: 1"), ("b", "2")] {
                let cookie = HTTPCookie(properties: [
                    .name: name, .value: value, .domain: "127.0.0.1", .path: "/",
                ])
                if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
            }
        }
        _ = try await session.perform(HTTPRequest(url: server.url))
        #expect(server.requests.first?.values(of: "Cookie") == ["b=2"])
        #expect(server.requests.first?.values(of: "X-Evil") == [])
    }

    /// Each origin gets its own cookies, also after a redirect from another one.
    @Test func cookiesFollowRedirects() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try LoopbackServer { [url = other.url] _ in
            let location = url.absoluteString.replacingOccurrences(of: "127.0.0.1", with: "localhost")
            return .status(302, headers: [("Location", location), ("Set-Cookie", "own=1")])
        }
        let session = session { configuration in
            let cookie = HTTPCookie(properties: [.name: "a", .value: "1", .domain: "localhost", .path: "/"])
            if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
        }
        for _ in 0..<2 { #expect(try await session.send(Probe<String>(base: APIBase(server.url))) == "other") }
        #expect(server.requests.map { $0.values(of: "Cookie") } == [[], ["own=1"]])
        #expect(other.requests.map { $0.values(of: "Cookie") } == [["a=1"], ["a=1"]])
    }
}
#endif
