import APIKit
import Testing

@Suite(.httpbin, .timeLimit(.minutes(10))) struct AuthenticationTests {
    private struct Account: JSONResponse {
        let authenticated: Bool
        let user: String?
        let token: String?
    }

    private static func basic(_ password: String) -> String {
        "Basic \(Data("user:\(password)".utf8).base64EncodedString())"
    }

    private func account(_ path: URLPath, authorization: String? = nil) -> Get<Account> {
        Get(path, as: Account.self, headers: authorization.map { [.authorization: $0] } ?? [:])
    }

    @Test func challengeOfPOSTIsRejected() async throws {
        struct Challenged: HTTPBinRequest {
            typealias Response = NoContent
            var method: HTTPMethod { .post }
            var path: URLPath { "status/401" }
            var body: RequestBody? { .data(Data(repeating: 0x61, count: 100_000), contentType: "text/plain") }
            var options: RequestOptions { RequestOptions(timeout: .seconds(5)) }
        }
        #expect(try await failure(of: Challenged()).status == 401)
    }

    @Test(arguments: ["basic-auth/user/secret", "hidden-basic-auth/user/secret"] as [URLPath])
    func credentialsInHeaderAreAccepted(path: URLPath) async throws {
        let account = try await URLSession.api.send(account(path, authorization: Self.basic("secret")))
        #expect(account.authenticated)
        #expect(account.user == "user")
    }

    @Test func tokenIsAccepted() async throws {
        let request = account("bearer", authorization: "Bearer tok~en+/=")
        #expect(try await URLSession.api.send(request).token == "tok~en+/=")
    }

    #if !canImport(FoundationNetworking)
    /// Answers the first challenge with a user's name and a wrong password.
    private final class WrongCredentials: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard challenge.previousFailureCount == 0 else { return completionHandler(.performDefaultHandling, nil) }
            completionHandler(.useCredential, URLCredential(user: "user", password: "wrong", persistence: .none))
        }
    }

    @Test(arguments: ["basic-auth/user/secret", "digest-auth/auth/user/secret"] as [URLPath])
    func wrongCredentialOfDelegateIsRejectedImmediately(path: URLPath) async throws {
        let start = ContinuousClock.now
        let session = URLSession.api(delegate: WrongCredentials())
        #expect(try await failure(of: account(path), over: session).status == 401)
        #expect(ContinuousClock.now - start < .seconds(1))
    }
    #endif
}
