import APIKitFoundation
import APIKitTestServer
import APIKitTesting
import Testing

@Suite struct SendTests {
    @Test func givesTheModelOfAnAcceptedAnswer() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id": 1}, {"id": 2}]"#) }
        let items = try await URLSession.api.send(Probe<[Item]>(baseURL: server.url, parameters: ["a": "b c"]))
        #expect(items == [Item(id: 1), Item(id: 2)])
        #expect(server.requests.map(\.target) == ["/probe?a=b%20c"])
        #expect(server.requests.first?.values(of: "Accept") == ["application/json"])
    }

    @Test func aRefusedStatusGivesTheTypedFailure() async throws {
        let server = try LoopbackServer { _ in .json(#"{"message": "no such thing"}"#, status: 404) }
        let rejection = try await URLSession.api.failure(of: Probe<Item>(baseURL: server.url)).rejection
        #expect(rejection?.failure == ServerError(message: "no such thing"))
        #expect(rejection?.response.head.status == 404)
    }

    @Test func aFormWithoutAFileIsUrlencodedAndWithOneMultipart() async throws {
        let server = try LoopbackServer { _ in .status(204) }
        var request = Probe<NoContent>(baseURL: server.url, method: .post, parameters: ["a": "b c"])
        _ = try await URLSession.api.send(request)
        request.parameters.append(FilePart(Data("bytes".utf8), filename: "a.txt"), for: "file")
        _ = try await URLSession.api.send(request)
        let types = server.requests.flatMap { $0.values(of: "Content-Type") }
        #expect(types.first == "application/x-www-form-urlencoded")
        #expect(types.last?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(server.requests.first?.body == Data("a=b+c".utf8))
        #expect(server.requests.map { $0.values(of: "Content-Length") } == server.requests.map { ["\($0.body.count)"] })
    }

    @Test func theDeadlineHoldsForTheWholeOfASend() async throws {
        let server = try LoopbackServer { _ in .init(steps: [.waitForClient]) }
        let options = RequestOptions(deadline: .milliseconds(50))
        let request = Probe<Item>(baseURL: server.url, options: options)
        #expect(try await URLSession.api.failure(of: request).transportCode == .timedOut)
        await server.waitUntilIdle()
    }

    @Test @MainActor func startCompletesOnceOnTheMainActor() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 1}"#) }
        var results: [Int] = []
        let task = URLSession.api.start(Probe<Item>(baseURL: server.url)) { result in
            MainActor.assertIsolated()
            results.append((try? result.get().id) ?? -1)
        }
        await task.value
        #expect(results == [1])
    }

    @Test(.timeLimit(.minutes(1))) @MainActor func startNeverCompletesAfterACancelOnTheMainActor() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id": 1}"#) }
        for _ in 0..<50 {
            var isCompleted = false
            let task = URLSession.api.start(Probe<Item>(baseURL: server.url)) { _ in isCompleted = true }
            await server.waitForRequests(1)
            if !isCompleted {
                task.cancel()
                await task.value
                #expect(!isCompleted)
            }
        }
    }

    // MARK: - Bad input, named

    struct BadInput: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: Probe<Item>
        let expected: [String]

        init(_ name: String, _ request: Probe<Item>, _ expected: String...) {
            (testDescription, self.request, self.expected) = (name, request, expected)
        }
    }

    static let unused = (try? LoopbackServer.unusedPort()) ?? 1
    static let url = URL(string: "https://api.example.com")!  // a valid literal

    @Test(arguments: [
        BadInput("relative", Probe(baseURL: URL(string: "users")!), "base URL", "absolute"),
        BadInput("no http", Probe(baseURL: URL(string: "ftp://example.com")!), "base URL", "http"),
        BadInput("user", Probe(baseURL: URL(string: "https://me:pw@example.com")!), "base URL", "user information"),
        BadInput("query", Probe(baseURL: url, path: "users?since=1"), "\"?\"", "`parameters`"),
        BadInput("body", Probe(baseURL: url, headers: ["a b": "c"]), "header name", "\"a b\"", "token"),
        BadInput("value", Probe(baseURL: url, headers: ["X-A": "b\r\nc"]), "\"X-A\"", "line break"),
        BadInput("method", Probe(baseURL: url, method: "GET IT"), "\"GET IT\"", "token"),
        BadInput("refused", Probe(baseURL: URL(string: "http://127.0.0.1:\(unused)")!), "cannotConnect", "127.0.0.1"),
        BadInput("host", Probe(baseURL: URL(string: "http://no-such.invalid")!), "nameNotResolved", "no-such.invalid"),
    ])
    func namesWhatIsWrong(_ input: BadInput) async throws {
        let error = try await URLSession.api.failure(of: input.request)
        let text = error.localizedDescription
        #expect(text == error.description)
        #expect(!text.contains("pw@"))
        for expected in input.expected { #expect(text.contains(expected), "\(text)") }
    }

    @Test(arguments: [
        (ServerAnswer.raw("HELLO\r\n\r\n"), "badResponse"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"), "connectionLost"),
        (.text("0123456789 and more"), "bodyTooLarge"),
        (.json("{nope"), "could not be read"),
        (.json(#"{"id": "x"}"#), "id is not an Int"),
        (.json("{}"), "id is missing"),
        (.status(200), "the body is empty"),
        (.text("<html>busy</html>", status: 503, contentType: "text/html"), "503: <html>busy</html>"),
    ])
    func namesWhatCameBack(_ answer: ServerAnswer, _ expected: String) async throws {
        let server = try LoopbackServer { _ in answer }
        let options = RequestOptions(sizeLimit: expected == "bodyTooLarge" ? 10 : nil)
        let request = Probe<Item>(baseURL: server.url, parameters: ["api_key": "s3cret"], options: options)
        let text = try await URLSession.api.failure(of: request).localizedDescription
        #expect(text.contains(expected), "\(text)")
        #expect(text.hasPrefix("GET \(server.url)/probe?api_key=***"), "\(text)")
    }
}
