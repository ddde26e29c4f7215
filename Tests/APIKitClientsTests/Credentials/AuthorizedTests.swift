import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct AuthorizedTests {
    static let base = "https://api.example.com"

    // MARK: - Where credentials are sent

    private static let inside: [(String, String)] = [
        ("https://a.example", "https://a.example/x"), ("HTTPS://A.example:443/", "https://a.EXAMPLE"),
        ("http://a.example", "http://a.example:80/x"), ("https://a.example/v1/", "https://a.example/v1?x"),
        ("https://a.example/v1", "https://a.example/v1/x..y/..."), ("https://a.example", "https://a.example/../x"),
    ]
    private static let outside: [(String, String)] = [
        ("https://a.example/v1", "https://a.example/v10"), ("https://a.example/v1", "https://a.example/V1/x"),
        ("https://a.example/v1", "https://a.example/"), ("https://a.example/v1", "https://a.example/v1/../x"),
        ("https://a.example/v1", "https://a.example/v1/%2e%2E/x"),
        ("https://a.example/v1", "https://a.example/v1/x%2F..%2Fy"), ("http://a.example", "https://a.example/x"),
        ("https://a.example", "http://a.example:444/x"), ("https://a.example/v1", "http://a.example/x"),
        ("https://a.example", "https://a.example:444/x"), ("https://a.example", "https://a.example.org/x"),
        ("https://a.example", "https://b.a.example/x"), ("https://a.example", "https://a.example@b.example/x"),
        ("https://a.example", "https://u:p@a.example/x"),
        ("https://a.example", "https://a.example:99999999999999999999/x"),
    ]

    @Test(arguments: inside.map { ($0.0, $0.1, true) } + outside.map { ($0.0, $0.1, false) })
    func sendsCredentialsBelowTheBaseURLsAlone(base: String, url: String, isInside: Bool) async throws {
        let script = ScriptedClient(.json("{}"))
        let client = script.authorized(by: .bearer("t"), for: "https://other.example", APIBase(base))
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: url))))
        #expect(script.requests.map { $0.headers[.authorization] } == [isInside ? "Bearer t" : nil])
    }

    // Otherwise a wrong scheme would only show as requests without a credential.
    @Test(arguments: ["http://a.example/v1/x", "HTTP://A.example/v1"])
    func httpURLOfACredentialForHTTPSIsAnError(url: String) async throws {
        let script = ScriptedClient(.json("{}"))
        let client = script.authorized(by: .bearer("t0ken"), for: "https://a.example/v1")
        var request = HTTPRequest(url: try #require(URL(string: url)))
        let error = await #expect(throws: RequestError.self) { try await client.perform(request) }
        #expect(error?.code == .baseURL)
        #expect(error?.description.contains("the client's credential is for https") == true)
        #expect(script.requests.isEmpty)
        request.options.addsCredentials = false
        _ = try await client.perform(request)
        #expect(script.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test(arguments: [
        "", "api.example.com", "ftp://h", "https://u:s3cret@h", "https://h#x", "https://h:0", "https://[",
    ]) func invalidBaseURLsSendNothing(text: String) async throws {
        let stub = StubClient(.json("[]"))
        let error = try await stub.authorized(by: .bearer("t"), for: APIBase(Self.base), APIBase(text)).failure(
            of: AccountsRequest())
        #expect(error.invalidRequest?.code == .baseURL)
        #expect(!"\(error)".contains("s3cret"))
        #expect(try await stub.authorized(by: .bearer("t")).failure(of: AccountsRequest()).invalidRequest != nil)
        #expect(stub.requests.isEmpty)
    }

    @Test func redirectsToAnotherOriginCarryNoCredential() async throws {
        let base = ScriptedClient(.status(302, headers: [.location: "https://other.example/x"]), .status(401))
        let source = TokenSource("old")
        let client: any APIClient = base.authorized(by: source, for: APIBase(Self.base), "https://other.example")
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(base.requests.map { $0.headers[.authorization] } == ["Bearer old", nil])
        // That 401 says nothing of the credential.
        #expect(source.refused.isEmpty)
    }

    @Test func redirectsWithinTheOriginCarryIt() async throws {
        let script = ScriptedClient(.status(302, headers: [.location: "/next"]), .json("[]"))
        try await script.authorized(by: .query("appid", "k"), for: APIBase(Self.base)).send(AccountsRequest())
        #expect(script.requests.map(\.url.query) == ["appid=k", "appid=k"])
    }

    @Test func requestsCanOptOut() async throws {
        let base = ScriptedClient(.json("[]"))
        let request = Endpoint<[Account], NoContent>(options: RequestOptions(addsCredentials: false))
        try await base.authorized(by: .bearer("t"), for: APIBase(Self.base)).send(request)
        #expect(base.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test func credentialsInsideOneAnotherAreKept() async throws {
        let base = ScriptedClient(.json("[]"))
        try await base.authorized(by: .bearer("inner"), for: APIBase(Self.base))
            .authorized(by: .header("X-Tenant", "7"), for: APIBase(Self.base)).send(AccountsRequest())
        #expect(base.requests.map { $0.headers[.authorization] } == ["Bearer inner"])
        #expect(base.requests.map { $0.headers["X-Tenant"] } == ["7"])
    }

    // MARK: - Refused credentials

    /// Sends requests one after another, and expects the statuses of their responses and the tokens that were sent.
    private func expect(
        _ statuses: [Int], tokens: [String?], valid: String, from source: some CredentialSource
    ) async throws {
        let server = TokenServer(valid: valid)
        let client = server.authorized(by: source, for: APIBase(Self.base))
        for status in statuses {
            #expect(try await client.perform(HTTPRequest(url: URL(string: Self.base)!)).head.status == status)
        }
        #expect(server.tokens == tokens)
    }

    @Test func whatASourceHasGivenIsNeverSentAgainOnceItWasRefused() async throws {
        try await expect([401, 401, 401], tokens: ["old", nil, nil], valid: "new", from: TokenSource("old"))
    }

    @Test func aCredentialWithoutSourceIsSentOnceWithEveryRequest() async throws {
        let tokens = ["old", "old", "old"]
        try await expect([401, 401, 401], tokens: tokens, valid: "new", from: Credential.bearer("old"))
    }

    @Test func aRefreshThatFailsEarlyLeavesTheCredentialThatIsStillValid() async throws {
        let clock = ManualClock()
        let server = TokenServer(valid: "old")
        let source = TokenSource(.bearer("old", expires: clock.date + 10)) { _ in
            throw TransportError(.connectionLost)
        }
        let client = server.timed(by: clock).authorized(by: source, for: APIBase(Self.base))
        for _ in 0..<2 { try await client.send(AccountsRequest()) }
        #expect(server.tokens == ["old", "old"])
        clock.advance(by: .seconds(10))
        #expect(try await client.failure(of: AccountsRequest()).transportCode == .connectionLost)
    }

    @Test(arguments: [true, false])
    func aRefusedCredentialIsReplacedOnceAndTheRequestRepeated(sourceRemembers: Bool) async throws {
        let source = TokenSource("old", keeps: sourceRemembers) { _ in .bearer("new") }
        try await expect([200, 200, 200], tokens: ["old", "new", "new", "new"], valid: "new", from: source)
        #expect(source.refused == [.bearer("old")])
    }

    /// A source with a ring of keys, such as `["a", "b"]`.
    private static func ring(_ keys: [String]) -> TokenSource {
        TokenSource(keys[0]) { refused in
            zip(keys, keys.dropFirst()).first { Credential.bearer($0.0) == refused }.map { .bearer($0.1) }
        }
    }

    @Test func asksUntilTheSourceHasNoOther() async throws {
        let keys = ["revoked", "expired", "good"]
        try await expect([200, 200], tokens: keys + ["good"], valid: "good", from: Self.ring(keys))
        try await expect([401, 401], tokens: keys + [nil], valid: "other", from: Self.ring(keys))
    }

    @Test func aRequestIsSentTwentyTimesAtMost() async throws {
        let server = TokenServer(valid: "none")
        let number = Counter()
        let source = TokenSource("0") { _ in .bearer("\(number.next())") }
        let client = server.authorized(by: source, for: APIBase(Self.base))
        for count in [20, 40] {
            #expect(try await client.failure(of: AccountsRequest()).status == 401)
            #expect(server.tokens == (0..<count).map { "\($0)" })
        }
    }

    @Test func anAPICanRefuseInItsOwnWay() async throws {
        let used = Recorder<String?>()
        let server = StubClient { request in
            let key = request.headers[.authorization]
            used.append(key)
            switch key {
            case "Bearer a": return .json(#"{"code": "insufficient_quota"}"#, status: 429)
            case "Bearer b": return .json(#"{"code": "slow_down"}"#, status: 429)
            default: return .json("[]")
            }
        }
        let client = server.authorized(by: Self.ring(["a", "b", "c"]), for: APIBase(Self.base)) {
            $0.body.text?.contains("insufficient_quota") == true
        }
        #expect(try await client.failure(of: AccountsRequest()).status == 429)
        #expect(used.values == ["Bearer a", "Bearer b"])
    }

    @Test func aCredentialThatChangedMeanwhileIsUsed() async throws {
        let source = TokenSource("old") { _ in .bearer("wrong") }
        let server = TokenServer(valid: "new") { _ in source.set(.bearer("new")) }
        try await server.authorized(by: source, for: APIBase(Self.base)).send(AccountsRequest())
        #expect(server.tokens == ["old", "new"])
        #expect(source.refused.isEmpty)
    }

    @Test func aSourceThatReturnsTheRefusedOneIsAskedOnce() async throws {
        let source = TokenSource("old") { $0 }
        try await expect([401, 401], tokens: ["old", nil], valid: "new", from: source)
        #expect(source.refused == [.bearer("old")])
    }

    @Test func afterALogoutTheRequestIsSentWithoutCredential() async throws {
        let server = TokenServer(valid: "old")
        let source = TokenSource("old")
        let client = server.authorized(by: source, for: APIBase(Self.base))
        try await client.send(AccountsRequest())
        source.set(nil)
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(server.tokens == ["old", nil])
    }

    // MARK: - Expiry

    @Test(
        arguments: [
            (Duration.seconds(30), 31.0, false), (.seconds(30), 30, true), (.seconds(30), -1, true), (.zero, 1, false),
            (.seconds(-10), -5, false), (.seconds(Int64.max), 1, true), (.seconds(Int64.min), -1, false),
            (.seconds(30), .nan, false), (.seconds(30), .infinity, false), (.seconds(30), -.infinity, true),
        ] as [(Duration, Double, Bool)])
    func anExpiringCredentialIsReplacedBeforeItIsSent(leeway: Duration, rest: Double, isReplaced: Bool) async throws {
        let server = TokenServer(valid: isReplaced ? "new" : "old")
        let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 1_000_000))
        let source = TokenSource(.bearer("old", expires: clock.date + rest)) { _ in .bearer("new") }
        let client = server.timed(by: clock).authorized(by: source, for: APIBase(Self.base), leeway: leeway)
        try await client.send(AccountsRequest())
        #expect(server.tokens == [isReplaced ? "new" : "old"])
    }

    @Test func anExpiringCredentialWithoutReplacementIsSent() async throws {
        let source = TokenSource(.bearer("old", expires: .distantPast))
        try await expect([200, 200], tokens: ["old", "old"], valid: "old", from: source)
        #expect(source.refused == [.bearer("old")])
    }

    @Test func aReplacementThatExpiresSoonIsUsed() async throws {
        let source = TokenSource(.bearer("old", expires: .distantPast)) { _ in .bearer("new", expires: .distantPast) }
        try await expect([200], tokens: ["new"], valid: "new", from: source)
        #expect(source.refused == [.bearer("old")])
    }
}

