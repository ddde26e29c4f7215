import APIKitCore
import Foundation
import Testing

@testable import APIKitOAuth

@Suite struct AuthorizationRedirectTests {
    /// A redirect URI, where a sign-in ended, and whether that is the redirect URI.
    private static let addresses: [(registered: String, redirect: String, isSame: Bool)] = [
        ("com.example.MyApp:/callback", "com.example.myapp:/callback", true),
        ("com.example.MyApp:/Callback", "com.example.myapp:/callback", false),
        ("com.example.MyApp:/callback", "com.example.myapp2:/callback", false),
        ("com.example.MyApp://callback", "com.example.myapp://callback/", true),
        ("https://example.com", "https://example.com/", true),
        ("https://example.com/", "https://example.com", true),
        ("HTTPS://Example.com/a", "https://example.COM/a", true),
        ("https://example.com/a", "https://example.com/A", false),
        ("https://example.com/a", "https://example.com/a/", false),
        ("https://example.com", "https://example.com//", false),
        ("https://example.com", "https://example.com.attacker.test", false),
        ("https://example.com", "https://example.com:444/", false),
        ("https://example.com", "http://example.com/", false),
        ("https://example.com", "https://User@example.com", false),
        ("https://example.com/%41", "https://example.com/A", false),
        ("app:callback", "app:/callback", false),
        ("app:/callback", "app:///callback", false),
    ]

    /// An `ASWebAuthenticationSession` returns the scheme in lower case, and a browser adds the path of a URL with a
    /// host.
    @Test(arguments: addresses) func schemeAndHostAreComparedWithoutCase(
        address: (registered: String, redirect: String, isSame: Bool)
    ) throws {
        let server = try AuthorizationServer(OAuthEndpoints(token: "https://auth.example.com/token"))
        let redirect = AuthorizationRedirect(try #require(URL(string: "\(address.redirect)?code=c&state=s")))
        let isSame = (try? redirect.check(redirectURI: address.registered, state: "s", server: server)) != nil
        #expect(isSame == address.isSame)
    }
}
