import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct MethodTests {
    private struct Named<Response: APIResponse>: HTTPBinRequest {
        var method: HTTPMethod
        var path: URLPath
    }

    @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete])
    func reachesEndpointOfMethod(method: HTTPMethod) async throws {
        let endpoint = Named<Echo>(method: method, path: "\(method.rawValue.lowercased())")
        let echo = try await URLSession.api.send(endpoint)
        #expect(echo.url == "\(HTTPBin.url)/\(method.rawValue.lowercased())")
    }

    @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete, .trace])
    func sendsMethod(method: HTTPMethod) async throws {
        let echo = try await URLSession.api.send(Anything(method: method))
        #expect(echo.method == method.rawValue)
    }

    @Test func readsHeadersOfHEAD() async throws {
        let reply = try await URLSession.api.reply(to: Named<Data>(method: .head, path: "bytes/5000"))
        #expect(reply.model.isEmpty)
        #expect(reply.head.status == 200)
        #expect(reply.head.headers[.contentLength] == "5000")
    }

    @Test func readsAllowedMethodsOfOPTIONS() async throws {
        let reply = try await URLSession.api.reply(to: Named<NoContent>(method: .options, path: "redirect-to"))
        let allowed = reply.head.headers["Allow"]?.split(separator: ", ").map(String.init) ?? []
        #expect(Set(allowed).isSuperset(of: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]))
    }

    @Test(arguments: [HTTPMethod.put, "PURGE"])
    func methodThatIsNotAllowedIsRejected(method: HTTPMethod) async throws {
        let error = try await failure(of: Named<NoContent>(method: method, path: "get"))
        #expect(error.status == 405)
        #expect(error.description.hasPrefix("\(method) "))
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch])
    func sendsEmptyBody(method: HTTPMethod) async throws {
        let echo = try await URLSession.api.send(AnythingInBody(method: method, body: nil))
        #expect(echo.data == "")
        #expect(echo.form == [:])
        #expect(echo.header("Content-Length") ?? "0" == "0")
    }

    @Test func sendsBodyWithDELETE() async throws {
        let body = RequestBody.data(Data("gone".utf8), contentType: "text/plain")
        let echo = try await URLSession.api.send(AnythingInBody(method: .delete, body: body))
        #expect(echo.method == "DELETE")
        #expect(echo.data == "gone")
    }
}