extension AuthorizedTests {
    // MARK: - Missing credentials

    @Test func expiredMissingCredentialIsReplacedBeforeAnythingIsSent() async throws {
        let source = TokenSource(.missing(1, expires: .distantPast)) { _ in .bearer("new") }
        try await expect([200, 200], tokens: ["new", "new"], valid: "new", from: source)
        #expect(source.refused == [.missing(1)])
    }

    @Test func missingCredentialIsReplacedOnceItIsRefused() async throws {
        let source = TokenSource(.missing(1)) { _ in .bearer("new") }
        try await expect([200, 200], tokens: [nil, "new", "new"], valid: "new", from: source)
        #expect(source.refused == [.missing(1)])
    }

    @Test func publicResourcesNeedNoCredential() async throws {
        let source = TokenSource(.missing(1)) { _ in .bearer("new") }
        let script = ScriptedClient(.json("[]"))
        try await script.authorized(by: source, for: APIBase(Self.base)).send(AccountsRequest())
        #expect(script.requests.map { $0.headers[.authorization] } == [nil])
        #expect(source.refused.isEmpty)
    }

    // Its number says whether a missing credential is the one that could not be replaced.
    @Test func missingCredentialWithoutReplacementReturnsTheRefusal() async throws {
        let source = TokenSource(.missing(1))
        let server = TokenServer(valid: "new")
        let client = server.authorized(by: source, for: APIBase(Self.base))
        for _ in 0..<2 { #expect(try await client.failure(of: AccountsRequest()).status == 401) }
        #expect(source.refused == [.missing(1)])
        source.set(.missing(2))
        source.replace.withLock { $0 = { _ in .bearer("new") } }
        try await client.send(AccountsRequest())
        #expect(source.refused == [.missing(1), .missing(2)])
        #expect(server.tokens == [nil, nil, nil, "new"])
    }

    @Test func expiredMissingCredentialWithoutReplacementIsReplacedAfterARefusal() async throws {
        let attempts = Counter()
        let source = TokenSource(.missing(1, expires: .distantPast)) { _ in
            attempts.next() == 1 ? nil : .bearer("new")
        }
        try await expect([200], tokens: [nil, "new"], valid: "new", from: source)
        #expect(source.refused == [.missing(1), .missing(1)])
    }

    // The replacement would be sent in that header.
    @Test(arguments: [nil, Date.distantPast])
    func missingCredentialIsNotReplacedForARequestWithItsOwn(expires: Date?) async throws {
        let source = TokenSource(.missing(1, expires: expires)) { _ in .bearer("new") }
        let server = TokenServer(valid: "new")
        let url = try #require(URL(string: Self.base))
        let response = try await server.authorized(by: source, for: APIBase(Self.base)).perform(
            HTTPRequest(url: url, headers: [.authorization: "Bearer own"]))
        #expect(response.head.status == 401)
        #expect(server.tokens == ["own"])
        #expect(source.refused.isEmpty)
    }

    @Test func sourceSeesTheRefusalOfAMissingCredential() async throws {
        let source = ScopedSource(first: .missing(1))
        let challenge = #"Bearer resource_metadata="https://api.example.com/metadata""#
        let script = ScriptedClient(.status(401, headers: [.wwwAuthenticate: challenge]), .status(204))
        let client = script.authorized(by: source, for: APIBase(Self.base))
        let url = try #require(URL(string: Self.base))
        #expect(try await client.perform(HTTPRequest(url: url)).head.status == 204)
        #expect(script.requests.map { $0.headers[.authorization] } == [nil, "Bearer write"])
        let refusal = try #require(await source.refusals.first)
        #expect(refusal.head.headers[.wwwAuthenticate] == challenge)
        #expect(refusal.request == script.requests.first)
    }
}

extension AuthorizedTests {
    private struct Stubborn: CredentialSource {
        func credential() async throws -> Credential? { .bearer("old") }
    }

