import APIKit
import Testing

/// The locations that servers give; which redirects are followed, and how, is the same for all engines.
@Suite(.httpbin, .timeLimit(.minutes(10))) struct RedirectTests {
    private func redirect(to location: String) -> Get<Echo> {
        Get("redirect-to", as: Echo.self, parameters: ["url": location, "status_code": 302])
    }

    @Test(arguments: [
        "/anything/x?y=z%20", "anything/x?y=z%20", "\(HTTPBin.url)/anything/x?y=z%20", "./anything/x?y=z ",
    ])
    func followsAbsoluteAndRelativeLocations(location: String) async throws {
        let echo = try await URLSession.api.send(redirect(to: location))
        #expect(echo.url.hasPrefix("\(HTTPBin.url)/anything/x"))
        #expect(echo.args == ["y": "z "])
    }

    @Test func followsNestedRedirects() async throws {
        let location = "/redirect-to?url=/redirect-to%3Furl%3D/anything%253Fx%253D%252526"
        let reply = try await URLSession.api.reply(to: redirect(to: location))
        #expect(reply.model.args == ["x": "&"])
        #expect(reply.head.url.absoluteString == "\(HTTPBin.url)/anything?x=%26")
    }
}
