import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

/// What broke when clients were put around each other.
@Suite(.timeLimit(.minutes(3))) struct StackedClientsTests {
    private static let api = "https://api.example.com"

    /// Refreshes its token by a request through the client that it belongs to.
    private actor SelfRefreshing: CredentialSource {
        private var client: (any APIClient)?
        private var token = "old"
        func use(_ client: any APIClient) { self.client = client }
        func credential() -> Credential? { .bearer(token) }

        func replacement(for refused: Credential) async throws -> Credential? {
            _ = try await client?.send(AccountsRequest())
            token = "new"
            return credential()
        }
    }

    /// Refuses the token `old`; a request without one is a refresh.
    private static let server = ImmediateClient { request in
        request.headers[.authorization] == "Bearer old" ? .status(401) : .json("[]")
    }

    @Test func refreshThroughALimitedClientNeedsNoPlaceOfItsOwn() async throws {
        let source = SelfRefreshing()
        let client = Self.server.authorized(by: source, for: APIBase(Self.api)).limited(concurrent: 2)
        await source.use(client)
        try await withThrowingTaskGroup { group in
            for since in 0..<20 { group.addTask { try await client.send(AccountsRequest(since: since)) } }
            for try await accounts in group { #expect(accounts.isEmpty) }
        }
    }

    @Test func refreshDoesNotJoinTheTransferThatWaitsForIt() async throws {
        let source = SelfRefreshing()
        let client = Self.server.authorized(by: source, for: APIBase(Self.api)).coalesced()
        await source.use(client)
        #expect(try await client.send(AccountsRequest()).isEmpty)
    }

    @Test func refusedStreamLeavesItsPlaceToTheRefreshedOne() async throws {
        let source = SelfRefreshing()
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
    ]) func redirectThatRepeatsACredentialOfTheQueryIsRefused(location: String) async throws {
        let (server, client) = Self.redirecting(to: location)
        let error = try await client.failure(of: AccountsRequest())
        #expect(error.transportCode == .redirectRefused)
        #expect(!"\(error)".contains("schl"))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("/login?return=%2F%3Fappid%3Dschl%C3%BCssel", nil), ("https://other.example/?appid=schl%C3%BCssel&x=1", "x=1"),
    ]) func otherRedirectsOfSuchARequestAreFollowed(location: String, query: String?) async throws {
        let (server, client) = Self.redirecting(to: location)
        try await client.send(AccountsRequest())
        if let query { #expect(server.requests.last?.url.query == query) }
        #expect(server.requests.count == 2)
    }

    @Test func cacheKeepsRequestsApartThatOptOutOfAuthorization() async throws {
        let base = ScriptedClient(Self.fresh)
        let client = base.authorized(by: .bearer("t"), for: APIBase(Self.api)).cached(in: ResponseCache(bytes: 1 << 20))
        for authorization in [RequestOptions.Authorization.automatic, .none, .automatic, .none] {
            try await client.send(Endpoint<Data, Data>(options: RequestOptions(authorization: authorization)))
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
        #expect(clock.now.offset == .zero)
    }

    /// Gives the same token again before its end, and a new one after a 401.
    private actor Sliding: CredentialSource {
        private(set) var questions = 0
        private var token = "one"
        private var expires: Date

        init(expires: Date) { self.expires = expires }
        func credential() -> Credential? { .bearer(token, expires: expires) }

        func replacement(for refused: Credential) -> Credential? {
            questions += 1
            expires += 60
            if questions > 2 { token = "two" }
            return credential()
        }
    }

    @Test func sourceIsAskedAgainForATokenThatItHasProlonged() async throws {
        let clock = ManualClock()
        let source = Sliding(expires: clock.date + 60)
        let base = ScriptedClient(.json("[]"), .json("[]"), .json("[]"), .status(401), .json("[]"))
        let client = base.timed(by: clock).authorized(by: source, for: APIBase(Self.api))
        for questions in [0, 1, 2] {
            try await client.send(AccountsRequest())
            #expect(await source.questions == questions)
            clock.advance(by: .seconds(45))
        }
        try await client.send(AccountsRequest())
        #expect(base.requests.last?.headers[.authorization] == "Bearer two")
    }

    @Test func clockBearsAnyAdvance() {
        let clock = ManualClock()
        for _ in 0..<100 { clock.advance(by: .seconds(Int64.max)) }
        #expect(clock.now.offset == .seconds(Int64.max))
    }
}
