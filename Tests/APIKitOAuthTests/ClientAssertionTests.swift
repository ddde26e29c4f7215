import APIKitCore
import APIKitTestServer
import Foundation
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
}
