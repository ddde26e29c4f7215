import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// How the responses of an authorization server are understood.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct AuthorizationServerClientTests {
    private static func account(
        _ server: OAuthServer, flow: OAuthFlow? = nil, client: any APIClient = network
    ) -> OAuth {
        OAuth(issuer: server.issuer, clientID: "app", flow: flow ?? .browser(UserAgent()), client: client)
    }

    private static func server() throws -> OAuthServer {
        try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
    }

    // MARK: - The status

    private static let errorCode = #"{"error": "invalid_grant", "error_description": "No."}"#

    /// A status, whether the body has an error code, and the error.
    private static let responses: [(status: Int, hasCode: Bool, code: OAuthError.Code)] = [
        (200, true, .refused), (200, false, .badResponse),
        (302, true, .refused), (302, false, .badResponse),
        (400, true, .refused), (400, false, .refused), (401, true, .refused), (401, false, .refused),
        (403, true, .refused), (403, false, .refused), (404, true, .refused), (404, false, .badResponse),
        (428, true, .refused), (429, true, .serverFailed), (429, false, .serverFailed),
        (500, true, .serverFailed), (500, false, .serverFailed), (503, true, .serverFailed),
        (599, false, .serverFailed),
    ]

    @Test(arguments: responses) func statusDecidesBeforeTheBody(
        response: (status: Int, hasCode: Bool, code: OAuthError.Code)
    ) async throws {
        let server = try Self.server()
        let body = response.hasCode ? Self.errorCode : "{}"
        server.change { $0.intercept = { $1.path == "/token" ? .json(body, status: response.status) : nil } }
        let error = await oauthError { try await Self.account(server).signIn() }
        #expect(error?.code == response.code)
        #expect(error?.serverCode == (response.hasCode ? "invalid_grant" : nil))
    }

    /// A server that is overloaded may say so in JSON; the user need not begin again.
    @Test(arguments: ["temporarily_unavailable", "server_error", "slow_down", "access_denied"], [429, 503])
    func deviceCodeSurvivesFailuresWithAnErrorCode(error: String, status: Int) async throws {
        let clock = ManualClock(skippingSleep: true)
        let server = try Self.server()
        let isFailing = Locked(true)
        server.change {
            $0.intercept = { endpoint, _ in
                guard endpoint == .token,
                    isFailing.withLock({ flag in
                        defer { flag = false }
                        return flag
                    })
                else { return nil }
                return .json(#"{"error": "\#(error)"}"#, status: status)
            }
        }
        let flow = OAuthFlow.deviceCode { server.decide(.approved, userCode: $0.userCode) }
        try await Self.account(server, flow: flow, client: network.timed(by: clock)).signIn()
        #expect(server.requests(to: .token).count == 2)
    }

    // MARK: - Masked codes

    /// Every letter is a secret: a device code, and thereby a part of all error codes.
    @Test func codesThatContainASecretAreStillUnderstood() async throws {
        let clock = ManualClock(skippingSleep: true)
        let responses = Locked(["authorization_pending", "slow_down", "authorization_pending", "expired_token"])
        let stub = StubClient { request in
            guard request.url.path == "/token" else {
                return .json(
                    #"{"device_code": "e", "user_code": "U", "verification_uri": "https://a.example/", "expires_in": 90}"#
                )
            }
            let code = responses.withLock { $0.isEmpty ? "other" : $0.removeFirst() }
            return .json(#"{"error": "\#(code)", "error_description": "no e"}"#, status: 400)
        }
        let account = OAuth(
            endpoints: OAuthEndpoints(
                token: "https://a.example/token", deviceAuthorization: "https://a.example/device"),
            clientID: "app", flow: .deviceCode { _ in }, client: stub.timed(by: clock))
        let error = await oauthError { try await account.signIn() }
        #expect(error?.code == .timedOut)
        #expect(responses.withLock { $0.isEmpty })
    }

    @Test func refusedRefreshTokenIsRecognizedWhateverTheTokensAre() async throws {
        let issued = Locked(0)
        let stub = StubClient { request in
            let isRefresh = String(decoding: request.body?.data ?? Data(), as: UTF8.self).contains("refresh_token")
            if isRefresh { return .json(#"{"error": "invalid_grant"}"#, status: 400) }
            let number = issued.withLock { count in
                count += 1
                return count
            }
            return .json(#"{"access_token": "a", "refresh_token": "i\#(number)", "expires_in": 3600}"#)
        }
        let presentation = AuthorizationPresentation.custom(redirectURI: "app:/callback") { page in
            let state = page.states.first ?? ""
            return try #require(URL(string: "app:/callback?code=c&state=\(state)"))
        }
        let account = OAuth(
            endpoints: OAuthEndpoints(authorization: "https://a.example/page", token: "https://a.example/token"),
            clientID: "app", flow: .authorizationCode(present: presentation), client: stub)
        try await account.signIn()
        let refused = try #require(try await account.credential())
        let url = try #require(URL(string: "https://api.example.com"))
        let response = HTTPResponse(head: HTTPResponse.Head(status: 401, url: url))
        _ = try await account.replacement(for: refused, refusedBy: response)
        #expect(issued.withLock { $0 } == 2)
    }

    @Test func messageWithoutTokensCanBeReadInTheErrorOfARequest() async throws {
        let server = try Self.server()
        let account = OAuth(
            issuer: server.issuer, clientID: "app", flow: .browser(UserAgent()), signsInAutomatically: false,
            client: network)
        let client = network.authorized(by: account, for: "https://api.example.com")
        var text = ""
        do {
            _ = try await client.send(Things())
        } catch {
            text = "\(error) \(error.localizedDescription)"
        }
        #expect(text.contains("call signIn()") && !text.contains("***"), "\(text)")
    }

    private struct Things: APIRequest {
        typealias Response = Data
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "things" }
    }

    // MARK: - Times

    @Test func longIntervalDoesNotOutlastTheCode() async throws {
        let clock = ManualClock(skippingSleep: true)
        let server = try Self.server()
        server.change {
            $0.edit = {
                guard $0 == .device else { return }
                $1["interval"] = 1_000_000_000
                $1["expires_in"] = 3
            }
        }
        let account = Self.account(server, flow: .deviceCode { _ in }, client: network.timed(by: clock))
        let error = await oauthError { try await account.signIn() }
        #expect(error?.code == .timedOut)
        #expect(clock.elapsed >= .seconds(3) && clock.elapsed < .seconds(4))
    }

    /// The tokens are valid for less than the 30 seconds before their end in which others are replaced.
    @Test func tokensWithAShortLifetimeAreUsedSeveralTimes() async throws {
        let clock = ManualClock(skippingSleep: true)
        let server = try Self.server()
        let api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        let start = clock.elapsed
        server.change {
            $0.edit = { if $0 == .token { $1["expires_in"] = 20 } }
        }
        let timed = network.timed(by: clock)
        let account = Self.account(server, client: timed)
        let client = timed.authorized(by: account, for: APIBase(api.origin))
        let request = HTTPRequest(url: try #require(URL(string: api.identifier)))
        for _ in 0..<20 {
            #expect(try await client.perform(request).head.status == 200)
            clock.advance(by: .seconds(1))
        }
        #expect(clock.elapsed - start < .seconds(21))
        // One at the sign-in, and one in the second half of the lifetime.
        #expect(server.requests(to: .token).count == 2)
    }
}
