import APIKit
import APIKitTesting
import Testing

// The code of the articles on migrating, unchanged: the same three calls and a test in each.

nonisolated extension APIBase { static let books = APIBase("https://books.example.com/v1") }
nonisolated protocol BooksRequest: APIRequest { associatedtype Failure = BooksError }
nonisolated extension BooksRequest { var base: APIBase { .books } }
struct BooksError: JSONResponse { let message: String }

struct Book: JSONResponse, Equatable {
    let id: Int
    let title: String
}

struct FindBooks: BooksRequest {
    typealias Response = [Book]
    var text: String
    var limit: Int?
    var path: URLPath { "books" }
    var parameters: Parameters { ["q": text, "limit": limit] }
}

struct AddBook: BooksRequest, JSONRequest {
    typealias Response = Book
    var title: String
    var method: HTTPMethod { .post }
    var path: URLPath { "books" }
    var parameters: Parameters { ["title": title] }
}

struct PutCover: BooksRequest {
    typealias Response = NoContent
    var id: Int
    var file: URL
    var method: HTTPMethod { .put }
    var path: URLPath { "books/\(id)/cover" }
    var body: RequestBody? { .file(file) }
}

func find(with client: any APIClient) async throws -> [Book] {
    let books = try await client.send(FindBooks(text: "dune", limit: 10))
    return books
}

func add(with client: any APIClient) async throws {
    do {
        print(try await client.send(AddBook(title: "Dune")))
    } catch APIError<BooksError>.rejected(let error?, let response) {
        print(error.message, response.head.status)
    }
}

func put(_ file: URL, with client: any APIClient) async throws {
    try await client.send(
        PutCover(id: 7, file: file),
        progress: .anywhere { print($0.bytesSent, "of", $0.totalBytesToSend ?? 0) })
}

/// An upload with a completion handler, which can be cancelled.
@MainActor func start(_ file: URL, with client: any APIClient) {
    let task = client.start(
        PutCover(id: 7, file: file), progress: .onMainActor { print($0.bytesSent) }
    ) { result in
        if case .failure(let error) = result { print(error.localizedDescription) }
    }
    task.cancel()
}

@Suite struct MigrationSnippets {
    @Test func stub() async throws {
        let stub = StubClient().answering(FindBooks.self, with: .model([Book(id: 1, title: "Dune")]))
        #expect(try await stub.send(FindBooks(text: "dune")).map(\.title) == ["Dune"])
        #expect(stub.requests(of: FindBooks.self).map(\.text) == ["dune"])
    }

    @Test func requests() async throws {
        let find = try FindBooks(text: "dune", limit: 10).httpRequest()
        #expect(find.url.absoluteString == "https://books.example.com/v1/books?q=dune&limit=10")
        let add = try AddBook(title: "Dune").httpRequest()
        #expect(add.body?.data == Data(#"{"title":"Dune"}"#.utf8))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("cover-\(UUID())")
        try Data("cover".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let put = try PutCover(id: 7, file: file).httpRequest()
        #expect(put.url.path() == "/v1/books/7/cover")
    }

    @Test func failure() async throws {
        let stub = StubClient(.json(#"{"message": "exists"}"#, status: 409))
        let error = await #expect(throws: APIError<BooksError>.self) { try await stub.send(AddBook(title: "Dune")) }
        #expect(error?.localizedDescription.contains("exists") == true)
    }
}
