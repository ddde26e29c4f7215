import APIKit
import APIKitTesting
import Testing

// The code of the articles on migrating, unchanged: the same three calls and a test in each.

nonisolated extension APIBase {
    static let books = APIBase("https://books.example.com/v1")
}
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

// What Moya and Alamofire send by default.
nonisolated extension APIBase {
    static let shelves = APIBase(
        "https://books.example.com/v1",
        parameterStyle: ParameterStyle(lists: .brackets, booleans: .digits))
}

struct ShelfRequest: APIRequest {
    typealias Response = [Book]
    var name: String
    var isLent: Bool
    var tags: [String]
    var base: APIBase { .shelves }
    var path: URLPath { "shelves/\(segments: name)" }
    var parameters: Parameters { ["lent": isLent, "tag": tags] }
}

/// The same endpoint without settings, and with the properties of a Moya target.
struct PlainShelfRequest: BooksRequest {
    typealias Response = [Book]
    var name: String
    var isLent = true
    var tags = ["new", "old"]
    var added = Date(timeIntervalSince1970: 1_795_199_400)
    var path: URLPath { "shelves/\(name)" }
    var query: Parameters { ["tag": tags, "lent": isLent, "added": added, "place": "a/b c+d"] }
    var headers: [String: String]? { ["X-Shelf": "1"] }
    var parameters: [String: Any] { ["page": 2] }
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
        let stub = StubClient()
            .answering(FindBooks.self, with: .model([Book(id: 1, title: "Dune")]))
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

    @Test func bytesOfMoyaAndAlamofireCanBeKept() throws {
        let request = ShelfRequest(name: "history/rome", isLent: true, tags: ["new", "old"])
        let url = "https://books.example.com/v1/shelves/history/rome?lent=1&tag%5B%5D=new&tag%5B%5D=old"
        #expect(try request.httpRequest().url.absoluteString == url)
    }

    @Test func defaultsDifferFromMoyaAndAlamofire() throws {
        let wire = try PlainShelfRequest(name: "history/rome").httpRequest()
        let path = "https://books.example.com/v1/shelves/history%2Frome"
        let query = "tag=new&tag=old&lent=true&added=2026-11-20T18%3A30%3A00Z&place=a%2Fb%20c%2Bd"
        #expect(wire.url.absoluteString == "\(path)?\(query)")
        #expect(wire.headers[.accept] == "application/json")
        #expect(RequestBody.form(["place": "a b"]).data == Data("place=a+b".utf8))
        #expect(wire.headers[.userAgent] == nil)
    }

    @Test func headersAndParametersOfAMoyaTargetAreIgnored() throws {
        let wire = try PlainShelfRequest(name: "rome").httpRequest()
        #expect(wire.headers["X-Shelf"] == nil)
        #expect(!wire.url.absoluteString.contains("page"))
        #expect(wire.body == nil)
    }

    @Test func sessionHasNeitherCacheNorCookies() {
        #expect(URLSessionConfiguration.api.urlCache == nil)
        #expect(URLSessionConfiguration.api.httpCookieStorage == nil)
        #expect(!URLSessionConfiguration.api.httpShouldSetCookies)
        #expect(URLSession.api.configuration.urlCache == nil)
        #expect(URLSession.api.configuration.httpCookieStorage == nil)
    }

    @Test func sessionWithCookies() {
        let configuration = URLSessionConfiguration.api
        configuration.httpCookieStorage = .shared
        configuration.httpShouldSetCookies = true
        let client = URLSession.api(configuration: configuration)
        #expect(client.configuration.httpShouldSetCookies)
        #expect(client.configuration.httpCookieStorage != nil)
    }

    @Test func failure() async throws {
        let stub = StubClient(.json(#"{"message": "exists"}"#, status: 409))
        let error = await #expect(throws: APIError<BooksError>.self) { try await stub.send(AddBook(title: "Dune")) }
        #expect(error?.localizedDescription.contains("exists") == true)
    }
}
