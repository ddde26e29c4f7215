public import APIKit
import APIKitTesting
import Foundation
import Testing

// The code of the article about writing an SDK that is not from the examples, unchanged. Scripts/texts compares them.

/// A client of the API for one account.
public struct CampClient: Sendable {
    let client: any APIClient

    /// Creates a client, which sends its requests with a session, a stub or a
    /// wrapped client.
    public init(
        token: String, account: Int, on client: any APIClient = URLSession.api
    ) {
        let base = APIBase.camp.setting("accountId", to: account)
        self.client =
            client
            .based(at: base, insteadOf: .camp)
            .adding(headers: [.userAgent: "camp-swift/1.0"])
            .authorized(by: .bearer(token), for: base)
            .retrying()
    }
}

/// Why the API refused a request.
public struct CampError: JSONResponse {
    /// A text for people.
    public let error: String
}

nonisolated protocol CampRequest: APIRequest { associatedtype Failure = CampError }
nonisolated extension CampRequest { var base: APIBase { .camp } }

struct UpdateTodoRequest: CampRequest, JSONRequest {
    typealias Response = Todo
    let id: Int
    var title: String?
    var dueOn: Patch<DateOnly> = .keep
    var method: HTTPMethod { .patch }
    var path: URLPath { "todos/\(id).json" }
    var parameters: Parameters { ["title": title, "due_on": dueOn] }
    var options: RequestOptions {
        RequestOptions(
            isIdempotent: true, retries: .init(attempts: 3, statuses: [429, 503]))
    }
}

/// A model of the API: names in snake case, and dates in ISO 8601.
public nonisolated protocol CampModel: JSONResponse, JSONBody {}

public nonisolated extension CampModel {
    static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
    static var encoder: JSONEncoder {
        let encoder = JSONEncoder.api
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }
}

/// A time at which someone is reminded.
public nonisolated struct Reminder: CampModel, Equatable {
    /// Whom it is for.
    public let userName: String
    /// When it is due.
    public let dueAt: Date
}

struct TasksRequest: CampRequest, PagedRequest {
    typealias Response = [Todo]
    let todolist: Int
    var pageLink: URL?
    var path: URLPath { "todolists/\(todolist)/todos.json" }
    func next(after reply: APIReply<[Todo]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
    func total(in reply: APIReply<[Todo]>) -> Int? {
        reply.head.headers.integer("X-Total-Count")
    }
}

extension CampClient {
    /// To-dos.
    public var todos: Todos { Todos(client: client) }

    /// To-dos.
    public struct Todos: Sendable {
        let client: any APIClient
    }
}

extension CampClient.Todos {
    /// The to-dos of a list.
    public func list(
        todolist: Int, limit: Int? = nil
    ) async throws(APIError<CampError>) -> ItemList<Todo> {
        try await all(todolist: todolist).list(limit: limit)
    }

    /// The to-dos of a list, page by page as they are read.
    public func all(todolist: Int) -> PagedItems<Todo, CampError> {
        client.items(of: TasksRequest(todolist: todolist))
    }
}

func showTodos(token: String) async throws {
    let camp = CampClient(token: token, account: 7)
    let todos = try await camp.todos.list(todolist: 3, limit: 20)
    if todos.hasMore { print("\(todos.count) of \(todos.total ?? todos.count)") }
    for try await todo in camp.todos.all(todolist: 3) { print(todo.id) }
}

struct UsageError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

func requireEncryption(_ url: URL) throws {
    let isLocal = ["localhost", "127.0.0.1", "::1"].contains(url.host())
    guard url.scheme == "https" || isLocal else {
        throw UsageError("The URL of the API needs https.")
    }
}

// MARK: - URLs that the API gives out

struct FileRequest: CampRequest {
    typealias Response = Data
    let url: URL
    var base: APIBase { APIBase(url) }
    var path: URLPath { "" }
    var options: RequestOptions { RequestOptions(redirects: .refuse) }
}

func download(
    _ url: URL, from client: any APIClient
) async throws(APIError<CampError>) -> Data {
    do {
        return try await client.send(FileRequest(url: url))
    } catch {
        let location = error.response?.head.headers["Location"]
        guard error.status == 302, let location, let signed = URL(string: location) else {
            throw error
        }
        let options = RequestOptions(addsCredentials: false)
        return try await client.send(FileRequest(url: signed), options: options)
    }
}

@Suite struct SDKSnippets {
    @Test func modelIsReadAndWrittenInSnakeCase() throws {
        let reminder = Reminder(userName: "Ada", dueAt: Date(timeIntervalSince1970: 0))
        let json = Data(#"{"due_at":"1970-01-01T00:00:00Z","user_name":"Ada"}"#.utf8)
        #expect(try Reminder.process(data: json) == reminder)
        #expect(try Reminder.encoder.encode(reminder) == json)
    }

    @Test func endpointsSendTheirProperties() throws {
        #expect(TasksRequest(todolist: 4711).likelyMistakes() == [])
        let day = try #require(DateOnly(year: 2026, month: 12, day: 1))
        #expect(UpdateTodoRequest(id: 4711, title: "Lamp", dueOn: .set(day)).likelyMistakes() == [])
    }

    @Test func changeIsSentAgain() async throws {
        let stub = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(UpdateTodoRequest.self, once: .status(503), .json(#"{"id": 1}"#))
        let client = CampClient(token: "t", account: 7, on: stub).client

        _ = try await client.send(UpdateTodoRequest(id: 1, dueOn: .clear))

        let bodies = stub.requests.map { String(decoding: $0.body?.data ?? Data(), as: UTF8.self) }
        #expect(bodies == [#"{"due_on":null}"#, #"{"due_on":null}"#])
    }

    @Test func listBelongsToTheAccount() async throws {
        let stub = StubClient()
            .answering(TasksRequest.self, once: .json(#"[{"id": 1}, {"id": 2}]"#, headers: ["X-Total-Count": "2"]))
        let client = CampClient(token: "t", account: 7, on: stub)

        let list = try await client.todos.list(todolist: 3, limit: 1)

        #expect(list.map(\.id) == [1])
        #expect(list.total == 2)
        #expect(list.hasMore)
        let request = try #require(stub.requests.first)
        #expect(request.url.absoluteString == "https://3.camp.example/7/todolists/3/todos.json")
        #expect(request.headers[.authorization] == "Bearer t")
    }

    @Test func signedURLGetsNoCredential() async throws {
        let stub = StubClient()
            .answering(
                .get, "/7/files/1",
                with: .status(302, headers: ["Location": "https://files.example.com/1?signature=s"])
            )
            .answering(.get, "/1", with: .status(200, body: Data("content".utf8)))
        let client = CampClient(token: "t", account: 7, on: stub).client
        let url = try #require(URL(string: "https://3.camp.example/7/files/1"))

        let file = try await download(url, from: client)

        #expect(String(decoding: file, as: UTF8.self) == "content")
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
    }

    @Test(arguments: ["http://localhost:8080", "http://127.0.0.1", "https://example.com"])
    func encryptedURLsAreAllowed(_ url: String) throws {
        try requireEncryption(#require(URL(string: url)))
    }

    @Test func plainURLIsRefused() throws {
        let url = try #require(URL(string: "http://example.com"))
        #expect(throws: UsageError.self) { try requireEncryption(url) }
    }
}
