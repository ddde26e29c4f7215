import APIKitCore
import Testing

@testable import APIKitOAuth

@Suite struct StoredAccountTests {
    private static let account = StoredAccount(
        tokens: OAuthTokens(
            accessToken: "secret-access", refreshToken: "secret-refresh", expires: Date(timeIntervalSince1970: 1),
            scopes: ["read"], idToken: "secret-id"),
        client: RegisteredClient(
            id: "app", secret: "secret-client", authenticationMethod: "client_secret_basic",
            redirectURI: "http://127.0.0.1:1/callback"))

    @Test func descriptionsMaskSecrets() throws {
        let account = Self.account
        let values: [Any] = [account, try #require(account.tokens), try #require(account.client), [account]]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] { #expect(!text.contains("secret-")) }
        }
    }

    @Test func descriptionsShowTheRest() {
        let text = "\(Self.account)"
        for part in ["read", "Bearer", "app", "client_secret_basic", "accessToken: ***", "secret: ***"] {
            #expect(text.contains(part))
        }
        #expect("\(StoredAccount())" == "StoredAccount()")
    }

    @Test func survivesCoding() throws {
        let data = try JSONEncoder().encode(Self.account)
        #expect(try JSONDecoder().decode(StoredAccount.self, from: data) == Self.account)
    }
}
