import APIKitCore
import APIKitSupport
import Testing

@testable import APIKitOAuth

@Suite(.timeLimit(.minutes(10))) struct AuthorizationPresentationTests {
    @Test func customPresentationReturnsItsRedirect() async throws {
        let presentation = AuthorizationPresentation.custom(redirectURI: "app:/callback") { page in
            try #require(URL(string: "app:/callback?page=\(page.host() ?? "")"))
        }
        let session = try await presentation.begin("http://127.0.0.1:1/callback")
        #expect(session.redirectURI == "app:/callback")
        let page = try #require(URL(string: "https://auth.example.com/authorize"))
        #expect(try await session.present(page).absoluteString == "app:/callback?page=auth.example.com")
        session.end()
    }

    #if os(macOS) || os(Linux)
    /// The program gets the URL as one argument, and no shell reads it.
    @Test(arguments: ["https://auth.example.com/a?b=c&d=$(e)%20f;g", "http://127.0.0.1:1/'%22"])
    func browserGetsTheURL(text: String) async throws {
        let url = try #require(URL(string: text))
        let shown = Waiter<String>()
        // The script fails if it gets the URL, and thereby has it shown.
        let script = #"[ "$#" = 2 ] && [ "$1" != "$2" ]"#
        let browser = Browser(command: ["/bin/sh", "-c", script, "sh", url.absoluteString]) {
            shown.resume(with: .success($0))
        }
        try browser.open(url)
        #expect(try await shown.value().contains("\n\(url.absoluteString)\n"))
    }

    @Test func missingBrowserShowsTheURL() async throws {
        let url = try #require(URL(string: "https://auth.example.com/a"))
        for command in [["/nonexistent/browser"], ["/usr/bin/env", "nonexistent-browser"]] {
            let shown = Waiter<String>()
            try Browser(command: command) { shown.resume(with: .success($0)) }.open(url)
            #expect(try await shown.value().contains("\n\(url.absoluteString)\n"))
        }
    }

    /// The authorization endpoint may come from a server that cannot be trusted.
    @Test(arguments: ["file:///bin/sh", "javascript:alert(1)", "-a", "custom://x", "/bin/sh"])
    func onlyWebPagesAreOpened(text: String) throws {
        let url = try #require(URL(string: text))
        let browser = Browser(command: ["/usr/bin/env", "false"]) { _ in }
        let error = #expect(throws: OAuthError.self) { try browser.open(url) }
        #expect(error?.code == .presentationFailed)
    }
    #endif
}
