import APIKit
import APIKitOAuth
import APIKitTesting
import Testing

#if canImport(AuthenticationServices)
import AuthenticationServices
#endif

// The code of the article SigningInWithOAuth, and of the doc comments of APIKitOAuth, unchanged.

#if os(macOS) || os(Linux)
func signIn(folder: URL) async throws {
    let account = OAuth(
        issuer: "https://auth.example.com", clientID: "my-app", scopes: ["read"],
        store: .file(folder.appending(path: "tokens.json")),
        flow: .authorizationCode(present: .browser))
    let client = URLSession.api.authorized(by: account, for: .shop)
    let users = try await client.send(UsersRequest())  // opens the browser once
    _ = users
}
#endif

#if os(iOS) || os(macOS) || os(visionOS)
func accountOfApp(window: ASPresentationAnchor) -> OAuth {
    let account = OAuth(
        issuer: "https://auth.example.com", clientID: "my-app", scopes: ["read"],
        store: .keychain("com.example.app"),
        flow: .authorizationCode(
            present: .webAuthenticationSession(redirectURI: "com.example.app:/callback") {
                window
            }))
    return account
}
#endif

func accountWithButton(_ presentation: AuthorizationPresentation) -> OAuth {
    let account = OAuth(
        issuer: "https://auth.example.com", clientID: "my-app",
        flow: .authorizationCode(present: presentation), signsInAutomatically: false)
    return account
}

@MainActor final class AccountModel {
    let account: OAuth
    var isSignedIn = false
    var message: String?

    init(account: OAuth) { self.account = account }

    func signIn() async {
        do {
            try await account.signIn()
            isSignedIn = true
        } catch let error as OAuthError where error.code == .cancelledByUser {
            // The user has closed the page.
        } catch {
            message = alertText(for: error)
        }
    }
}

func explainRefusal(account: OAuth) async throws {
    do {
        try await account.signIn()
    } catch let error as OAuthError where error.code == .refused {
        print(error.serverCode ?? "")  // for example access_denied
    }
}

#if os(macOS) || os(Linux)
func flowOfCommandLine(isRemote: Bool) -> OAuthFlow {
    let flow: OAuthFlow =
        isRemote
        ? .deviceCode { code in
            print("Open \(code.verificationURL) and enter \(code.userCode)")
        } : .authorizationCode(present: .browser)
    return flow
}
#endif

func flowWithDeviceCode() -> OAuthFlow {
    let flow = OAuthFlow.deviceCode { code in
        print("Open \(code.verificationURL) and enter \(code.userCode)")
    }
    return flow
}

func accountOfServer(secret: String) -> OAuth {
    let account = OAuth(
        issuer: "https://auth.example.com", clientID: "back-end",
        authentication: .basic(secret: secret), scopes: ["orders"],
        flow: .clientCredentials)
    return account
}

func authenticate(with privateKey: PrivateKey) -> ClientAuthentication {
    let authentication = ClientAuthentication.privateKeyJWT(algorithm: "ES256") { data in
        try privateKey.signature(for: data).rawRepresentation
    }
    return authentication
}

func accountAtGitHub(
    clientID: String, file: URL, show: @escaping @Sendable (DeviceAuthorization) async throws -> Void
) -> OAuth {
    let gitHub = OAuthEndpoints(
        authorization: "https://github.com/login/oauth/authorize",
        token: "https://github.com/login/oauth/access_token",
        deviceAuthorization: "https://github.com/login/device/code")
    let account = OAuth(
        endpoints: gitHub, clientID: clientID, scopes: ["read:user"],
        store: .file(file), flow: .deviceCode(show: show))
    return account
}

#if os(macOS) || os(Linux)
func clientOfMCPServer(file: URL) -> any APIClient {
    let mcp = OAuth(
        resource: "https://mcp.example.com/mcp",
        clients: [
            .preregistered("my-app", at: "https://auth.example.com"),
            .metadataDocument("https://example.com/my-app.json"),
            .dynamic(name: "My App"),
        ],
        store: .file(file), flow: .authorizationCode(present: .browser))
    let client = URLSession.api.authorized(by: mcp, for: "https://mcp.example.com/mcp")
    return client
}

func discoverAccount() -> OAuth {
    let account = OAuth(
        resource: "https://mcp.example.com/mcp", clients: [.dynamic(name: "My App")],
        flow: .authorizationCode(present: .browser))
    return account
}
#endif

func clientsOfProgram() -> [ClientRegistration] {
    let clients: [ClientRegistration] = [
        .preregistered("my-app", at: "https://auth.example.com"),
        .metadataDocument("https://example.com/my-app.json"),
        .dynamic(name: "My App"),
    ]
    return clients
}

func signOut(account: OAuth) async throws {
    try await account.signOut()
}

nonisolated protocol Database: Sendable {
    func value(for key: String) async throws -> Data?
    func setValue(_ value: Data?, for key: String) async throws
    func withLock<Value: Sendable>(
        on key: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value
}

nonisolated struct DatabaseStoreExample {
    struct DatabaseStore: TokenStore {
        let database: any Database
        let user: String

        func load(for key: String) async throws -> StoredAccount? {
            let data = try await database.value(for: "\(user) \(key)")
            return try data.map { try JSONDecoder().decode(StoredAccount.self, from: $0) }
        }

        func save(_ account: StoredAccount?, for key: String) async throws {
            let data = try account.map { try JSONEncoder().encode($0) }
            try await database.setValue(data, for: "\(user) \(key)")
        }

        func withLock<Value: Sendable>(
            for key: String, _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            try await database.withLock(on: "\(user) \(key)", body)
        }
    }
}

func needsSignIn(_ error: any APIFailure) -> Bool {
    let error = error.transportError?.underlying as? OAuthError
    return error?.code == .signInRequired
}

struct OAuthSnippetTests {
    @Test func tokenIsRenewedBeforeItExpires() async throws {
        let clock = ManualClock()
        let stub = StubClient(clock: clock)
            .answering(
                .post, "/token",
                once: .json(#"{"access_token": "first", "expires_in": 60}"#),
                .json(#"{"access_token": "second", "expires_in": 60}"#)
            )
            .answering(UsersRequest.self, with: .model([]))
        let account = OAuth(
            endpoints: OAuthEndpoints(token: "https://auth.example.com/token"),
            clientID: "back-end", authentication: .post(secret: "secret"),
            flow: .clientCredentials, client: stub)
        let client = stub.authorized(by: account, for: "https://api.github.com")

        _ = try await client.send(UsersRequest())
        clock.advance(by: .seconds(45))
        _ = try await client.send(UsersRequest())
        let tokens = stub.requests.compactMap { $0.headers[.authorization] }
        #expect(tokens == ["Bearer first", "Bearer second"])
    }

    @Test func presentationCanReturnTheRedirectAtOnce() async throws {
        let user = AuthorizationPresentation.custom(redirectURI: "app:/callback") { page in
            let items = URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems
            let state = items?.first { $0.name == "state" }?.value ?? ""
            return URL(string: "app:/callback?code=1234&state=\(state)")!
        }
        let stub = StubClient(.json(#"{"access_token": "token"}"#))
        let endpoints = OAuthEndpoints(
            authorization: "https://auth.example.com/authorize", token: "https://auth.example.com/token")
        let account = OAuth(
            endpoints: endpoints, clientID: "my-app", flow: .authorizationCode(present: user), client: stub)
        try await account.signIn()
        #expect(try await account.isSignedIn())
        #expect(stub.requests.map(\.url.path) == ["/token"])
    }
}
