import APIKitFoundation
import APIKitTestServer
import APIKitTesting
import Testing

@Suite struct APISessionTests {
    /// Answers challenges as told, and counts them.
    private final class Challenges: NSObject, URLSessionTaskDelegate {
        let disposition: URLSession.AuthChallengeDisposition
        let asked = Gate()

        init(_ disposition: URLSession.AuthChallengeDisposition) {
            self.disposition = disposition
        }

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
        #expect(try await session.send(Probe<Item>(baseURL: server.url)) == Item(id: 1))
        #expect(server.requests.count == 2)
    }

    /// Of which the first send has used up the stream.
    @Test(.timeLimit(.minutes(1))) func aBodyIsSentAgainWithTheDelegatesCredentials() async throws {
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

    @Test func aPOSTWithTheDelegatesCredentialsIsSentOnce() async throws {
        let server = try LoopbackServer { request in
            request.values(of: "Authorization").isEmpty
                ? .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
                : ServerAnswer(steps: [.close])
        }
        let session = URLSession.api(delegate: Challenges(.useCredential))
        let error = await #expect(throws: TransportError.self) {
            try await session.perform(HTTPRequest(method: .post, url: server.url))
        }
        #expect(error?.code == .connectionLost)
        #expect(server.requests.map { $0.values(of: "Authorization").count } == [0, 1])
    }

    @Test func theDelegateKnowsHowManyOfItsCredentialsWereRefused() async throws {
        let server = try LoopbackServer { _ in .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        let session = URLSession.api(delegate: Challenges(.useCredential))
        let response = try await session.perform(HTTPRequest(url: server.url))
        #expect(response.head.status == 401)
        #expect(server.requests.count == 2)
    }

    /// Always gives a wrong credential.
    private final class Stubborn: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, URLCredential(user: "a", password: "wrong", persistence: .none))
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [ResponseBody.Delivery.data, .stream])
    func aDelegateThatAlwaysGivesAWrongCredentialEndsWithTheRefusal(_ delivery: ResponseBody.Delivery) async throws {
        let server = try LoopbackServer { _ in
            .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: Data("no".utf8))
        }
        let session = URLSession.api(delegate: Stubborn())
        let response = try await session.perform(HTTPRequest(url: server.url, delivery: delivery))
        #expect(response.head.status == 401)
        #expect(try await response.body.bytes.data(upTo: 100) == Data("no".utf8))
        #expect(server.requests.count <= 6)
    }

    /// The caller reads the first response already.
    @Test(.timeLimit(.minutes(1))) func anAcceptedRefusalThatIsReadAsAStreamStaysTheResponse() async throws {
        struct Accepting: APIRequest {
            typealias Response = ByteStream
            var baseURL: URL
            var path: URLPath { "a" }
            func isSuccess(_ head: HTTPResponse.Head) -> Bool { true }
        }
        let server = try LoopbackServer { request in
            request.values(of: "Authorization").isEmpty
                ? .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: Data("first".utf8))
                : .text("second")
        }
        let session = URLSession.api(delegate: Challenges(.useCredential))
        let bytes = try await session.send(Accepting(baseURL: server.url))
        #expect(try await bytes.data(upTo: 100) == Data("first".utf8))
    }

    @Test func additionalHeadersStayAtTheirOrigin() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        let server = try LoopbackServer { [url = other.url] _ in
            .status(302, headers: [("Location", url.absoluteString)])
        }
        let configuration = URLSessionConfiguration.api
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer abc", "X-Team": "blue"]
        let session = URLSession.api(configuration: configuration)
        _ = try await session.send(Probe<String>(baseURL: server.url))
        #expect(server.requests.first?.values(of: "Authorization") == ["Bearer abc"])
        #expect(other.requests.first?.values(of: "Authorization") == [])
    }

    @Test(.timeLimit(.minutes(1))) func cancelsAmidChallengesEndEachRequestOnce() async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(.useCredential))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<600 {
                if index >= 32 { await group.next() }
                group.addTask {
                    let task = Task { try await session.perform(HTTPRequest(url: server.url)).head.status }
                    for _ in 0..<(index * 7919 % 400) { await Task.yield() }
                    if index % 4 != 0 { task.cancel() }
                    switch await task.result {
                    case .success(let status): #expect(status == 200)
                    case .failure(let error): #expect(error is CancellationError && index % 4 != 0)
                    }
                }
            }
        }
    }

    @Test(arguments: [URLSession.AuthChallengeDisposition.performDefaultHandling, .rejectProtectionSpace])
    func aDelegateWithoutCredentialsLeavesTheAnswer(_ disposition: URLSession.AuthChallengeDisposition) async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(disposition))
        let error = await #expect(throws: APIError<ServerError>.self) {
            try await session.send(Probe<Item>(baseURL: server.url))
        }
        #expect(error?.status == 401)
        #expect(error?.response?.body.data == Data(#"{"message": "no"}"#.utf8))
    }

    @Test func aDelegateThatCancelsMakesATransportError() async throws {
        let server = try Self.protected()
        let session = URLSession.api(delegate: Challenges(.cancelAuthenticationChallenge))
        let error = await #expect(throws: APIError<ServerError>.self) {
            try await session.send(Probe<Item>(baseURL: server.url))
        }
        #expect(error?.transportCode == .other)
        #expect(error?.isCancellation == false)
    }

    @Test func theConfigurationKeepsNothing() {
        let configuration = URLSession.api.configuration
        #expect(configuration.urlCache == nil)
        #expect(configuration.httpCookieStorage == nil)
        #expect(configuration.urlCredentialStorage == nil)
        #expect(configuration.httpMaximumConnectionsPerHost >= 32)
        // It caps the timeouts of requests on Apple's platforms.
        #expect(configuration.timeoutIntervalForRequest >= 86_400)
    }

    @Test func aConfigurationOfOnesOwnIsUsed() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        let configuration = URLSessionConfiguration.api
        configuration.httpAdditionalHeaders = ["X-Team": "blue"]
        _ = try await URLSession.api(configuration: configuration).send(Probe<NoContent>(baseURL: server.url))
        #expect(server.requests.first?.values(of: "X-Team") == ["blue"])
    }

    @Test(.timeLimit(.minutes(1))) func anUnusedSessionGoesAway() async throws {
        weak var delegate: Challenges?
        do {
            let challenges = Challenges(.performDefaultHandling)
            delegate = challenges
            let server = try LoopbackServer { _ in .status(204) }
            _ = try await URLSession.api(delegate: challenges).send(Probe<NoContent>(baseURL: server.url))
        }
        #if canImport(FoundationNetworking)
        while delegate != nil { await Task.yield() }  // on Apple's platforms a session lives until it is invalidated
        #endif
    }
}
