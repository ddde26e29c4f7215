import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(1))) struct AuthenticationTests {
    #if !canImport(FoundationNetworking)
    /// Answers challenges with a user's name and password.
    private final class Credentials: NSObject, URLSessionTaskDelegate {
        private let password: String

        init(password: String) {
            self.password = password
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard challenge.previousFailureCount == 0 else { return completionHandler(.performDefaultHandling, nil) }
            let credential = URLCredential(user: "user", password: password, persistence: .none)
            completionHandler(.useCredential, credential)
        }
    }
    #endif

    private struct Account: JSONAPIResponse {
        let authenticated: Bool
        let user: String?
        let token: String?
    }

    private func account(_ path: URLPath, authorization: String? = nil) -> Get<Account> {
        Get(path, as: Account.self, headers: authorization.map { [.authorization: $0] } ?? [:])
    }

    private func rejectedStatus(
        _ request: Get<Account>, over client: some APIClient = URLSession.api
    ) async throws -> (status: Int?, challenge: String?) {
        let start = ContinuousClock.now
        let error = try await failure(of: request, over: client)
        guard case .rejected(_, let response) = error else { throw error }
        #expect(ContinuousClock.now - start < .seconds(1))
        return (response.head.status, response.head.headers[.wwwAuthenticate])
    }

    @Test func basicChallengeIsRejectedImmediately() async throws {
        let (status, challenge) = try await rejectedStatus(account("basic-auth/user/secret"))
        #expect(status == 401)
        #expect(challenge?.hasPrefix("Basic") == true)
    }

    @Test func basicChallengeOnSharedSessionIsRejectedImmediately() async throws {
        let (status, _) = try await rejectedStatus(account("basic-auth/user/secret"), over: URLSession.shared)
        #expect(status == 401)
    }

    @Test(arguments: ["bearer", "digest-auth/auth/user/secret", "hidden-basic-auth/user/secret"] as [URLPath])
    func otherChallengesAreRejectedImmediately(path: URLPath) async throws {
        let (status, challenge) = try await rejectedStatus(account(path))
        #expect(status == (path == "hidden-basic-auth/user/secret" ? 404 : 401))
        #expect(challenge?.isEmpty ?? true || path != "hidden-basic-auth/user/secret")
    }

    @Test func concurrentBasicChallengesAreRejectedImmediately() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let status = try await rejectedStatus(account("basic-auth/user/secret")).status
                    #expect(status == 401)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func challengeOfPOSTIsRejected() async throws {
        let options = RequestOptions(timeout: .seconds(5))
        let body = RequestBody.data(Data(repeating: 0x61, count: 100_000), contentType: "text/plain")
        struct Challenged: HTTPBinRequest {
            typealias Response = NoContent
            var method: HTTPMethod { .post }
            var path: URLPath { "status/401" }
            var body: RequestBody?
            var options: RequestOptions
        }
        let error = try await failure(of: Challenged(body: body, options: options))
        #expect(error.status == 401)
    }

    @Test func credentialsInHeaderAreAccepted() async throws {
        let basic = "Basic \(Data("user:secret".utf8).base64EncodedString())"
        for path in ["basic-auth/user/secret", "hidden-basic-auth/user/secret"] as [URLPath] {
            let account = try await URLSession.api.send(account(path, authorization: basic))
            #expect(account.authenticated)
            #expect(account.user == "user")
        }
    }

    @Test func wrongCredentialsInHeaderAreRejectedImmediately() async throws {
        let basic = "Basic \(Data("user:wrong".utf8).base64EncodedString())"
        let request = account("basic-auth/user/secret", authorization: basic)
        #expect(try await rejectedStatus(request).status == 401)
    }

    @Test func tokenIsAccepted() async throws {
        let request = account("bearer", authorization: "Bearer tok~en+/=")
        #expect(try await URLSession.api.send(request).token == "tok~en+/=")
    }

    #if !canImport(FoundationNetworking)
    @Test func credentialOfDelegateIsAccepted() async throws {
        let session = URLSession.api(delegate: Credentials(password: "secret"))
        let account = try await session.send(account("basic-auth/user/secret"))
        #expect(account.authenticated)
        #expect(account.user == "user")
    }

    @Test(arguments: ["basic-auth/user/secret", "digest-auth/auth/user/secret"] as [URLPath])
    func wrongCredentialOfDelegateIsRejectedImmediately(path: URLPath) async throws {
        let session = URLSession.api(delegate: Credentials(password: "wrong"))
        #expect(try await rejectedStatus(account(path), over: session).status == 401)
    }
    #endif
}
