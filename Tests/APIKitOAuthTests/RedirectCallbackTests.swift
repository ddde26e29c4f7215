import Testing

@testable import APIKitOAuth

@Suite struct RedirectCallbackTests {
    @Test func schemeOfAnAppIsEnough() throws {
        #expect(try RedirectCallback(redirectURI: "com.example.MyApp:/callback") == .scheme("com.example.MyApp"))
        #expect(try RedirectCallback(redirectURI: "app:") == .scheme("app"))
    }

    @Test func httpsNeedsAHostAndAPath() throws {
        let callback = try RedirectCallback(redirectURI: "HTTPS://example.com/a/b?c=d")
        #expect(callback == .https(host: "example.com", path: "/a/b"))
        for uri in ["https://example.com", "https:///callback", "https:callback", "https://"] {
            let error = #expect(throws: OAuthError.self) { try RedirectCallback(redirectURI: uri) }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.message.contains("https://example.com/callback") == true)
        }
    }

    /// The system ends an app that names one of these schemes.
    @Test(arguments: ["http://127.0.0.1/callback", "HTTP://localhost:8080/", "", "callback", "//example.com/a", ":"])
    func otherRedirectURIsAreErrors(uri: String) {
        let error = #expect(throws: OAuthError.self) { try RedirectCallback(redirectURI: uri) }
        #expect(error?.code == .invalidConfiguration)
    }
}
