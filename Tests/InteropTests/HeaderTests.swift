import APIKit
import Testing

/// Headers, cookies and caching.
@Suite(.httpbin, .timeLimit(.minutes(1))) struct HeaderTests {
    private struct Cookies: JSONResponse, Equatable { let cookies: [String: String] }

    @Test func headersArriveUnchangedAndRepeatedOnesJoined() async throws {
        let headers: HTTPHeaders = [
            "X-Plain": "a, b; c=\"d\"", "X-Tag": "a", "X-Empty-Looking": "-", "X-UPPER-lower": "x",
            .acceptLanguage: "de, en;q=0.5", "X-Long": String(repeating: "x", count: 4_000), "x-tag": "b",
            .accept: "application/vnd.api+json", .userAgent: "MyApp/1.0 (test)",
        ]
        let echo = try await URLSession.api.send(Anything(headers: headers))
        for field in headers where field.name != "X-Tag" { #expect(echo.header(field.name.rawValue) == field.value) }
        #expect(echo.header("X-Tag")?.filter { $0 != " " } == "a,b")
    }

    @Test func cookiesDoNotLeakIntoOtherRequests() async throws {
        let session = URLSession.api()
        let set = Get("cookies/set", as: Cookies.self, parameters: ["leak": "1"])
        #expect(try await session.send(set).cookies == [:])
        #expect(try await session.send(Get("cookies", as: Cookies.self)).cookies == [:])
        let given = Get("cookies", as: Cookies.self, headers: [.cookie: "a=1; b=2"])
        #expect(try await session.send(given).cookies == ["a": "1", "b": "2"])
        #expect(try await URLSession.api.send(Get("cookies", as: Cookies.self)).cookies == [:])
    }

    /// A validator, or a precondition, that the server answers without a body or with a failure.
    @Test(
        arguments: [
            ("etag/abc", [.ifNoneMatch: "\"abc\""], 304), ("etag/abc", ["If-Match": "\"other\""], 412),
            ("cache", ["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], 304),
        ] as [(URLPath, HTTPHeaders, Int)])
    func conditionThatDoesNotHoldIsRejection(path: URLPath, headers: HTTPHeaders, status: Int) async throws {
        #expect(try await failure(of: Get(path, headers: headers)).rejection?.response.head.status == status)
    }

    @Test func nothingIsCached() async throws {
        for _ in 0..<2 {
            let reply = try await URLSession.api.reply(to: Get("cache/60", as: Echo.self))
            #expect(reply.head.headers["Cache-Control"] == "public, max-age=60")
            #expect(reply.model.header("If-None-Match") == nil)
            #expect(reply.head.headers["Age"] == nil)
        }
    }
}
