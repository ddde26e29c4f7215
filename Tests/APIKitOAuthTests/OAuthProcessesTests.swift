#if os(macOS) || os(Linux)
import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitFoundation
import APIKitOAuth
import APIKitTestServer
import Foundation
import TestSupport
import TestTraits
import Testing

/// Processes that share the tokens of one account, which live for a second and are replaced at each refresh.
@Suite(.exclusive, .timeLimit(.minutes(10))) final class OAuthProcessesTests: Sendable {
    private static let processCount = 8
    private static let requestCount = 125
    /// How often the API refuses a token before its time.
    private static let earlyRefusalCount = 4

    private let folder = FileManager.default.temporaryDirectory.appending(path: "processes-\(UUID())")
    private let server: OAuthServer
    private let api: ProtectedResource
    private let acceptedCount = Counter()

    init() throws {
        server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")], accessTokenLifetime: 1))
        api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        // However fast the machine is, there are some refreshes.
        let interval = Self.requestCount * Self.processCount / Self.earlyRefusalCount
        let (server, acceptedCount) = (server, acceptedCount)
        api.change { behavior in
            behavior.intercept = { request in
                guard request.bearerToken.flatMap({ server.use(accessToken: $0) }) != nil else { return nil }
                let count = acceptedCount.next()
                let isRefused = count.isMultiple(of: interval) && count / interval <= Self.earlyRefusalCount
                if isRefused { server.expireAccessTokens() }
                return nil
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// With strict rotation, two refreshes with one token would revoke all tokens.
    @Test func processesRefreshOneAtATime() async throws {
        await withTaskGroup { group in
            for number in 0..<Self.processCount {
                group.addTask { await self.expectSuccess(of: self.worker("\(number)")) }
            }
        }
        expectAllRequests()
        #expect(server.refreshTokenReuseCount == 0)
        #expect(refreshTokens.count >= Self.earlyRefusalCount)
        // Each of them was used once, and nobody had to sign in again.
        #expect(Set(refreshTokens).count == refreshTokens.count)
        #expect(server.requests(to: .authorize).count == 1)
    }

    /// With strict rotation, tokens that were sent to a killed process are lost. Many servers therefore accept the old
    /// refresh token until one of the new tokens is used.
    @Test func killedProcessesLoseNoTokens() async throws {
        server.change { $0.rotation = .overlapping }
        let deaths: [Worker.Death] = [.beforeRefresh, .afterRefresh, .afterStoring, .afterRefresh]
        await withTaskGroup { group in
            for number in 0..<Self.processCount {
                group.addTask {
                    if number < deaths.count {
                        await self.expectDeath(of: self.worker("\(number) killed", deaths[number]))
                    }
                    await self.expectSuccess(of: self.worker("\(number)"))
                }
            }
        }
        expectAllRequests()
        #expect(server.refreshTokenReuseCount == 0)
        #expect(server.requests(to: .authorize).count == 1)
        // Only the refresh token of a process that was killed before it stored the new one was used again.
        #expect(refreshTokens.count - Set(refreshTokens).count == deaths.count { $0 == .afterRefresh })
    }

    // MARK: - The parent

    private func worker(_ name: String, _ death: Worker.Death? = nil) -> Worker {
        Worker(
            issuer: server.issuer, api: api.identifier, file: folder.appending(path: "tokens.json"), name: name,
            requestCount: Self.requestCount, death: death)
    }

    private func expectSuccess(of worker: Worker) async {
        await #expect(processExitsWith: .success) { [worker = worker as Worker] in try await worker.run() }
    }

    private func expectDeath(of worker: Worker) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [worker = worker as Worker] in try await worker.run() }
    }

    /// The refresh tokens that were sent, in their order.
    private var refreshTokens: [String] { server.requests(to: .token).compactMap { $0.fields["refresh_token"] } }

    /// Checks that each request of the processes that were not killed has arrived.
    private func expectAllRequests() {
        let names = Set(api.requests.compactMap { FormFields(encoded: $0.query ?? "")?["name"] })
        #expect(names.count { !$0.contains("killed") } == Self.processCount * Self.requestCount)
    }
}

// MARK: - A process

/// What one of the processes does.
private struct Worker: Codable, Sendable {
    /// When a process is killed: at its first refresh.
    enum Death: String, Codable, Sendable {
        /// While it holds the lock, and before the server has received anything.
        case beforeRefresh
        /// After the server has answered, and before the tokens are stored.
        case afterRefresh
        /// After the tokens are stored, and before the lock is released.
        case afterStoring
    }

    let issuer: String
    let api: String
    let file: URL
    let name: String
    let requestCount: Int
    let death: Death?

    private struct Things: APIRequest {
        typealias Response = Data
        let api: String
        let name: String
        var base: APIBase { APIBase(api) }
        var path: URLPath { "" }
        var query: Parameters { ["name": name] }
    }

    /// Sends the requests, a few at a time. A process that is to be killed sends more, until that happens.
    func run() async throws {
        let client = browserNetwork.authorized(by: account, for: APIBase(api), leeway: .zero)
        let laneCount = 4
        await withTaskGroup { group in
            for lane in 0..<laneCount {
                group.addTask {
                    var number = lane
                    while number < requestCount || death != nil {
                        await send(Things(api: api, name: "\(name), \(number)"), over: client)
                        number += laneCount
                    }
                }
            }
        }
    }

    private func send(_ things: Things, over client: any APIClient) async {
        do {
            _ = try await client.send(things)
        } catch {
            Issue.record(error)
        }
    }

    private var account: OAuth {
        let presentation = AuthorizationPresentation.custom(redirectURI: UserAgent.redirectURI) {
            try await UserAgent().open($0)
        }
        let hasRefreshed = Locked(false)
        let client = browserNetwork.intercepted { request, _, next in
            let form = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
            guard form.contains("grant_type=refresh_token") else { return try await next(request) }
            if death == .beforeRefresh { die() }
            let response = try await next(request)
            if death == .afterRefresh { die() }
            hasRefreshed.withLock { $0 = true }
            return response
        }
        let store = Store(file: FileTokenStore(file)) {
            if death == .afterStoring, hasRefreshed.withLock({ $0 }) { die() }
        }
        return OAuth(
            issuer: issuer, clientID: "app", scopes: ["read"], store: store,
            flow: .authorizationCode(present: presentation), client: client)
    }

    /// Nothing runs after this signal: no `defer`, and no handler.
    private func die() { kill(getpid(), SIGKILL) }
}

/// A file, and what happens after it was written.
private struct Store: TokenStore {
    let file: FileTokenStore
    let didSave: @Sendable () -> Void

    func load(for key: String) async throws -> StoredAccount? { try await file.load(for: key) }

    func save(_ account: StoredAccount?, for key: String) async throws {
        try await file.save(account, for: key)
        didSave()
    }

    func withLock<Value: Sendable>(for key: String, _ body: @Sendable () async throws -> Value) async throws -> Value {
        try await file.withLock(for: key, body)
    }
}
#endif
