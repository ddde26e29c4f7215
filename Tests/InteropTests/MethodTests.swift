import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(10))) struct MethodTests {
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
