import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct AuthorizedTests {
    static let base = "https://api.example.com"

    // MARK: - Where credentials are sent

    struct Scope: Sendable, CustomTestStringConvertible {
        let base: String
        let url: String
        let isInside: Bool
        var testDescription: String { "\(url) below \(base)" }
    }

    static let scopes = [
        Scope(base: "https://a.example", url: "https://a.example/x", isInside: true),
        Scope(base: "HTTPS://A.example:443/", url: "https://a.EXAMPLE", isInside: true),
        Scope(base: "http://a.example", url: "http://a.example:80/x", isInside: true),
        Scope(base: "https://a.example/v1/", url: "https://a.example/v1?x", isInside: true),
        Scope(base: "https://a.example/v1", url: "https://a.example/v1/x..y/...", isInside: true),
        Scope(base: "https://a.example", url: "https://a.example/../x", isInside: true),
        Scope(base: "https://a.example/v1", url: "https://a.example/v10", isInside: false),
        Scope(base: "https://a.example/v1", url: "https://a.example/V1/x", isInside: false),
        Scope(base: "https://a.example/v1", url: "https://a.example/", isInside: false),
        Scope(base: "https://a.example/v1", url: "https://a.example/v1/../x", isInside: false),
        Scope(base: "https://a.example/v1", url: "https://a.example/v1/%2e%2E/x", isInside: false),
        Scope(base: "https://a.example/v1", url: "https://a.example/v1/x%2F..%2Fy", isInside: false),
        Scope(base: "http://a.example", url: "https://a.example/x", isInside: false),
        Scope(base: "https://a.example", url: "http://a.example:444/x", isInside: false),
        Scope(base: "https://a.example/v1", url: "http://a.example/x", isInside: false),
        Scope(base: "https://a.example", url: "https://a.example:444/x", isInside: false),
        Scope(base: "https://a.example", url: "https://a.example.org/x", isInside: false),
        Scope(base: "https://a.example", url: "https://b.a.example/x", isInside: false),
        Scope(base: "https://a.example", url: "https://a.example@b.example/x", isInside: false),
        Scope(base: "https://a.example", url: "https://u:p@a.example/x", isInside: false),
        Scope(base: "https://a.example", url: "https://a.example:99999999999999999999/x", isInside: false),
    ]

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
        request.options.authorization = .none
        _ = try await client.perform(request)
        #expect(script.requests.map { $0.headers[.authorization] } == [nil])
    }

    @Test(arguments: scopes) func sendsCredentialsBelowTheBaseURLsAlone(scope: Scope) async throws {
        let script = ScriptedClient(.json("{}"))
        let client = script.authorized(by: .bearer("t"), for: "https://other.example", scope.base)
        _ = try await client.perform(HTTPRequest(url: try #require(URL(string: scope.url))))
        #expect(script.requests.map { $0.headers[.authorization] } == [scope.isInside ? "Bearer t" : nil])
    }

    @Test(arguments: [
        "", "api.example.com", "ftp://h", "https://u:s3cret@h", "https://h#x", "https://h:0", "https://[",
    ]) func invalidBaseURLsSendNothing(text: String) async throws {
        let stub = StubClient(.json("[]"))
        let error = try await stub.authorized(by: .bearer("t"), for: Self.base, text).failure(of: AccountsRequest())
        #expect(error.invalidRequest?.code == .baseURL)
        #expect(!"\(error)".contains("s3cret"))
        #expect(try await stub.authorized(by: .bearer("t")).failure(of: AccountsRequest()).invalidRequest != nil)
        #expect(await stub.requests.isEmpty)
    }

    @Test func redirectsToAnotherOriginCarryNoCredential() async throws {
        let stub = StubClient { request in
            switch request.url.host {
            case "api.example.com": .status(302, headers: [.location: "https://other.example/x"])
            default: .status(401)
            }
        }
        let source = TokenSource("old")
        let client: any APIClient = stub.authorized(by: source, for: Self.base, "https://other.example")
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(await stub.requests.map { $0.headers[.authorization] } == ["Bearer old", nil])
        // That 401 says nothing of the credential.
        #expect(source.refused.isEmpty)
    }

    @Test func redirectsWithinTheOriginCarryIt() async throws {
        let script = ScriptedClient(.status(302, headers: [.location: "/next"]), .json("[]"))
        try await script.authorized(by: .query("appid", "k"), for: Self.base).send(AccountsRequest())
        #expect(script.requests.map(\.url.query) == ["appid=k", "appid=k"])
    }

    @Test func requestsCanOptOut() async throws {
        let stub = StubClient(.json("[]"))
        let client = stub.authorized(by: .bearer("t"), for: Self.base)
        try await client.send(Endpoint<[Account], NoContent>(options: RequestOptions(authorization: .none)))
        #expect(await stub.requests.first?.headers[.authorization] == nil)
    }

    @Test func credentialsInsideOneAnotherAreKept() async throws {
        let stub = StubClient(.json("[]"))
        let client = stub.authorized(by: .bearer("inner"), for: Self.base)
            .authorized(by: .header("X-Tenant", "7"), for: Self.base)
        try await client.send(AccountsRequest())
        let headers = try #require(await stub.requests.first).headers
        #expect(headers[.authorization] == "Bearer inner")
        #expect(headers["X-Tenant"] == "7")
    }

    // MARK: - Refused credentials

    @Test func whatASourceHasGivenIsNeverSentAgainOnceItWasRefused() async throws {
        let server = TokenServer(valid: "new")
        let client = server.authorized(by: TokenSource("old"), for: Self.base)
        for _ in 0..<3 { #expect(try await client.failure(of: AccountsRequest()).status == 401) }
        #expect(server.tokens == ["old", nil, nil])
    }

    @Test func aCredentialWithoutSourceIsSentOnceWithEveryRequest() async throws {
        let server = TokenServer(valid: "new")
        let client = server.authorized(by: .bearer("old"), for: Self.base)
        for _ in 0..<3 { #expect(try await client.failure(of: AccountsRequest()).status == 401) }
        #expect(server.tokens == ["old", "old", "old"])
    }

    @Test func aRefreshThatFailsEarlyLeavesTheCredentialThatIsStillValid() async throws {
        let now = Date()
        let server = TokenServer(valid: "old")
        let source = TokenSource(.bearer("old", expires: now.addingTimeInterval(10))) { _ in
            throw TransportError(.connectionLost)
        }
        let client = server.authorized(by: source, for: Self.base, now: { now })
        for _ in 0..<2 { try await client.send(AccountsRequest()) }
        #expect(server.tokens == ["old", "old"])
        let late = server.authorized(by: source, for: Self.base, now: { now.addingTimeInterval(10) })
        #expect(try await late.failure(of: AccountsRequest()).transportCode == .connectionLost)
    }

    @Test func aRefusedCredentialIsReplacedAndTheRequestRepeated() async throws {
        let server = TokenServer(valid: "new")
        let source = TokenSource("old") { _ in .bearer("new") }
        let client: any APIClient = server.authorized(by: source, for: Self.base)
        try await client.send(AccountsRequest())
        try await client.send(AccountsRequest())
        #expect(server.tokens == ["old", "new", "new"])
        #expect(source.refused == [.bearer("old")])
    }

    @Test func eachRequestIsRepeatedOnce() async throws {
        let server = TokenServer(valid: "none")
        let number = Counter()
        let source = TokenSource("0") { _ in .bearer("\(number.next())") }
        let client = server.authorized(by: source, for: Self.base)
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(server.tokens == ["0", "1"])
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(server.tokens == ["0", "1", "2", "3"])
        #expect(source.refused == [.bearer("0"), .bearer("1"), .bearer("2")])
    }

    @Test func aCredentialThatChangedMeanwhileIsUsed() async throws {
        let source = TokenSource("old") { _ in .bearer("wrong") }
        let server = TokenServer(valid: "new") { _ in source.set(.bearer("new")) }
        try await server.authorized(by: source, for: Self.base).send(AccountsRequest())
        #expect(server.tokens == ["old", "new"])
        #expect(source.refused.isEmpty)
    }

    @Test func aSourceThatDoesNotRememberIsAskedOnce() async throws {
        let server = TokenServer(valid: "new")
        let source = TokenSource("old", keeps: false) { _ in .bearer("new") }
        let client = server.authorized(by: source, for: Self.base)
        for _ in 0..<3 { try await client.send(AccountsRequest()) }
        #expect(server.tokens == ["old", "new", "new", "new"])
        #expect(source.refused == [.bearer("old")])
    }

    @Test func aSourceThatReturnsTheRefusedOneIsAskedOnce() async throws {
        let server = TokenServer(valid: "new")
        let source = TokenSource("old") { $0 }
        let client = server.authorized(by: source, for: Self.base)
        for _ in 0..<2 { #expect(try await client.failure(of: AccountsRequest()).status == 401) }
        #expect(server.tokens == ["old", nil])
        #expect(source.refused == [.bearer("old")])
    }

    @Test func afterALogoutTheRequestIsSentWithoutCredential() async throws {
        let server = TokenServer(valid: "old")
        let source = TokenSource("old")
        let client = server.authorized(by: source, for: Self.base)
        try await client.send(AccountsRequest())
        source.set(nil)
        #expect(try await client.failure(of: AccountsRequest()).status == 401)
        #expect(server.tokens == ["old", nil])
    }

    // MARK: - Expiry

    @Test(arguments: [
        (Duration.seconds(30), 31.0, false), (.seconds(30), 30, true), (.seconds(30), -1, true), (.zero, 1, false),
        (.seconds(-10), -5, false), (.seconds(Int64.max), 1, true), (.seconds(Int64.min), -1, false),
        (.seconds(30), .nan, false), (.seconds(30), .infinity, false), (.seconds(30), -.infinity, true),
    ])
    func anExpiringCredentialIsReplacedBeforeItIsSent(leeway: Duration, rest: Double, isReplaced: Bool) async throws {
        let server = TokenServer(valid: isReplaced ? "new" : "old")
        let now = Date(timeIntervalSince1970: 1_000_000)
        let source = TokenSource(.bearer("old", expires: now.addingTimeInterval(rest))) { _ in .bearer("new") }
        let client = server.authorized(by: source, for: Self.base, leeway: leeway, now: { now })
        try await client.send(AccountsRequest())
        #expect(server.tokens == [isReplaced ? "new" : "old"])
    }

    @Test func anExpiringCredentialWithoutReplacementIsSent() async throws {
        let server = TokenServer(valid: "old")
        let source = TokenSource(.bearer("old", expires: .distantPast))
        let client = server.authorized(by: source, for: Self.base)
        for _ in 0..<2 { try await client.send(AccountsRequest()) }
        #expect(server.tokens == ["old", "old"])
        #expect(source.refused == [.bearer("old")])
    }

    @Test func aReplacementThatExpiresSoonIsUsed() async throws {
        let server = TokenServer(valid: "new")
        let source = TokenSource(.bearer("old", expires: .distantPast)) { _ in .bearer("new", expires: .distantPast) }
        try await server.authorized(by: source, for: Self.base).send(AccountsRequest())
        #expect(server.tokens == ["new"])
        #expect(source.refused == [.bearer("old")])
    }
}

// MARK: - A server and its tokens

/// Accepts one token, and records all that arrive.
final class TokenServer: APIClient {
    private let valid: String
    private let refusing: @Sendable (Int) async -> Void
    private let log = Recorder<String?>()

    /// Creates a server, which calls a closure with the number of requests so far before each 401.
    init(valid: String, refusing: @escaping @Sendable (Int) async -> Void = { _ in }) {
        self.valid = valid
        self.refusing = refusing
    }

    /// The tokens of all requests, nil for one without.
    var tokens: [String?] { log.values }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = request.headers[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        let count = log.append(token)
        if token == valid { return .json("[]") }
        await refusing(count)
        return .status(401)
    }
}

/// Holds a credential, and replaces it as a closure says.
final class TokenSource: CredentialSource {
    private let current: Locked<Credential?>
    private let log = Recorder<Credential>()
    private let keeps: Bool
    let replace: Locked<@Sendable (Credential) async throws -> Credential?>

    init(
        _ credential: Credential, keeps: Bool = true,
        replace: @escaping @Sendable (Credential) async throws -> Credential? = { _ in nil }
    ) {
        current = Locked(credential)
        self.keeps = keeps
        self.replace = Locked(replace)
    }

    convenience init(
        _ token: String, keeps: Bool = true,
        replace: @escaping @Sendable (Credential) async throws -> Credential? = { _ in nil }
    ) {
        self.init(.bearer(token), keeps: keeps, replace: replace)
    }

    /// The credentials that were to be replaced.
    var refused: [Credential] { log.values }

    func set(_ credential: Credential?) { current.withLock { $0 = credential } }

    func credential() async -> Credential? { current.withLock { $0 } }

    func replacement(for refused: Credential) async throws -> Credential? {
        log.append(refused)
        let next = try await replace.withLock { $0 }(refused)
        if keeps, let next { set(next) }
        return next
    }
}

/// Counts from 1.
final class Counter: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    @discardableResult func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Holds its callers until enough of them have come; later ones pass.
final class Turnstile: Sendable {
    private let count: Int
    private let state = Locked((arrived: 0, waiting: [CheckedContinuation<Void, Never>]()))

    init(_ count: Int) { self.count = count }

    func pass() async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state in
                state.arrived += 1
                state.waiting.append(continuation)
                guard state.arrived >= count else { return [CheckedContinuation<Void, Never>]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in released { continuation.resume() }
        }
    }
}
