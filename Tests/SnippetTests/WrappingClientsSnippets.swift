import APIKit
import APIKitTesting
import Testing

// The code of the articles about wrapping clients, logging and recipes, and of doc comments, unchanged.
// Scripts/texts compares them.

nonisolated struct Metrics: Sendable {
    func record(_ duration: Duration, bytes: Int) {}
    func record(_ duration: Duration, of endpoint: (any Sendable)?) {}
}

@MainActor final class Indicator {
    var isVisible = false
    var isHidden = false
}

func stacked(on tokens: some CredentialSource, _ cache: ResponseCache) -> any APIClient {
    let github = URLSession.api
        .logged { print($0) }
        .cached(in: cache)
        .authorized(by: tokens, for: "https://api.github.com")
        .retrying(.backoff(attempts: 4))
    return github
}

nonisolated extension APIBase {
    static let camp = APIBase("https://3.camp.example/{accountId}")
}

func basedAtAnAccount() -> any APIClient {
    let client = URLSession.api.based(at: .camp.setting("accountId", to: 7))
    return client
}

func logged() -> any APIClient {
    let client = URLSession.api.logged { print($0) }
    // GET https://api.github.com/users?since=46&api_key=***: 200, 281 bytes, 35 ms
    return client
}

func loggedInDocComment() -> any APIClient {
    let client = URLSession.api.logged { print($0) }
    // GET https://api.github.com/users?since=46: 200, 281 bytes, 35 ms
    return client
}

func observed(_ metrics: Metrics) -> any APIClient {
    let measured = URLSession.api.observed { event in
        metrics.record(event.duration, bytes: event.bytesReceived ?? 0)
    }
    return measured
}

func observedInDocComment(_ metrics: Metrics) -> any APIClient {
    let client = URLSession.api.observed { event in
        metrics.record(event.duration, of: event.call.endpoint)
    }
    return client
}

@MainActor func tracked(_ indicator: Indicator) async throws {
    let tracker = RequestTracker()
    let tracked = URLSession.api.tracked(by: tracker)

    for await count in tracker.counts { indicator.isVisible = count > 0 }

    tracker.cancelAll()  // when the user logs out
    tracker.cancelAll(of: SearchRequest.self)  // when the search field is cleared

    try await tracked.send(UsersRequest())
}

@MainActor func trackedInDocComment(_ indicator: Indicator) async throws {
    let tracker = RequestTracker()
    let client = URLSession.api.tracked(by: tracker)

    for await count in tracker.counts { indicator.isHidden = count == 0 }
    tracker.cancelAll()  // when the user logs out

    try await client.send(UsersRequest())
}

func shared() -> any APIClient {
    // Ten views that ask for one avatar cause one transfer.
    let client = URLSession.api.coalesced()
    return client
}

func printForCurl() throws {
    let request = try UsersRequest(since: 46).httpRequest()
    print(request.curlCommand(showingSecrets: true))
    // curl --globoff --path-as-is 'https://api.github.com/users?since=46' …
}

func identified() -> any APIClient {
    let identified = URLSession.api.intercepted { request, _, next in
        var request = request
        request.headers["X-Request-Id"] = UUID().uuidString
        return try await next(request)
    }
    return identified
}

func identifiedInDocComment() -> any APIClient {
    let client = URLSession.api.intercepted { request, _, next in
        var request = request
        request.headers["X-Request-Id"] = UUID().uuidString
        return try await next(request)
    }
    return client
}

// MARK: - Recipes

struct Ticket: JSONResponse {
    let number: Int
}

struct EditTicketRequest: JSONRequest {
    typealias Response = Ticket
    let number: Int
    var title: Patch<String> = .keep
    var milestone: Patch<Int> = .keep
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "tickets/\(number)" }
    var method: HTTPMethod { .patch }
    var parameters: Parameters { ["title": title, "milestone": milestone] }
}

func clearMilestone(_ client: some APIClient) async throws {
    // Sends {"milestone":null}:
    try await client.send(EditTicketRequest(number: 7, milestone: .clear))
}

struct PaymentRequest: JSONRequest {
    typealias Response = Payment
    let amount: Int
    let key = UUID().uuidString
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "payments" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["Idempotency-Key": key] }
    var parameters: Parameters { ["amount": amount] }
}

enum NewFeed: APIResponse {
    static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        head.status == 200 || head.status == 304
    }
    static func process(data: Data) throws -> Data? { data.isEmpty ? nil : data }
}

struct FeedRequest: APIRequest {
    typealias Response = NewFeed
    var etag: String?
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "feed" }
    var headers: HTTPHeaders { [.ifNoneMatch: etag] }
}

func refreshFeed(_ client: some APIClient, since tag: String?, show: (Data) -> Void) async throws -> String? {
    var etag = tag
    let reply = try await client.reply(to: FeedRequest(etag: etag))
    if let feed = reply.model { show(feed) }  // nil: nothing new
    etag = reply.head.headers[.eTag] ?? etag
    return etag
}

enum Environment {
    case production, staging

    func makeClient() -> any APIClient {
        switch self {
        case .production: URLSession.api
        case .staging: URLSession.api.based(at: "https://staging.example.com/v2")
        }
    }
}

@MainActor final class SearchModel {
    private(set) var results: [Item] = []
    private let client: any APIClient
    private var search: Task<Void, Never>?

    init(client: any APIClient) {
        self.client = client
    }

    func textChanged(to text: String) {
        search?.cancel()
        search = Task {
            do {
                try await client.clock.sleep(for: .milliseconds(300))
                results = try await client.send(SearchRequest(text: text))
            } catch {
                // A search that was cancelled or failed changes no results.
            }
        }
    }
}

@Suite struct WrappingClientsSnippets {
    @Test func clearedFieldIsNull() async throws {
        let stub = StubClient(.json(#"{"number": 7}"#))
        try await clearMilestone(stub)
        let bodies = stub.requests.map { $0.body?.data.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == [#"{"milestone":null}"#])
    }

    @Test func feedIsShownOnlyIfItIsNew() async throws {
        var shown: [Data] = []
        let new = StubClient(.status(200, headers: [.eTag: "\"2\""], body: Data("news".utf8)))
        #expect(try await refreshFeed(new, since: "\"1\"") { shown.append($0) } == "\"2\"")
        let old = StubClient(.status(304))
        #expect(try await refreshFeed(old, since: "\"2\"") { shown.append($0) } == "\"2\"")
        #expect(shown == [Data("news".utf8)])
    }

    @Test func paymentKeepsItsKey() throws {
        let request = PaymentRequest(amount: 5)
        #expect(try request.httpRequest().headers == request.httpRequest().headers)
    }
}
