import APIKit
import APIKitTestServer
import EngineConformance
import TestTraits
import Testing

/// Mocks in `protocolClasses`, as tests have them that know only `URLSession`.
@Suite(.exclusive, .timeLimit(.minutes(10))) struct ProtocolClassesTests {
    private static let base = APIBase("http://mock.example")

    /// Answers by the request's path, and notes what it was asked for.
    private final class Mock: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "mock.example" }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            guard let url = request.url, let client else { return }
            var (status, headers, body) = (200, ["X-Method": request.httpMethod ?? ""], Data(#"{"id": 1}"#.utf8))
            #if os(Linux)
            if url.path == "/early" { client.urlProtocol(self, didLoad: body) }
            if url.path == "/headless" { return client.urlProtocolDidFinishLoading(self) }
            #endif
            switch url.path {
            case "/echo": body = sentBody
            case "/missing": status = 404
            case "/fails": return client.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
            case "/silent": return
            case "/short", "/empty":
                headers["Content-Length"] = "10"
                if url.path == "/empty" { body = Data() }
            case "/coded":
                // As in a recording: the length is that of what was decoded.
                headers["Content-Length"] = "100"
                headers["Content-Encoding"] = "gzip"
            case "/redirect":
                (status, headers) = (302, ["Location": "http://mock.example/echo"])
            default: break
            }
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: headers)
            guard let response else { return }
            client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            for byte in body { client.urlProtocol(self, didLoad: Data([byte])) }
            client.urlProtocolDidFinishLoading(self)
        }

        /// The body, which Apple's sessions hand over as a stream.
        private var sentBody: Data {
            guard let stream = request.httpBodyStream else { return request.httpBody ?? Data() }
            stream.open()
            defer { stream.close() }
            var bytes = [UInt8](repeating: 0, count: 1024)
            return Data(bytes.prefix(max(0, stream.read(&bytes, maxLength: bytes.count))))
        }
    }

    private func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Mock.self] + (configuration.protocolClasses ?? [])
        return URLSession(configuration: configuration)
    }

    private func request(_ path: String, timeout: RequestOptions.TimeLimit? = nil) -> HTTPRequest {
        let url = URL(string: "http://mock.example/\(path)")!  // a valid URL for each test
        return HTTPRequest(url: url, options: RequestOptions(timeout: timeout))
    }

    @Test func answersSend() async throws {
        #expect(try await session().send(Probe<Item>(base: Self.base)) == Item(id: 1))
        #expect(try await session().failure(of: Probe<Item>(base: Self.base, path: "missing")).status == 404)
    }

    @Test func getsMethodAndBody() async throws {
        var request = request("echo")
        request.method = .put
        request.body = .data(Data("abc".utf8), contentType: nil)
        let response = try await session().perform(request)
        #expect(response.head.headers["X-Method"] == "PUT")
        #expect(response.body.data == Data("abc".utf8))
    }

    @Test func failsAsItSays() async throws {
        let error = await #expect(throws: TransportError.self) { try await session().perform(request("fails")) }
        #expect(error?.code == .connectionLost)
    }

    @Test func redirectIsFollowed() async throws {
        #expect(try await session().failure(of: Probe<Item>(base: Self.base, path: "redirect")).status == 200)
    }

    @Test func silenceTimesOut() async throws {
        let request = request("silent", timeout: .seconds(1))
        let error = await #expect(throws: TransportError.self) { try await session().perform(request) }
        #expect(error?.code == .timedOut)
    }

    @Test func cancelEndsIt() async throws {
        let (session, request) = (session(), request("silent"))
        let task = Task { try await session.perform(request) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func otherRequestsReachTheNetwork() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 2}"#) }
        #expect(try await session().send(Probe<Item>(base: APIBase(server.url))) == Item(id: 2))
    }

    #if os(Linux)
    /// A clock whose sleeps last until they are cancelled.
    private struct EndlessClock: Clock {
        let sleeps = AsyncStream.makeStream(of: String.self)
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            sleeps.continuation.yield("begins")
            try? await Task.sleep(for: .seconds(3600))
            sleeps.continuation.yield("ends")
        }
    }

    @Test func noTimerOutlivesTheRequest() async throws {
        let (session, request, clock) = (session(), request("silent"), EndlessClock())
        let task = Task { try await session.perform(request, in: Call(clock: clock)) }
        var sleeps = clock.sleeps.stream.makeAsyncIterator()
        #expect(await sleeps.next() == "begins")
        task.cancel()
        #expect(await sleeps.next() == "ends")
    }

    @Test(
        arguments: [
            ("early", TransportError.Code.badResponse, "before its response"),
            ("headless", .badResponse, "no head"),
            ("short", .connectionLost, "9 of 10 bytes"),
            ("empty", .connectionLost, "0 of 10 bytes"),
        ] as [(String, TransportError.Code, String)])
    func incompleteResponseIsAnError(path: String, code: TransportError.Code, message: String) async throws {
        let error = await #expect(throws: TransportError.self) { try await session().perform(request(path)) }
        #expect(error?.code == code)
        #expect(error?.message?.contains(message) == true)
    }

    @Test func lengthOfACodedBodyIsNotThatOfItsData() async throws {
        #expect(try await session().perform(request("coded")).body.data == Data(#"{"id": 1}"#.utf8))
    }

    @Test func streamedBodyReachesTheMock() async throws {
        var request = request("echo")
        request.method = .post
        request.body = .stream(length: nil, contentType: nil) {
            AsyncStream {
                $0.yield(Data("xyz".utf8)); $0.finish()
            }
        }
        #expect(try await session().perform(request).body.data == Data("xyz".utf8))
    }
    #endif
}