    /// It would be held while the credential is replaced.
    @Test func refusalKeepsLittleOfALargeBodyIfTheCredentialCanBeReplaced() async throws {
        let engine = LargeBodyEngine(status: 401)
        let request = HTTPRequest(url: try #require(URL(string: Self.base)))
        let replaced = try await engine.authorized(by: Stubborn(), for: APIBase(Self.base)).perform(request)
        #expect(replaced.head.status == 401)
        #expect(replaced.body.data?.count == 65_536)
        let fixed = try await engine.authorized(by: .bearer("t"), for: APIBase(Self.base)).perform(request)
        #expect(fixed.body.data?.count == 1_048_576)
    }

    // MARK: - The refusal

    /// A source that chooses its credentials by the refusal.
    private actor ScopedSource: CredentialSource {
        var refusals: [HTTPResponse] = []
        var early: [Credential] = []
        private let first: Credential

        init(first: Credential = .bearer("first", expires: .distantPast)) { self.first = first }

        func credential() -> Credential? { first }

        func replacement(for refused: Credential) -> Credential? {
            early.append(refused)
            return .bearer("read")
        }

        func replacement(for refused: Credential, refusedBy response: HTTPResponse) -> Credential? {
            refusals.append(response)
            return .bearer("write")
        }
    }

    /// A source that also counts a 403 as a refusal.
    private actor StrictSource: CredentialSource {
        private let scopes: TokenSource

        init(_ scopes: TokenSource) { self.scopes = scopes }
        func credential() async -> Credential? { await scopes.credential() }
        func replacement(for refused: Credential) async throws -> Credential? {
            try await scopes.replacement(for: refused)
        }
        nonisolated func isRefusal(_ response: HTTPResponse) -> Bool { [401, 403].contains(response.head.status) }
    }

    @Test(arguments: [(401, [200, 200]), (403, [200, 200]), (404, [404, 200])] as [(Int, [Int])])
    func sourceDecidesWhatARefusalIs(status: Int, results: [Int]) async throws {
        let script = ScriptedClient(.status(status), .status(200), .status(200))
        let source = TokenSource("read") { _ in .bearer("write") }
        let client = script.authorized(by: StrictSource(source), for: APIBase(Self.base))
        let request = HTTPRequest(url: try #require(URL(string: Self.base)))
        for result in results { #expect(try await client.perform(request).head.status == result) }
        #expect(source.refused == (status == 404 ? [] : [.bearer("read")]))
    }

    @Test func functionOverridesTheSource() async throws {
        let script = ScriptedClient(.status(403), .status(429), .status(200))
        let source = TokenSource("read") { _ in .bearer("write") }
        let client = script.authorized(by: StrictSource(source), for: APIBase(Self.base)) { $0.head.status == 429 }
        let request = HTTPRequest(url: try #require(URL(string: Self.base)))
        for result in [403, 200] { #expect(try await client.perform(request).head.status == result) }
        #expect(source.refused == [.bearer("read")])
    }

    // A redirect or a success is not a refusal, whatever the source says.
    @Test(arguments: [200, 204, 304]) func refusalsHaveAStatusFrom400(status: Int) async throws {
        let source = TokenSource("old") { _ in .bearer("new") }
        let script = ScriptedClient(.status(status))
        let client = script.authorized(by: source, for: APIBase(Self.base)) { _ in true }
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: Self.base))))
        #expect(source.refused.isEmpty)
    }

    @Test func sourceSeesTheRefusal() async throws {
        let source = ScopedSource()
        let challenge = #"Bearer error="insufficient_scope", scope="write""#
        let script = ScriptedClient(
            .status(401, headers: [.wwwAuthenticate: challenge], body: Data("no".utf8)), .status(204))
        let client = script.authorized(by: source, for: APIBase(Self.base))
        let url = try #require(URL(string: "\(Self.base)/x"))
        #expect(try await client.perform(HTTPRequest(url: url)).head.status == 204)
        #expect(script.requests.map { $0.headers[.authorization] } == ["Bearer read", "Bearer write"])
        // A credential that expires is replaced without a refusal.
        #expect(await source.early.count == 1)
        let refusal = try #require(await source.refusals.first)
        #expect(await source.refusals.count == 1)
        #expect(refusal.head.headers[.wwwAuthenticate] == challenge)
        #expect(refusal.body.text == "no")
        #expect(refusal.request?.url == url)
    }
}
