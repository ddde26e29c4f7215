import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// Clients that prove who they are with a private key (RFC 7523).
@Suite(.exclusive, .timeLimit(.minutes(10))) struct ClientAssertionTests {
    /// Stands in for a signature algorithm: the bytes and a key.
    private static func signature(of data: Data) -> Data { (data + Data("key".utf8)).sha256 }

    private static func server() throws -> OAuthServer {
        let authentication = ServerClient.Authentication.privateKeyJWT(algorithm: "ES256") { signed, signature in
            signature == Self.signature(of: signed)
        }
        return try OAuthServer(
            ServerBehavior(
                clients: [ServerClient(id: "back end", authentication: authentication)], issuesRefreshTokens: false))
    }

    private static func account(
        _ server: OAuthServer, sign: @escaping @Sendable (Data) async throws -> Data
    ) -> OAuth {
        OAuth(
            issuer: server.issuer, clientID: "back end",
            authentication: .privateKeyJWT(algorithm: "ES256", keyID: "7", sign: sign), flow: .clientCredentials,
            client: network)
    }

    @Test func assertionIsForThisServerAndAMinute() async throws {
        let server = try Self.server()
        let account = Self.account(server) { Self.signature(of: $0) }
        try await account.signIn()
        try await account.signOut()
        try await account.signIn()
        let assertions = server.requests(to: .token).compactMap { SignedToken($0.fields["client_assertion"] ?? "") }
        #expect(assertions.count == 2 && Set(assertions.map { $0.claims["jti"]?.string }).count == 2)
        let assertion = try #require(assertions.first)
        #expect(assertion.header["kid"]?.string == "7")
        #expect(assertion.claims["aud"]?.string == server.issuer)
        let issued = try #require(assertion.claims["iat"]?.number?.double)
        #expect(assertion.claims["exp"]?.number?.double == issued + 60)
    }

    @Test func wrongSignatureIsRefused() async throws {
        let server = try Self.server()
        let account = Self.account(server) { _ in Data("forged".utf8) }
        let error = await #expect(throws: OAuthError.self) { try await account.signIn() }
        #expect(server.requests(to: .token).count == 1)
        #expect(error?.code == .refused && error?.serverCode == "invalid_client")
        #expect(server.requests(to: .token).count == 1)
    }

    @Test func errorOfTheClosureIsThrown() async throws {
        struct KeyIsLocked: Error {}
        let server = try Self.server()
        let account = Self.account(server) { _ in throw KeyIsLocked() }
        await #expect(throws: KeyIsLocked.self) { try await account.signIn() }
        #expect(server.requests(to: .token).isEmpty)
    }

    // MARK: - Assertions of the program

    private static func accountWithAssertion(
        _ server: OAuthServer, _ assertion: @escaping @Sendable (ClientAssertionRequest) async throws -> String
    ) -> OAuth {
        OAuth(
            issuer: server.issuer, clientID: "back end", authentication: .privateKeyJWT(assertion: assertion),
            flow: .clientCredentials, client: network)
    }

    private static func assertion(_ request: ClientAssertionRequest) async throws -> String {
        try await JSONWebToken.clientAssertion(
            of: request.clientID, for: request.issuer ?? "", algorithm: "ES256", keyID: nil, now: Date(),
            sign: { Self.signature(of: $0) })
    }

    @Test func assertionOfTheProgramIsSent() async throws {
        let server = try Self.server()
        let requests = Recorder<ClientAssertionRequest>()
        let account = Self.accountWithAssertion(server) { request in
            requests.append(request)
            return try await Self.assertion(request)
        }
        try await account.signIn()
        try await account.signOut()
        // One for the token request, and one for the revocation.
        let expected = ClientAssertionRequest(
            clientID: "back end", issuer: server.issuer, tokenEndpoint: "\(server.issuer)/token")
        #expect(requests.values == [expected, expected])
        let form = try #require(server.requests(to: .token).first).fields
        #expect(form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(form["client_secret"] == nil && server.requests(to: .revoke).count == 1)
    }

    @Test(arguments: ["", "a.b.c\n", "a b", "é", "a\r\nX: y"]) func assertionThatCannotBeSentIsAnError(
        text: String
    ) async throws {
        let server = try Self.server()
        let error = await oauthError { try await Self.accountWithAssertion(server) { _ in text }.signIn() }
        #expect(error?.code == .invalidConfiguration && server.requests(to: .token).isEmpty)
    }

    @Test func errorOfTheAssertionIsThrown() async throws {
        struct KeyIsLocked: Error {}
        let server = try Self.server()
        let account = Self.accountWithAssertion(server) { _ -> String in throw KeyIsLocked() }
        await #expect(throws: KeyIsLocked.self) { try await account.signIn() }
    }

    /// The closure sleeps until it is cancelled; nothing else may be held up by it afterwards.
    @Test func assertionThatNeverComesEndsWithItsTask() async throws {
        let server = try Self.server()
        let begins = Waiter<Void>()
        let isHanging = Locked(true)
        let account = Self.accountWithAssertion(server) { request in
            begins.resume(with: .success(()))
            if isHanging.withLock({ $0 }) { return try await Waiter<String>().value() }
            return try await Self.assertion(request)
        }
        let task = Task { try await account.signIn() }
        try await begins.value()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        isHanging.withLock { $0 = false }
        try await account.signIn()
    }

    @Test func assertionIsQuotedInNoError() async throws {
        let server = try Self.server()
        server.change { behavior in
            behavior.intercept = { endpoint, _ in
                guard endpoint == .token else { return nil }
                return .json(#"{"error": "invalid_client", "error_description": "bad a.b.c"}"#, status: 401)
            }
        }
        let error = await oauthError { try await Self.accountWithAssertion(server) { _ in "a.b.c" }.signIn() }
        #expect(error?.serverCode == "invalid_client" && error?.message.contains("a.b.c") == false)
    }
}
