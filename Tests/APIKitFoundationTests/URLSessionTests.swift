#if canImport(FoundationNetworking)
import APIKit
import APIKitTestServer
import EngineConformance
import Testing

/// Sessions of one's own on Linux: data, or a refusal that says what to use instead.
@Suite(.timeLimit(.minutes(1))) struct URLSessionTests {
    /// Without the cache of `URLSession.shared`, which ends the process when a task is cancelled.
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    @Test func dataIsDelivered() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 1}"#) }
        #expect(try await Self.session.send(Probe<Item>(base: APIBase(server.url))) == Item(id: 1))
        #expect(server.requests.first?.values(of: "Accept-Encoding") == ["identity"])
    }

    @Test func rejectedStatusKeepsItsBody() async throws {
        let server = try LoopbackServer { _ in .json(#"{"message": "no"}"#, status: 404) }
        let error = try await Self.session.failure(of: Probe<Item>(base: APIBase(server.url)))
        #expect(error.status == 404)
        #expect(error.response?.body.data == Data(#"{"message": "no"}"#.utf8))
    }

    @Test func rejectedBasicCredentialsEndTheRequest() async throws {
        let server = try LoopbackServer { _ in .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        #expect(try await Self.session.failure(of: Probe<Item>(base: APIBase(server.url))).status == 401)
    }

    private static let refused: [HTTPRequest] = {
        let url = URL(string: "http://127.0.0.1:9/")!  // a valid literal
        return [
            HTTPRequest(method: .post, url: url), HTTPRequest(url: url, delivery: .stream),
            HTTPRequest(url: url, delivery: .file), HTTPRequest(url: URL(string: "http://[::1]:9/")!),
            HTTPRequest(method: .put, url: url, body: .data(Data("a".utf8), contentType: nil)),
        ]
    }()

    @Test(arguments: refused) func unsafeRequestIsRefused(request: HTTPRequest) async throws {
        let error = await #expect(throws: TransportError.self) { try await Self.session.perform(request) }
        #expect(error?.code == .unsupported)
        #expect(error?.message?.contains("URLSession.api") == true)
    }

    @Test(arguments: [
        (ServerAnswer.raw("HELLO\r\n\r\n"), TransportError.Code.badResponse),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), .connectionLost),
        (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n"), .badResponse),
        (ServerAnswer(steps: [.reset]), .connectionLost),
        (ServerAnswer(steps: [.close]), .connectionLost),
        (ServerAnswer(steps: [.waitForClient]), .timedOut),
        (.text("longer than the limit"), .bodyTooLarge),
        // Compressed unasked.
        (.status(200, headers: [("Content-Encoding", "gzip")], body: Data(count: 20)), .badResponse),
    ])
    func failureHasItsCode(answer: ServerAnswer, code: TransportError.Code) async throws {
        let server = try LoopbackServer { _ in answer }
        let request = HTTPRequest(
            url: server.url, options: RequestOptions(timeout: .seconds(1), sizeLimit: code == .bodyTooLarge ? 3 : nil))
        let error = await #expect(throws: TransportError.self) { try await Self.session.perform(request) }
        #expect(error?.code == code)
    }

    @Test func cancelsAmidRedirectsEndEachRequestOnce() async throws {
        try await EngineCheck.redirectsWithRacingCancels(300).run(Engine("URLSession", Self.session))
    }
}
#endif
