import APIKit
import Testing

/// Headers, cookies and caching.
@Suite(.httpbin, .timeLimit(.minutes(1))) struct HeaderTests {
    private struct Cookies: JSONAPIResponse, Equatable {
        let cookies: [String: String]
    }

    @Test func headersArriveUnchanged() async throws {
        let headers: HTTPHeaders = [
            "X-Plain": "a, b; c=\"d\"", "X-Empty-Looking": "-", "X-UPPER-lower": "x", .acceptLanguage: "de, en;q=0.5",
            "X-Long": String(repeating: "x", count: 4_000),
        ]
        let echo = try await URLSession.api.send(Anything(headers: headers))
        for field in headers {
            #expect(echo.header(field.name.rawValue) == field.value)
        }
    }

    @Test func repeatedHeadersArriveJoined() async throws {
        let echo = try await URLSession.api.send(Anything(headers: ["X-Tag": "a", "X-Other": "o", "x-tag": "b"]))
        #expect(echo.header("X-Tag")?.filter { $0 != " " } == "a,b")
    }

    @Test func sendsGivenUserAgent() async throws {
        struct Agent: JSONAPIResponse {
            let userAgent: String
            enum CodingKeys: String, CodingKey { case userAgent = "user-agent" }
        }
        let own = Get("user-agent", as: Agent.self, headers: [.userAgent: "MyApp/1.0 (test)"])
        #expect(try await URLSession.api.send(own).userAgent == "MyApp/1.0 (test)")
        #expect(try await URLSession.api.send(Get("user-agent", as: Agent.self)).userAgent.isEmpty == false)
    }

    @Test func acceptsTypesOfResponse() async throws {
        struct Own: HTTPBinRequest {
            typealias Response = Echo
            typealias Failure = ProblemDetails
            var path: URLPath { "anything" }
        }
        #expect(try await URLSession.api.send(Own()).header("Accept") == "application/json, application/problem+json")
        let headers: HTTPHeaders = [.accept: "application/vnd.api+json"]
        #expect(try await URLSession.api.send(Anything(headers: headers)).header("Accept") == headers[.accept])
    }

    @Test func responseHeadersAreRead() async throws {
        let parameters: Parameters = ["X-One": "1", "X-Two": "a", "X-Two": "b", "ETag": "\"x\""]
        let reply = try await URLSession.api.reply(
            to: Get("response-headers", as: NoContent.self, parameters: parameters))
        #expect(reply.head.headers["x-one"] == "1")
        #expect(reply.head.headers["x-two"] == "a, b")
        #expect(reply.head.headers[.eTag] == "\"x\"")
        #expect(reply.head.contentType?.rawValue == "application/json")
    }

    // MARK: - Cookies

    @Test func cookiesDoNotLeakIntoOtherRequests() async throws {
        let session = URLSession.api()
        let set = Get("cookies/set", as: Cookies.self, parameters: ["leak": "1"])
        #expect(try await session.send(set).cookies == [:])
        #expect(try await session.send(Get("cookies", as: Cookies.self)).cookies == [:])
        #expect(try await URLSession.api.send(Get("cookies", as: Cookies.self)).cookies == [:])
    }

    @Test func cookieOfServerIsVisible() async throws {
        let options = RequestOptions(redirects: .refuse)
        let error = try await failure(of: Get("cookies/set/name/value", options: options))
        #expect(error.response?.head.headers[.setCookie] == "name=value; Path=/")
    }

    @Test func sendsGivenCookie() async throws {
        let request = Get("cookies", as: Cookies.self, headers: [.cookie: "a=1; b=2"])
        #expect(try await URLSession.api.send(request).cookies == ["a": "1", "b": "2"])
    }

    // MARK: - Caching

    @Test func notModifiedIsRejection() async throws {
        let requests = [
            Get("etag/abc", as: Data.self, headers: [.ifNoneMatch: "\"abc\""]),
            Get("cache", as: Data.self, headers: ["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"]),
        ]
        for request in requests {
            let error = try await failure(of: request)
            guard case .rejected(_, let response) = error else { throw error }
            #expect(response.head.status == 304)
        }
    }

    @Test func failedPreconditionIsRejection() async throws {
        let request = Get("etag/abc", headers: ["If-Match": "\"other\""])
        let error = try await failure(of: request)
        #expect(error.status == 412)
    }

    @Test func readsModifiedResourceWithItsETag() async throws {
        let request = Get("etag/abc", as: Echo.self, headers: [.ifNoneMatch: "\"older\""])
        let reply = try await URLSession.api.reply(to: request)
        #expect(reply.head.headers[.eTag] == "abc")
        #expect(reply.model.header("If-None-Match") == "\"older\"")
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
