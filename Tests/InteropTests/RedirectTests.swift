import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct RedirectTests {
    /// Is redirected to a location, with a body if the method has one.
    private struct RedirectTo<Response: APIResponse>: HTTPBinRequest {
        var method: HTTPMethod = .get
        var location: String
        var status: Int? = 302
        var headers: HTTPHeaders = [:]
        var path: URLPath { "redirect-to" }
        var query: Parameters { ["url": location, "status_code": status] }
        var body: RequestBody? {
            [.post, .put, .patch, .delete].contains(method) ? .form(["name": "a b"]) : nil
        }

        init(
            _ location: String, as response: Response.Type = Echo.self, method: HTTPMethod = .get, status: Int? = 302,
            headers: HTTPHeaders = [:]
        ) {
            self.location = location
            self.method = method
            self.status = status
            self.headers = headers
        }
    }

    @Test(arguments: ["redirect/5", "relative-redirect/5", "absolute-redirect/5", "redirect/20"] as [URLPath])
    func followsRedirects(path: URLPath) async throws {
        let reply = try await URLSession.api.reply(to: Get(path, as: Echo.self))
        #expect(reply.head.status == 200)
        #expect(reply.head.url.absoluteString == "\(HTTPBin.url)/get")
    }

    @Test func followsAbsoluteAndRelativeLocations() async throws {
        let locations = [
            "/anything/x?y=z%20", "anything/x?y=z%20", "\(HTTPBin.url)/anything/x?y=z%20", "./anything/x?y=z ",
        ]
        for location in locations {
            let echo = try await URLSession.api.send(RedirectTo(location))
            #expect(echo.url.hasPrefix("\(HTTPBin.url)/anything/x"))
            #expect(echo.args == ["y": "z "])
        }
    }

    /// RFC 9110, section 15.4: which statuses keep the method and the body.
    @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete], [301, 302, 303, 307, 308])
    func keepsMethodAndBodyDependingOnStatus(method: HTTPMethod, status: Int) async throws {
        let echo = try await URLSession.api.send(RedirectTo("/anything", method: method, status: status))
        let becomesGET = status == 303 || (status < 303 && method == .post)
        let hasBody = method != .get && !becomesGET
        #expect(echo.method == (becomesGET ? "GET" : method.rawValue))
        #expect(echo.form == (hasBody ? ["name": "a b"] : [:]))
        #expect((echo.header("Content-Type") != nil) == hasBody)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func keepsHEAD(status: Int) async throws {
        let request = RedirectTo("/bytes/77", as: Data.self, method: .head, status: status)
        let reply = try await URLSession.api.reply(to: request)
        #expect(reply.model.isEmpty)
        #expect(reply.head.headers[.contentLength] == "77")
        #expect(reply.head.url.path == "/bytes/77")
    }

    @Test(arguments: [300, 304, 305, 306])
    func doesNotFollowOtherStatuses(status: Int) async throws {
        let error = try await failure(of: RedirectTo("/anything", status: status))
        #expect(error.status == status)
    }

    @Test func stopsAtLimit() async throws {
        for (hops, limit) in [(21, 20), (3, 2), (1, 0)] {
            let options = RequestOptions(redirects: .follow(limit: limit))
            let error = try await failure(of: Get("redirect/\(hops)", options: options))
            #expect(error.transportCode == .tooManyRedirects)
        }
        let exactly = Get("redirect/2", as: Echo.self, options: RequestOptions(redirects: .follow(limit: 2)))
        #expect(try await URLSession.api.send(exactly).url == "\(HTTPBin.url)/get")
    }

    @Test func followsNestedRedirects() async throws {
        let location = "/redirect-to?url=/redirect-to%3Furl%3D/anything%253Fx%253D%252526"
        let reply = try await URLSession.api.reply(to: RedirectTo(location))
        #expect(reply.model.args == ["x": "&"])
        #expect(reply.head.url.absoluteString == "\(HTTPBin.url)/anything?x=%26")
    }

    @Test func doesNotFollowEmptyLocation() async throws {
        let error = try await failure(of: RedirectTo(""))
        #expect(error.status == 302 || error.transportCode == .tooManyRedirects)
    }

    @Test func refusePolicyReturnsRedirect() async throws {
        let error = try await failure(of: Get("redirect/3", options: RequestOptions(redirects: .refuse)))
        guard case .rejected(_, let response) = error else { throw error }
        #expect(response.head.status == 302)
        #expect(response.head.headers[.location] == "/relative-redirect/2")
    }

    @Test(arguments: ["ftp://example.com/", "file:///etc/passwd", "mailto:a@example.com"])
    func refusesOtherSchemes(location: String) async throws {
        let error = try await failure(of: RedirectTo(location))
        #expect([.redirectRefused, .badResponse].contains(error.transportCode))
    }

    @Test func keepsCredentialsOnSameOriginOnly() async throws {
        let headers: HTTPHeaders = [
            .authorization: "Bearer token", .cookie: "a=b", "X-Api-Key": "key", "X-Plain": "plain",
            .accept: "text/x-own",
        ]
        let same = try await URLSession.api.send(RedirectTo("/anything", headers: headers))
        #expect(same.header("Authorization") == "Bearer token")
        #expect(same.header("Cookie") == "a=b")
        #expect(same.header("X-Api-Key") == "key")

        let other = try await URLSession.api.send(RedirectTo("\(HTTPBin.otherOrigin)/anything", headers: headers))
        #expect(other.url.hasPrefix("\(HTTPBin.otherOrigin)"))
        #expect(other.header("Authorization") == nil)
        #expect(other.header("Cookie") == nil)
        #expect(other.header("X-Api-Key") == nil)
        #expect(other.header("X-Plain") == nil)
        #expect(other.header("Accept") == "text/x-own")
    }
}
