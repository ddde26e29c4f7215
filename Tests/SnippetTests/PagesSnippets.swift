import APIKit
import APIKitRecording
import APIKitTesting
import Testing

// The code about pages and about injected faults, unchanged. Scripts/texts compares the two.

// MARK: - Links

struct Commit: JSONResponse {
    let sha: String
}

struct CommitsRequest: GitHubRequest, PagedRequest {
    var pageLink: URL?
    typealias Response = [Commit]
    var path: URLPath { "commits" }
    func next(after reply: APIReply<[Commit]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

struct FilesRequest: ShopRequest, PagedRequest {
    struct Response: JSONResponse {
        let files: [String]
        let next: String?
    }

    let folder: String
    var pageLink: URL?
    var path: URLPath { "files/search" }
    var method: HTTPMethod { pageLink == nil ? .post : .get }
    var body: RequestBody? {
        pageLink == nil ? .json(["folder": .string(folder)] as JSONValue) : nil
    }
    func next(after reply: APIReply<Response>) -> Self? {
        next(setting: \.pageLink, to: reply.model.next)
    }
}

func listCommits(client: any APIClient) async throws {
    for try await commit in client.items(of: CommitsRequest()) { print(commit.sha) }
}

// MARK: - Cursors

struct Orders: JSONResponse {
    let orders: [Item]
    let nextCursor: String?
    let count: Int
}

struct OrdersRequest: ShopRequest, PagedRequest {
    var cursor: String?
    typealias Response = Orders
    var path: URLPath { "orders" }
    var parameters: Parameters { ["cursor": cursor] }

    func next(after reply: APIReply<Orders>) -> Self? {
        next(setting: \.cursor, to: reply.model.nextCursor)
    }

    func total(in reply: APIReply<Orders>) -> Int? {
        reply.model.count
    }
}

func listOrders(client: any APIClient) async throws {
    for try await order in client.items(of: OrdersRequest(), in: \.orders) {
        print(order.name)
    }
}

func showOrders(client: any APIClient) async throws {
    let list = try await client.items(of: OrdersRequest(), in: \.orders).list(limit: 50)
    print("\(list.count) of \(list.total ?? list.count)")
    if list.hasMore { print("and more") }
}

func showOrdersSoon(client: any APIClient) async throws {
    let options = RequestOptions(deadline: .seconds(5))
    let items = client.items(of: OrdersRequest(), in: \.orders, options: options)
    print(try await items.list().count)
}

// MARK: - In an SDK

/// Something to do.
public struct Todo: JSONResponse {
    /// Its number.
    public let id: Int
}

/// Why the API refused a request.
public struct TodoFailure: JSONResponse {
    /// A text for people.
    public let message: String
}

struct TodosRequest: PagedRequest {
    typealias Response = [Todo]
    typealias Failure = TodoFailure
    var pageLink: URL?
    var base: APIBase { "https://todo.example.com" }
    var path: URLPath { "todos" }
    func next(after reply: APIReply<[Todo]>) -> Self? {
        next(setting: \.pageLink, to: reply.links[.next])
    }
}

/// A client of the API.
public struct TodoClient: Sendable {
    let client: any APIClient

    /// All that is to be done.
    public func todos() -> PagedItems<Todo, TodoFailure> {
        client.items(of: TodosRequest())
    }
}

// MARK: - Numbers

struct StockRequest: ShopRequest, PagedRequest {
    var page = 1
    typealias Response = [Item]
    var path: URLPath { "stock" }
    var parameters: Parameters { ["page": page, "per_page": 100] }

    func next(after reply: APIReply<[Item]>) -> Self? {
        next(advancing: \.page, by: reply.model.isEmpty ? 0 : 1)
    }
}

struct SalesRequest: ShopRequest, PagedRequest {
    typealias Response = [Item]
    var offset = 0
    var path: URLPath { "sales" }
    var parameters: Parameters { ["offset": offset] }
    func next(after reply: APIReply<[Item]>) -> Self? {
        next(advancing: \.offset, by: reply.model.count)
    }
}

// MARK: - Reading pages

func showPages(client: any APIClient, show: ([Commit], Int?) -> Void) async throws {
    func show(_ commits: [Commit], of total: Int?) { print(commits.count, total ?? 0) }
    for try await page in client.pages(of: CommitsRequest()) {
        show(page.model, of: page.total)
    }
}

struct OrderList {
    private(set) var orders: [Item] = []
    private(set) var next: OrdersRequest? = OrdersRequest()

    mutating func loadMore(from client: any APIClient) async throws {
        guard let request = next else { return }
        for try await page in client.pages(of: request, limit: 1) {
            orders += page.model.orders
            next = page.next
        }
    }
}

func export(from client: any APIClient, write: (Orders) async throws -> Void) async throws {
    for try await page in client.pages(of: OrdersRequest(), prefetching: true) {
        try await write(page.model)
    }
}

func showLast<Model>(of reply: APIReply<Model>) {
    if let last = reply.links[.last] { print("the last page is \(last)") }
}

@Suite struct PagesSnippets {
    @Test func numbers() async throws {
        let stub = StubClient().answering(StockRequest.self) { request in
            request.page < 4 ? [Item(id: request.page, name: "Lamp")] : []
        }

        var ids: [Int] = []
        for try await item in stub.items(of: StockRequest()) { ids.append(item.id) }
        #expect(ids == [1, 2, 3])
        #expect(stub.requests(of: StockRequest.self).map(\.page) == [1, 2, 3, 4])
    }

    @Test func itemsInAnSDK() async throws {
        let stub = StubClient().answering(TodosRequest.self, once: .json(#"[{"id": 1}, {"id": 2}]"#))
        let list = try await TodoClient(client: stub).todos().list(limit: 1)
        #expect(list.map(\.id) == [1])
        #expect(list.hasMore)
    }

    @Test func links() async throws {
        let stub = StubClient { request in
            let isFirst = request.url.query == nil
            return .json(#"[{"sha": "Lamp"}]"#, headers: [.link: isFirst ? #"<?page=2>; rel="next""# : nil])
        }
        var hashes: [String] = []
        for try await commit in stub.items(of: CommitsRequest()) { hashes.append(commit.sha) }
        #expect(hashes == ["Lamp", "Lamp"])
        #expect(stub.requests.last?.url.absoluteString == "https://api.github.com/commits?page=2")
        #expect(stub.requests.last?.headers["X-GitHub-Api-Version"] != nil)
    }

    @Test func firstPageIsPosted() async throws {
        let stub = StubClient { request in
            let next = request.method == .post ? #""/v2/files?page=2""# : "null"
            return .json(#"{"files": ["\#(request.method)"], "next": \#(next)}"#)
        }
        var methods: [String] = []
        for try await page in stub.pages(of: FilesRequest(folder: "a")) { methods += page.model.files }
        #expect(methods == ["POST", "GET"])
        #expect(stub.requests.map { $0.body == nil } == [false, true])
    }

    @Test func cursors() async throws {
        let stub = StubClient().answering(OrdersRequest.self) { request in
            let item = Item(id: request.cursor == nil ? 1 : 2, name: "Chair")
            return Orders(orders: [item], nextCursor: request.cursor == nil ? "c2" : nil, count: 2)
        }
        var list = OrderList()
        try await list.loadMore(from: stub)
        #expect(list.orders.map(\.id) == [1])
        #expect(list.next?.cursor == "c2")
        try await list.loadMore(from: stub)
        try await list.loadMore(from: stub)
        #expect(list.orders.map(\.id) == [1, 2])
        var totals: [Int?] = []
        for try await page in stub.pages(of: OrdersRequest(), prefetching: true) { totals.append(page.total) }
        #expect(totals == [2, 2])
    }

    // MARK: - Injected faults

    @Test func injectsFaults() async throws {
        var faults = FaultInjection.seed(7)
        faults.duplicates = 0
        let stub = StubClient(.json("[]"), clock: ManualClock(skippingSleep: true))
        let network = stub.injectingFaults(.seed(7))
        let client = network.retrying(.backoff(attempts: 3))
        _ = try? await client.send(SearchRequest(text: "Lamp"))
        #expect(network.log.isEmpty == false)
        #expect(faults != .seed(7))
    }

    @Test(arguments: 0..<100) func everySearchEnds(seed: UInt64) async {
        let clock = ManualClock(skippingSleep: true)
        let stub = StubClient(.json(#"[{"id": 1, "name": "Lamp"}]"#), clock: clock)
        let network = stub.injectingFaults(.seed(seed))
        let client = network.retrying(.backoff(attempts: 3))
        do throws(APIError<ShopError>) {
            let items = try await client.send(SearchRequest(text: "Lamp"))
            #expect(items.count == 1, "\(network)")
        } catch {
            #expect(error.description.contains("simulated"), "\(network)")
        }
    }
}
