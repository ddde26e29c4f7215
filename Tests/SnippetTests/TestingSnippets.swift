import APIKit
import APIKitTesting
import Testing

// The code of the article Testing without a network, and of the doc comments of APIKitTesting, unchanged.

struct BoardIssue: JSONResponse, Equatable {
    let id: Int
    let title: String
}

struct Board: JSONResponse {
    let name: String
}

struct BoardRequest: ShopRequest {
    typealias Response = Board
    var owner: String
    var path: URLPath { "boards/\(owner)" }
}

struct BoardIssuesRequest: ShopRequest, PagedRequest {
    typealias Response = [BoardIssue]
    var owner: String
    var page = 1
    var path: URLPath { "boards/\(owner)/issues" }
    var parameters: Parameters { ["page": page] }
    func next(after reply: APIReply<[BoardIssue]>) -> Self? {
        next(advancing: \.page, by: reply.model.isEmpty ? 0 : 1)
    }
}

@MainActor final class BoardModel {
    private let client: any APIClient
    private(set) var title = ""
    private(set) var issues: [BoardIssue] = []
    private(set) var problem: String?

    init(client: any APIClient) {
        self.client = client
    }

    func load(for login: String) async {
        do {
            let user = try await client.send(UserRequest(login: login))
            let board = try await client.send(BoardRequest(owner: user.login))
            title = "\(board.name) of \(user.login)"
            for try await issue in client.items(of: BoardIssuesRequest(owner: login)) {
                issues.append(issue)
            }
        } catch {
            problem = error.localizedDescription
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct TestingSnippets {
    // MARK: - The article

    @Test func mapping() throws {
        let json = Data(#"[{"id": 7, "name": "Lamp"}]"#.utf8)
        let items = try SearchRequest.Response.process(data: json)
        #expect(items == [Item(id: 7, name: "Lamp")])
    }

    @Test func rejectedFixture() async throws {
        let response = HTTPResponse.json(#"{"reason": "closed"}"#, status: 503)
        #expect(!SearchRequest.Response.isSuccess(response.head))
        #expect(try await SearchRequest.Failure.process(response: response).reason == "closed")
    }

    @Test func wire() throws {
        let wire = try SearchRequest(text: "red & blue", tags: ["a", "b"]).httpRequest()
        let query = "version=20261101&q=red%20%26%20blue&tags%5B%5D=a&tags%5B%5D=b"
        #expect(wire.url.query == query)
    }

    @Test func variableOfTheBase() throws {
        let base = APIBase.camp.setting("accountId", to: 7)
        let wire = try TasksRequest(todolist: 3).httpRequest(base: base)
        #expect(wire.url.path() == "/7/todolists/3/todos.json")
    }

    @Test func optionsAreComparedUnlessTheyAreTheRequestsOwn() throws {
        let base = APIBase("https://shop.example.com", options: RequestOptions(retries: .init(attempts: 5)))
        let request = try SearchRequest(text: "Lamp").httpRequest(base: base)
        var expected = HTTPRequest(url: request.url, headers: request.headers)
        #expect(request.difference(from: expected) != nil)
        expected = HTTPRequest(url: request.url, headers: request.headers, options: request.options)
        #expect(request.difference(from: expected) == nil)
    }

    @Test func difference() throws {
        let expected = HTTPRequest(
            method: .post,
            url: URL(string: "https://shop.example.com/v2/items?version=20261101")!,
            headers: [.accept: "application/json"],
            body: .data(
                Data(#"{"name": "Chair", "links": {"thumb": null}}"#.utf8),
                contentType: .json))
        let request = try AddItemRequest(name: "Chair").httpRequest()
        #expect(request.difference(from: expected) == nil)

        let difference = try AddItemRequest(name: "Table").httpRequest().difference(from: expected)
        let lines = """
            POST https://shop.example.com/v2/items?version=20261101 differs from the expected request (expected → actual):
            - body name: "Chair" → "Table"
            """
        #expect(difference?.description == lines)
    }

    @Test func stub() async throws {
        let stub = StubClient()
            .answering(
                SearchRequest.self,
                with: .json(#"[{"id": 7, "name": "Lamp"}]"#, headers: ["X-Total": "1"])
            )
            .answering(AddItemRequest.self, with: .model(Item(id: 8, name: "Chair")))
            .answering(.get, "/v2/shelves/*/items/*", with: .status(404))

        #expect(try await stub.send(SearchRequest(text: "Lamp")).map(\.name) == ["Lamp"])
        #expect(try await stub.send(AddItemRequest(name: "Chair")).id == 8)
        #expect(try await stub.send(ItemRequest(shelf: "a", id: 7)) == nil)
        #expect(stub.requests(of: SearchRequest.self).map(\.text) == ["Lamp"])
    }

    @Test func answersComputed() async throws {
        let stub = StubClient(.json(#"{"reason": "closed"}"#, status: 503))
            .answering(SearchRequest.self) { request in [Item(id: 1, name: request.text)] }

        let items = try await stub.send(SearchRequest(text: "Lamp"))
        #expect(items.map(\.name) == ["Lamp"])
        await #expect(throws: APIError<ShopError>.self) {
            try await stub.send(AddItemRequest(name: "Chair"))
        }
    }

    @Test func typedFailure() async throws {
        let full = APIError<ShopError>.rejected(ShopError(reason: "full"), .status(507))
        let stub = StubClient().answering(AddItemRequest.self, with: .failure(full))
        await #expect(throws: APIError<ShopError>.self) {
            try await stub.send(AddItemRequest(name: "Chair"))
        }
    }

    @Test func sequence() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock)
            .answering(SearchRequest.self, with: .json("[]"))
            .answering(
                SearchRequest.self,
                once: .failure(TransportError(.connectionLost)), .status(503))

        _ = try await stub.retrying().send(SearchRequest(text: "Lamp"))
        #expect(stub.requests.count == 3)
        #expect(stub.unusedAnswers.isEmpty)
    }

    @Test func unexpected() async throws {
        let stub = StubClient()
            .answering(SearchRequest.self, once: .model([]))
            .answering(.get, "/v2/hours", with: .json("[]"))
        let error = await #expect(throws: APIError<ShopError>.self) {
            try await stub.send(AddItemRequest(name: "Chair"))
        }
        let message = """
            the stub has no answer for AddItemRequest; it has answers for:
            - GET /v2/hours (always)
            - SearchRequest (1 of 1 left)
            """
        #expect(error?.transportError?.message == message)
        #expect(stub.unusedAnswers.count == 2)
    }

    @Test func delay() async throws {
        let clock = ManualClock()
        let stub = StubClient(clock: clock)
            .answering(SearchRequest.self, with: .json("[]").delayed(by: .seconds(90)))
        let items = Task { try await stub.send(SearchRequest(text: "Lamp")) }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: APIError<ShopError>.self) { try await items.value }
        #expect(error?.transportCode == .timedOut)
    }

    @Test func stream() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock).answering(
            ChatRequest.self,
            with: .events(
                [
                    try .init(json: ChatChunk(text: "Hel")),
                    try .init(json: ChatChunk(text: "lo")),
                ],
                every: .seconds(1), failingWith: TransportError(.connectionLost)))

        var text = ""
        do {
            for try await chunk in try await stub.send(ChatRequest(prompt: "Hi")) {
                text += chunk.text
            }
        } catch {
            text += "…"
        }
        #expect(text == "Hello…")
        #expect(clock.elapsed == .seconds(2))
    }

    @Test @MainActor func loadsAllPagesAlthoughFirstAnswerFails() async {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock)
            .answering(UserRequest.self, with: .model(User(id: 1, login: "mojombo")))
            .answering(BoardRequest.self, once: .status(503), .json(#"{"name": "Lamps"}"#))
            .answering(
                BoardIssuesRequest.self, once: .json(#"[{"id": 1, "title": "Dark"}, {"id": 2, "title": "Hot"}]"#),
                .model([BoardIssue(id: 3, title: "Gone")]), .json("[]"))
        let model = BoardModel(client: stub.retrying())

        await model.load(for: "mojombo")

        #expect(model.title == "Lamps of mojombo")
        #expect(model.issues.map(\.title) == ["Dark", "Hot", "Gone"])
        #expect(model.problem == nil)
        #expect(stub.requests(of: BoardIssuesRequest.self).map(\.page) == [1, 2, 3])
        #expect(stub.unusedAnswers.isEmpty)
    }

    // MARK: - Doc comments

    @Test func stubInDocComment() async throws {
        let stub = StubClient()
            .answering(UsersRequest.self, with: .model([User(id: 1, login: "mojombo")]))
            .answering(
                .get, "/v2/boards/*/issues", with: .json("[]", headers: ["X-Total": "7"])
            )
            .answering(
                SearchRequest.self, once: .status(503), .json(#"[{"id": 7, "name": "Lamp"}]"#)
            )
        let users = try await stub.send(UsersRequest())
        #expect(stub.requests(of: UsersRequest.self).count == 1)
        #expect(users.count == 1)
        #expect(try await stub.send(BoardIssuesRequest(owner: "mojombo")).isEmpty)
    }

    @Test func pathsInDocComment() async throws {
        let stub = StubClient()
            .answering(.get, "/users/*", with: .json(#"{"id": 1, "login": "mojombo"}"#))
            .answering(.delete, "/repos/**", with: .status(204))
        #expect(try await stub.send(UserRequest(login: "mojombo")).id == 1)
    }

    @Test func answersInDocComment() async throws {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(clock: clock)
            .answering(
                UsersRequest.self,
                once: .failure(TransportError(.connectionLost)), .status(503),
                .model([])
            )
            .answering(
                ChatRequest.self,
                with: .stream("data: Hel\n\n", "data: lo\n\n", every: .seconds(1))
            )
            .answering(.get, "/v2/hours", with: .json("[]").delayed(by: .seconds(2)))
        #expect(try await stub.retrying().send(UsersRequest()).isEmpty)
    }
}

extension TestingSnippets {
    @Test func allAnswersAreUsed() async throws {
        let stub = StubClient()
        #expect(stub.unusedAnswers.isEmpty)
    }
}
