import APIKit
import Testing

/// Headers and caching.
@Suite(.httpbin, .timeLimit(.minutes(10))) struct HeaderTests {
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

    @Test func nothingIsCached() async throws {
        for _ in 0..<2 {
            let reply = try await URLSession.api.reply(to: Get("cache/60", as: Echo.self))
            #expect(reply.head.headers["Cache-Control"] == "public, max-age=60")
            #expect(reply.model.header("If-None-Match") == nil)
            #expect(reply.head.headers["Age"] == nil)
        }
    }
}
