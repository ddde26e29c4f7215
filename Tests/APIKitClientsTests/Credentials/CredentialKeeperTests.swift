import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct CredentialKeeperTests {
    private static let base = AuthorizedTests.base

    struct LoginFailed: Error {}
    struct LoginError: JSONResponse, Hashable { let reason: String }

    // MARK: - Many requests at once

    @Test(arguments: [false, true]) func aHundredRequestsShareOneRefresh(isExpired: Bool) async throws {
        let allArrived = Turnstile(100)
        let server = TokenServer(valid: "new") { _ in await allArrived.pass() }
        let source = TokenSource(.bearer("old", expires: isExpired ? .distantPast : nil)) { _ in .bearer("new") }
        let client = server.authorized(by: source, for: APIBase(Self.base))
        let answers = await Self.results(100) { _ in try await client.send(AccountsRequest()) }
        #expect(answers.count { (try? $0.get()) != nil } == 100)
        #expect(source.refused == [.bearer("old")])
        #expect(server.tokens.count { $0 == "old" } == (isExpired ? 0 : 100))
    }

    @Test(arguments: [false, true]) func aHundredRequestsShareOneSignIn(isExpired: Bool) async throws {
        let allArrived = Turnstile(100)
        let server = TokenServer(valid: "new") { _ in await allArrived.pass() }
        let source = TokenSource(.missing(1, expires: isExpired ? .distantPast : nil)) { _ in .bearer("new") }
        let client = server.authorized(by: source, for: APIBase(Self.base))
        let answers = await Self.results(100) { _ in try await client.send(AccountsRequest()) }
        #expect(answers.count { (try? $0.get()) != nil } == 100)
        #expect(source.refused == [.missing(1)])
        #expect(server.tokens.count { $0 == nil } == (isExpired ? 0 : 100))
    }

    /// Many times, since it depends on when the refresh fails: mostly before all requests have received their 401.
    @Test func aFailedRefreshFailsEachRequestOnceWhateverItsFailureType() async throws {
        for _ in 0..<20 {
            let allArrived = Turnstile(100)
            let server = TokenServer(valid: "new") { _ in await allArrived.pass() }
            let source = TokenSource("old") { _ in throw LoginFailed() }
            let client = server.authorized(by: source, for: APIBase(Self.base))
            let errors = await Self.results(100) { index in
                if index.isMultiple(of: 2) {
                    try await client.send(AccountsRequest())
                } else {
                    try await client.send(Endpoint<[Account], NoContent>())
                }
            }.compactMap { result in if case .failure(let error as any APIFailure) = result { error } else { nil } }
            #expect(errors.count { $0.transportError?.underlying is LoginFailed } == 100)
            #expect(errors.allSatisfy { $0.status == nil && "\($0)".contains("LoginFailed") })
            #expect(source.refused == [.bearer("old")])
            #expect(server.tokens.count == 100)
        }
    }

    @Test func aReplacementThatIsRefusedBeforeItIsReturnedIsReplacedToo() async throws {
        let (isSet, isRefused) = (Hold(), Hold())
        let server = TokenServer(valid: "2")
        let source = TokenSource(.bearer("0", expires: .distantPast))
        source.replace.withLock { replace in
            replace = { [unowned source] refused in
                guard refused == .bearer("0") else { return .bearer("2") }
                source.set(.bearer("1"))
                isSet.release()
                await isRefused.wait()
                return .bearer("1")
            }
        }
        let client = server.authorized(by: source, for: APIBase(Self.base))
        let first = Task { try await client.send(AccountsRequest()) }
        await isSet.wait()
        try await client.send(AccountsRequest())
        isRefused.release()
        #expect(try await first.value.isEmpty)
        #expect(server.tokens == ["1", "2", "2"])
    }

    @Test func aLaterRequestAsksAgainAfterAFailure() async throws {
        let server = TokenServer(valid: "new")
        let attempts = Counter()
        let source = TokenSource("old") { _ in
            if attempts.next() == 1 { throw TransportError(.connectionLost, "the login broke") }
            return .bearer("new")
        }
        let client = server.authorized(by: source, for: APIBase(Self.base))
        #expect(try await client.failure(of: AccountsRequest()).transport?.message == "the login broke")
        try await client.send(AccountsRequest())
        #expect(server.tokens == ["old", "new"])
        #expect(source.refused.count == 2)
    }

    @Test func theRejectionOfALoginIsNotThatOfTheRequest() async throws {
        let server = TokenServer(valid: "new")
        let source = TokenSource("old") { _ in
            throw APIError.rejected(LoginError(reason: "closed"), .json(#"{"reason": "closed"}"#, status: 400))
        }
        let error = try await server.authorized(by: source, for: APIBase(Self.base)).failure(of: AccountsRequest())
        #expect(error.status == nil)
        #expect((error.transport?.underlying as? any APIFailure)?.status == 400)
    }

    @Test func aRefusedCredentialThatIsOfferedOnAndOnIsSentOnce() async throws {
        let server = TokenServer(valid: "none")
        let client = server.authorized(by: StaleSource(), for: APIBase(Self.base))
        for _ in 0..<Effort.rounds(150, thorough: 1_200) {
            _ = try await client.perform(HTTPRequest(url: URL(string: Self.base)!))
        }
        #expect(server.tokens.count { $0 == "0" } == 1)
    }

    // MARK: - Cancels

    /// A source whose refresh has begun, and ends when a test lets it.
    private struct SlowSource {
        let began = Hold()
        let mayEnd = Hold()
        let source: TokenSource

        init() {
            source = TokenSource("old") { [began, mayEnd] _ in
                began.release()
                await mayEnd.wait()
                return .bearer("new")
            }
        }
    }

    @Test func cancelledRequestsLeaveTheRefreshToTheOthers() async throws {
        let (allArrived, slow) = (Turnstile(100), SlowSource())
        let server = TokenServer(valid: "new") { _ in await allArrived.pass() }
        let client = server.authorized(by: slow.source, for: APIBase(Self.base))
        let tasks = (0..<100).map { _ in Task { try await client.send(AccountsRequest()) } }
        await slow.began.wait()
        for task in tasks.prefix(50) { task.cancel() }
        for task in tasks.prefix(50) { await #expect(throws: DirectoryFailure.self) { try await task.value } }
        slow.mayEnd.release()
        for task in tasks.suffix(50) { #expect(try await task.value.isEmpty) }
        #expect(slow.source.refused == [.bearer("old")])
    }

    @Test func theLastCancelEndsTheRefreshAndTheNextWaitsForItsEnd() async throws {
        let (started, isCancelled, mayEnd, attempts) = (Hold(), Hold(), Hold(), Counter())
        let source = TokenSource("old") { _ in
            guard attempts.next() == 1 else { return .bearer("new") }
            await withTaskCancellationHandler {
                started.release()
                await mayEnd.wait()
            } onCancel: {
                isCancelled.release()
            }
            throw CancellationError()
        }
        let client = TokenServer(valid: "new").authorized(by: source, for: APIBase(Self.base))
        let first = Task { try await client.send(AccountsRequest()) }
        await started.wait()
        first.cancel()
        await isCancelled.wait()
        let second = Task { @OneAtATime in try await client.perform(AccountsRequest().httpRequest()) }
        // The second request can only wait for the first refresh, which has not ended.
        await OneAtATime.settle()
        #expect(attempts.value == 1)
        mayEnd.release()
        #expect(try await second.value.head.status == 200)
        #expect(attempts.value == 2)
    }

    @Test func whatACancelledRefreshReturnsIsKept() async throws {
        let slow = SlowSource()
        let client = TokenServer(valid: "new").authorized(by: slow.source, for: APIBase(Self.base))
        let first = Task { try await client.send(AccountsRequest()) }
        await slow.began.wait()
        first.cancel()
        await #expect(throws: DirectoryFailure.self) { try await first.value }
        slow.mayEnd.release()
        try await client.send(AccountsRequest())
        #expect(slow.source.refused == [.bearer("old")])
    }

    // MARK: - The source's own requests

    @Test func requestsOfTheSourceAreSentWithoutCredential() async throws {
        let server = TokenServer(valid: "new")
        let client = Locked<(any APIClient)?>(nil)
        let source = TokenSource("old") { _ in
            // Its 401 is its own.
            let error = try await #require(client.withLock { $0 }).failure(of: AccountRequest())
            return error.status == 401 ? .bearer("new") : nil
        }
        let authorized: any APIClient = server.authorized(by: source, for: APIBase(Self.base))
        client.withLock { $0 = authorized }
        try await authorized.send(AccountsRequest())
        #expect(server.tokens == ["old", nil, "new"])
        client.withLock { $0 = nil }
    }

    /// Clients whose sources need each other's credentials: each one's source sends a request with the next client, and
    /// the last one's with the first client.
    private final class Circle: Sendable {
        let servers: [TokenServer]
        private let authorized = Locked<[any APIClient]>([])
        /// The statuses that the sources have received.
        let statuses = Recorder<Int?>()

        var clients: [any APIClient] { authorized.withLock { $0 } }

        init(
            _ count: Int, willSend: @escaping @Sendable () async -> Void, hasSent: @escaping @Sendable () async -> Void
        ) {
            servers = (0..<count).map { _ in TokenServer(valid: "new") }
            let authorizedClients: [any APIClient] = servers.enumerated().map { index, server in
                let source = TokenSource("old") { [unowned self] _ in
                    await willSend()
                    let next = clients[(index + 1) % count]
                    let response = try await next.perform(AccountsRequest().httpRequest())
                    statuses.append(response.head.status)
                    await hasSent()
                    return .bearer("new")
                }
                return server.authorized(by: source, for: APIBase(CredentialKeeperTests.base))
            }
            authorized.withLock { $0 = authorizedClients }
        }

        /// Releases the clients, whose sources refer to them.
        func end() { authorized.withLock { $0 = [] } }
    }

    @Test(arguments: [2, 3]) func sourcesThatNeedEachOtherSendWhatIsKnown(count: Int) async throws {
        let (areAllAsked, haveAllSent) = (Turnstile(count), Turnstile(count))
        let circle = Circle(count, willSend: { await areAllAsked.pass() }, hasSent: { await haveAllSent.pass() })
        defer { circle.end() }
        let results = await Self.results(count) { try await circle.clients[$0].send(AccountsRequest()) }
        for result in results { #expect(try result.get().isEmpty) }
        // The old credential is known to be refused, and is not sent again.
        for server in circle.servers { #expect(server.tokens == ["old", nil, "new"]) }
        #expect(circle.statuses.values == Array(repeating: 401, count: count))
    }

    @Test(arguments: [1, 2, 3]) func aSourceIsReachedAgainByTheSourcesThatItNeeds(count: Int) async throws {
        let circle = Circle(count, willSend: {}, hasSent: {})
        defer { circle.end() }
        #expect(try await circle.clients[0].send(AccountsRequest()).isEmpty)
        #expect(circle.servers[0].tokens == ["old", nil, "new"])
        // Nobody else replaces the others' credentials, so that the sources wait for them.
        for server in circle.servers.dropFirst() { #expect(server.tokens == ["old", "new"]) }
        #expect(circle.statuses.values == [401] + Array(repeating: 200, count: count - 1))
    }

    @Test func aSourceSendsACredentialThatExpiresSoonWhileItIsReplaced() async throws {
        let (isAsked, mayEnd) = (Hold(), Hold())
        let server = TokenServer(valid: "soon")
        let other = TokenSource(.bearer("soon", expires: Date(timeIntervalSinceNow: 10))) { _ in
            isAsked.release()
            await mayEnd.wait()
            return .bearer("soon")
        }
        let otherClient = server.authorized(by: other, for: APIBase(Self.base))
        let first = Task { try await otherClient.send(AccountsRequest()) }
        await isAsked.wait()
        let source = TokenSource("old") { _ in
            try await otherClient.send(AccountsRequest())
            return .bearer("new")
        }
        let client = TokenServer(valid: "new").authorized(by: source, for: APIBase(Self.base))
        #expect(try await client.send(AccountsRequest()).isEmpty)
        #expect(server.tokens == ["soon"])
        mayEnd.release()
        #expect(try await first.value.isEmpty)
    }

    @Test func aSourceCanLogInWhenItIsAskedForItsCredential() async throws {
        let server = TokenServer(valid: "new")
        let source = LazySource()
        let client = server.authorized(by: source, for: APIBase(Self.base))
        source.client.withLock { $0 = client }
        try await client.send(AccountsRequest())
        #expect(server.tokens == [nil, "new"])
        source.client.withLock { $0 = nil }
    }

    private final class LazySource: CredentialSource {
        let client = Locked<(any APIClient)?>(nil)

        func credential() async throws -> Credential? {
            _ = try await #require(client.withLock { $0 }).failure(of: AccountsRequest())
            return .bearer("new")
        }
    }

    // MARK: -

    /// The results of so many tasks at once.
    private static func results<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: Result<Value, any Error>.self) { group in
            for index in 0..<count {
                group.addTask { do { return .success(try await work(index)) } catch { return .failure(error) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The source was asked because the credential was about to expire, and meanwhile the server has refused it.
    @Test func refusalDuringAReplacementIsShownToTheSource() {
        let credential: Credential = .bearer("a")
        var records = CredentialRecords()
        records.setRefused(credential, by: .status(401))
        records.setReplacement(nil, of: credential, hasSeenRefusal: false)
        #expect(records.isReplaceable(credential))
        #expect(records.refusal(of: credential)?.head.status == 401)
        records.setReplacement(nil, of: credential, hasSeenRefusal: true)
        #expect(!records.isReplaceable(credential))
        #expect(records.refusal(of: credential) == nil)
    }

    // MARK: - Records

    @Test func aCredentialIsNotItsOwnSuccessor() {
        let (old, new): (Credential, Credential) = (.bearer("old"), .bearer("new"))
        var records = CredentialRecords()
        records.setReplacement(new, of: old, hasSeenRefusal: false)
        records.setReplacement(old, of: old, hasSeenRefusal: false)
        #expect(records.successor(of: old) == new)
        records.setRefused(old, by: .status(401))
        records.setReplacement(old, of: old, hasSeenRefusal: true)
        records.setReplacement(nil, of: old, hasSeenRefusal: true)
        #expect(records.successor(of: old) == new)
    }

    /// The source always offers the old credential.
    @Test func aReplacementIsSentUntilItsLaterExpiry() {
        let start = Date(timeIntervalSince1970: 0)
        func new(expiring seconds: TimeInterval) -> Credential {
            .bearer("new", expires: start.addingTimeInterval(seconds))
        }
        var records = CredentialRecords()
        records.setReplacement(new(expiring: 10), of: .bearer("old"), hasSeenRefusal: false)
        records.setReplacement(new(expiring: 20), of: new(expiring: 10), hasSeenRefusal: false)
        func isReplaced(_ credential: Credential, after seconds: TimeInterval) -> Bool {
            let date = start.addingTimeInterval(seconds)
            guard case .replace = records.decision(about: credential, validAt: date, since: 0) else { return false }
            return true
        }
        #expect(!isReplaced(.bearer("old"), after: 15))
        #expect(isReplaced(.bearer("old"), after: 20))
        #expect(!isReplaced(new(expiring: 30), after: 25))
        records.setReplacement(.bearer("new"), of: new(expiring: 20), hasSeenRefusal: false)
        #expect(!isReplaced(.bearer("old"), after: 1_000))
    }

    // MARK: - Credentials that do not suffice

    private static let request = HTTPRequest(url: URL(string: base)!)  // always valid

    private static func keeper(_ source: some CredentialSource) -> CredentialKeeper {
        CredentialKeeper(source: source, leeway: .zero, now: { Date() })
    }

    @Test func aCredentialThatDoesNotSufficeForARequestIsStillReplaced() async throws {
        let source = TokenSource("1", keeps: false) { $0 == .bearer("1") ? .bearer("2") : .bearer("1") }
        let keeper = Self.keeper(source)
        let next = try await keeper.credential(
            sufficingInsteadOf: .bearer("1"), refusedBy: .status(403), for: Self.request)
        #expect(next == .bearer("2"))
        let none = try await keeper.credential(
            sufficingInsteadOf: .bearer("2"), refusedBy: .status(403), for: Self.request)
        #expect(none == nil)
        source.set(.bearer("2", expires: .distantPast))
        source.replace.withLock { $0 = { _ in .bearer("3") } }
        #expect(try await keeper.credential(for: Self.request, since: 0) == .bearer("3"))
    }

    @Test func aSufficientCredentialDoesNotJoinTheRequestsOwn() async throws {
        let keeper = Self.keeper(TokenSource("1", keeps: false) { _ in .header("X-Key", "2") })
        func next(for request: HTTPRequest) async throws -> Credential? {
            try await keeper.credential(sufficingInsteadOf: .bearer("1"), refusedBy: .status(403), for: request)
        }
        var own = Self.request
        own.headers["X-Key"] = "own"
        #expect(try await next(for: own) == nil)
        #expect(try await next(for: Self.request) == .header("X-Key", "2"))
        #expect(try await next(for: own) == nil)
    }

    /// Has another credential only for the scope `admin`.
    private struct AdminSource: CredentialSource {
        let isAsked = Hold()
        let mayAnswer = Hold()

        func credential() async -> Credential? { .bearer("read") }
        func replacement(for refused: Credential) async -> Credential? { nil }
        func replacement(for refused: Credential, refusedBy response: HTTPResponse) async -> Credential? {
            if response.head.headers[.wwwAuthenticate]?.contains("admin") == true { return .bearer("admin") }
            isAsked.release()
            await mayAnswer.wait()
            return nil
        }
    }

    @Test func theSourceSeesEachDifferentRefusal() async throws {
        let source = AdminSource()
        let keeper = Self.keeper(source)
        func next(for scope: String) async throws -> Credential? {
            let challenge = #"Bearer error="insufficient_scope", scope="\#(scope)""#
            return try await keeper.credential(
                sufficingInsteadOf: .bearer("read"),
                refusedBy: .status(403, headers: [.wwwAuthenticate: challenge]), for: Self.request)
        }
        async let write = next(for: "write")
        await source.isAsked.wait()
        async let admin = next(for: "admin")
        // Until it waits for the answer to the first question.
        try await Task.sleep(for: .milliseconds(50))
        source.mayAnswer.release()
        #expect(try await admin == .bearer("admin"))
        _ = try await write
    }
}
