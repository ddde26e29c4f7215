#if !canImport(FoundationNetworking)
import APIKit
import APIKitTestServer
import APIKitTesting
import EngineConformance
import TestTraits
import Testing

/// The delegates of sessions, which Apple's platforms alone have.
@Suite(.exclusive) struct APISessionTests {
    /// Answers challenges as told, and counts them.
    private final class Challenges: NSObject, URLSessionTaskDelegate {
        let disposition: URLSession.AuthChallengeDisposition

        init(_ disposition: URLSession.AuthChallengeDisposition) { self.disposition = disposition }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let isFirst = challenge.previousFailureCount == 0
            let credential = URLCredential(user: "test", password: "123", persistence: .none)
            completionHandler(isFirst ? disposition : .performDefaultHandling, isFirst ? credential : nil)
        }
    }

    private static func protected() throws -> LoopbackServer {
        try LoopbackServer { request in
            request.values(of: "Authorization") == ["Basic dGVzdDoxMjM="]
                ? .json(#"{"id": 1}"#)
                : .status(
                    401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: Data(#"{"message": "no"}"#.utf8))
        }
    }

    @Test func theDelegateIsAskedForCredentials() async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(.useCredential))
        #expect(try await session.send(Probe<Item>(base: APIBase(server.url))) == Item(id: 1))
        #expect(server.requests.count == 2)
    }

    /// Of which the first send has used up the stream.
    @Test(.timeLimit(.minutes(10))) func aBodyIsSentAgainWithTheDelegatesCredentials() async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(.useCredential))
        let bytes = Data(repeating: 7, count: 100_000)
        let file = try TemporaryFile()
        try file.write(bytes)
        for body in [.data(bytes, contentType: .octetStream), .file(file.url)] as [RequestBody] {
            let request = HTTPRequest(method: .post, url: server.url, body: body)
            #expect(try await session.perform(request).head.status == 200)
        }
        #expect(server.requests.map(\.body) == Array(repeating: bytes, count: 4))
    }

    @Test func theDelegateKnowsHowManyOfItsCredentialsWereRefused() async throws {
        let server = try LoopbackServer { _ in .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        let session = URLSession.api(delegate: Challenges(.useCredential))
        let response = try await session.perform(HTTPRequest(url: server.url))
        #expect(response.head.status == 401)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace])
    func aDelegateWithoutCredentialsLeavesTheAnswer(_ disposition: URLSession.AuthChallengeDisposition) async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(disposition))
        let error = try await session.failure(of: Probe<Item>(base: APIBase(server.url)))
        #expect(error.status == 401)
        #expect(error.response?.body.data == Data(#"{"message": "no"}"#.utf8))
    }

    @Test func aDelegateThatCancelsMakesATransportError() async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(.cancelAuthenticationChallenge))
        let error = try await session.failure(of: Probe<Item>(base: APIBase(server.url)))
        #expect(error.transportCode == .other)
        #expect(error.isCancellation == false)
    }
}
#endif
