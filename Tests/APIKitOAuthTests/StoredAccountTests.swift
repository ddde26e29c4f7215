import APIKitCore
import Testing

@testable import APIKitOAuth

@Suite struct StoredAccountTests {
    private static let account = StoredAccount(
        tokens: OAuthTokens(
            accessToken: "secret-access", refreshToken: "secret-refresh", expires: Date(timeIntervalSince1970: 1),
            scopes: ["read"], requestedScopes: ["read", "write"], idToken: "secret-id",
            additionalParameters: ["instance_url": "secret-instance", "number": 1.5]),
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

    /// What no encoder of Foundation can represent, or no decoder reads.
    @Test func unusualParametersSurviveCoding() throws {
        let deep = String(repeating: "[", count: 99) + String(repeating: "]", count: 99)
        let text = #"{"a": 1e400, "b": 0.1234567890123456789012345678901234567890123456789, "c": \#(deep)}"#
        let parameters = try JSONReader().decode(JSONValue.self, from: Data(text.utf8))
        let tokens = OAuthTokens(accessToken: "x", additionalParameters: parameters)
        #expect(tokens.additionalParameters == parameters)
        let data = try JSONEncoder().encode(["key": StoredAccount(tokens: tokens)])
        #expect(try JSONDecoder().decode([String: StoredAccount].self, from: data)["key"]?.tokens == tokens)
    }

    @Test func survivesCoding() throws {
        let data = try JSONEncoder().encode(Self.account)
        #expect(try JSONDecoder().decode(StoredAccount.self, from: data) == Self.account)
    }
}
