import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// What broke when clients were put around each other.
@Suite(.timeLimit(.minutes(10))) struct StackedClientsTests {
    private static let api = "https://api.example.com"

    /// A source that refreshes its token by a request through the client that it belongs to.
    private static func source(using client: Recorder<any APIClient>) -> TokenSource {
        TokenSource("old") { _ in
            _ = try await #require(client.values.first).send(AccountsRequest())
            return .bearer("new")
        }
    }

    /// Refuses the token `old`; a request without one is a refresh.
    private static let server = ImmediateClient { request in
        request.headers[.authorization] == "Bearer old" ? .status(401) : .json("[]")
    }

    @Test func refreshThroughALimitedClientNeedsNoPlaceOfItsOwn() async throws {
        let shared = Recorder<any APIClient>()
        let client = Self.server.authorized(by: Self.source(using: shared), for: APIBase(Self.api))
            .limited(concurrent: 2)
        shared.append(client)
        try await withThrowingTaskGroup { group in
            for since in 0..<20 { group.addTask { try await client.send(AccountsRequest(since: since)) } }
            for try await accounts in group { #expect(accounts.isEmpty) }
        }
    }

    @Test func refreshDoesNotJoinTheTransferThatWaitsForIt() async throws {
        let shared = Recorder<any APIClient>()
        let client = Self.server.authorized(by: Self.source(using: shared), for: APIBase(Self.api)).coalesced()
        shared.append(client)
        #expect(try await client.send(AccountsRequest()).isEmpty)
    }

    @Test func refusedStreamLeavesItsPlaceToTheRefreshedOne() async throws {
        let source = TokenSource("old") { _ in .bearer("new") }
        let base = ImmediateClient { request in
            let isOld = request.headers[.authorization] == "Bearer old"
            return HTTPResponse(
                head: .init(status: isOld ? 401 : 200, url: request.url),
                body: ResponseBody(request.delivery == .stream ? ByteStream("[]") : ByteStream([])))
        }
        let client = base.limited(concurrent: 1).authorized(by: source, for: APIBase(Self.api))
        let response = try await client.perform(HTTPRequest(url: URL(string: "\(Self.api)/a")!, delivery: .stream))
        #expect(response.head.status == 200)
    }

    private static func redirecting(to location: String) -> (server: ScriptedClient, client: any APIClient) {
        let server = ScriptedClient(.status(302, headers: [.location: location]), .json("[]"))
        return (server, server.authorized(by: .query("appid", "schlüssel"), for: APIBase(api)))
    }

    @Test(arguments: [
        "https://other.example/login?return=https%3A%2F%2Fapi.example.com%2F%3Fappid%3Dschl%C3%BCssel",
        "https://other.example/login?return=%2F%3Fappid%3Dschl%25C3%25BCssel",
        "https://other.example/?appid=schl%c3%bcssel", "https://other.example/?APPID=schl%C3%BCssel",
        "//other.example/?a=1;appid=schl%C3%BCssel", "https://other.example/p/appid=schl%C3%BCssel",
        // Combining characters do not hide it.
        "https://other.example/?u=schl%C3%BCssel\u{301}", "https://other.example/?u=schl%C3%BCssel%CC%81",
    ]) func redirectThatRepeatsACredentialOfTheQueryIsRefused(location: String) async throws {
        let (server, client) = Self.redirecting(to: location)
        let error = try await client.failure(of: AccountsRequest())
        #expect(error.transportCode == .redirectRefused)
        #expect(!"\(error)".contains("schl"))
        #expect(server.requests.count == 1)
    }

    @Test(
        arguments: [
            ("/login?return=%2F%3Fappid%3Dschl%C3%BCssel", nil),
            ("https://other.example/?appid=schl%C3%BCssel&x=1", "x=1"),
        ] as [(String, String?)])
    func otherRedirectsOfSuchARequestAreFollowed(location: String, query: String?) async throws {
        let (server, client) = Self.redirecting(to: location)
        try await client.send(AccountsRequest())
        if let query { #expect(server.requests.last?.url.query == query) }
        #expect(server.requests.count == 2)
    }

    @Test func cacheKeepsRequestsApartThatOptOutOfAuthorization() async throws {
        let base = ScriptedClient(Self.fresh)
        let client = base.authorized(by: .bearer("t"), for: APIBase(Self.api)).cached(in: ResponseCache(bytes: 1 << 20))
        for addsCredentials in [true, false, true, false] {
            try await client.send(Endpoint<Data, Data>(options: RequestOptions(addsCredentials: addsCredentials)))
        }
        #expect(base.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
    }

    @Test func cacheKeepsCredentialsApartWhateverTheirHeader() async throws {
        let client = ScriptedClient(Self.fresh)
        let cached = client.cached(in: ResponseCache(bytes: 1 << 20))
        for user in ["alice", "bob"] {
            try await cached.authorized(by: .header("Content-Account", user), for: APIBase(Self.api)).send(
                AccountsRequest())
        }
        #expect(client.requests.count == 2)
    }

    private static let fresh = HTTPResponse.json("[]", headers: [.cacheControl: "max-age=60"])

    // It would be the same again.
    @Test func cachesOwn504IsNotRetried() async throws {
        let clock = ManualClock(skippingSleep: true)
        let client = StubClient().cached(in: ResponseCache(bytes: 1 << 20)).timed(by: clock).retrying()
        let request = Endpoint<Data, Data>(headers: [.cacheControl: "only-if-cached"])
        #expect(try await client.failure(of: request).status == 504)
        #expect(clock.elapsed == .zero)
    }

    @Test func sourceIsAskedAgainForATokenThatItHasProlonged() async throws {
        let (clock, questions) = (ManualClock(), Counter())
        let end = clock.date + 60
        // The same token again before its end, and a new one after a 401.
        let source = TokenSource(.bearer("one", expires: end)) { _ in
            let number = questions.next()
            return .bearer(number > 2 ? "two" : "one", expires: end + 60 * Double(number))
        }
        let base = ScriptedClient(.json("[]"), .json("[]"), .json("[]"), .status(401), .json("[]"))
        let client = base.timed(by: clock).authorized(by: source, for: APIBase(Self.api))
        for count in [0, 1, 2] {
            try await client.send(AccountsRequest())
            #expect(questions.value == count)
            clock.advance(by: .seconds(45))
        }
        try await client.send(AccountsRequest())
        #expect(base.requests.last?.headers[.authorization] == "Bearer two")
    }

    @Test func clockBearsAnyAdvance() {
        let clock = ManualClock()
        for _ in 0..<100 { clock.advance(by: .seconds(Int64.max)) }
        #expect(clock.elapsed == .seconds(Int64.max))
    }
}
