import APIKitClients
import APIKitCore
import APIKitSupport
import APIKitTestServer
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitOAuth

/// A file of tokens that an account shares with an API whose operator is hostile.
@Suite(.exclusive, .timeLimit(.minutes(10))) final class OAuthSharedFileTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID())")
    private let store: FileTokenStore
    private let clock = ManualClock()
    private let server: OAuthServer
    private let api: ProtectedResource
    private let hostileAPI: ProtectedResource

    init() throws {
        store = FileTokenStore(folder.appending(path: "tokens.json"))
        server = try OAuthServer(ServerBehavior(clients: [ServerClient(id: "app")]))
        api = try ProtectedResource(ProtectedResource.Behavior(servers: [server]))
        hostileAPI = try ProtectedResource()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The account of another API.
    private var account: OAuth {
        OAuth(
            issuer: server.issuer, clientID: "app", store: store, flow: .browser(UserAgent()),
            signsInAutomatically: false, client: network.timed(by: clock))
    }

    private func status(_ url: String, by account: OAuth) async throws -> Int {
        let client = network.timed(by: clock).authorized(by: account, for: APIBase(url))
        return try await client.perform(HTTPRequest(url: try #require(URL(string: url)))).head.status
    }

    /// Sends requests to the hostile API, which names another authorization server each time.
    private func callHostileAPI(_ servers: [OAuthServer]) async {
        let account = OAuth(
            resource: hostileAPI.identifier, clients: [.dynamic(name: "App")], store: store,
            flow: .browser(UserAgent()), client: network.timed(by: clock))
        for server in servers {
            hostileAPI.change { $0.servers = [server] }
            _ = try? await status(hostileAPI.identifier, by: account)
            clock.advance(by: .seconds(60))
        }
    }

    /// Checks that a rotated token is saved: another process uses it, and not the one before.
    private func expectRotation() async throws {
        server.expireAccessTokens()
        #expect(try await status(api.identifier, by: account) == 200)
        server.expireAccessTokens()
        #expect(try await status(api.identifier, by: account) == 200)
        #expect(server.refreshTokenReuseCount == 0)
        #expect(server.requests(to: .token).count { $0.fields["grant_type"] == "refresh_token" } == 2)
    }

    private var fileSize: Int { get throws { try Data(contentsOf: store.url).count } }

    @Test func largeSecretsDoNotCostTheTokensOfAnotherAccount() async throws {
        try await account.signIn()
        // A larger response than before, as if the user had got more roles.
        let large = JSONValue.string(String(repeating: "i", count: 8_000))
        server.change { $0.edit = { if $0 == .token { $1["id_token"] = large } } }
        let lengths = [255_000, 255_000, 255_000, 255_000, 20_000, 5_000, 1_000]
        await callHostileAPI(
            try lengths.map { length in
                let secret = String(repeating: "s", count: length)
                var behavior = ServerBehavior(
                    authenticationMethods: ["client_secret_post"], registeredAuthentication: { .post(secret: secret) })
                behavior.userApproves = false
                return try OAuthServer(behavior)
            })
        try await expectRotation()
        #expect(try fileSize < 30_000)
    }

    /// The servers stay below each limit, and return tokens without the user.
    @Test func serversThatStoreAsMuchAsTheyMayDoNotCostTheTokensOfAnotherAccount() async throws {
        try await account.signIn()
        let text = JSONValue.string(String(repeating: "x", count: 16_383))
        let servers = try (0..<6).map { _ in
            var behavior = ServerBehavior(
                authenticationMethods: ["client_secret_post"],
                registeredAuthentication: { .post(secret: String(repeating: "s", count: 16_383)) })
            behavior.edit = { endpoint, json in
                guard endpoint == .token else { return }
                for name in ["access_token", "refresh_token", "id_token"] { json[name] = text }
                for number in 0..<4 { json["member \(number)"] = .string(String(repeating: "y", count: 8_000)) }
            }
            return try OAuthServer(behavior)
        }
        await callHostileAPI(servers)
        try await expectRotation()
        #expect(servers.allSatisfy { !$0.requests(to: .token).isEmpty })
        // Four accounts, and the other one.
        let size = try fileSize
        #expect(size > 4 * 80_000 && size < 4 * 128 << 10 + 10_000, "\(size)")
        #expect(try await accounts.values.count { $0.client != nil } == 4)
    }

    /// Many processes call the hostile API at once, which names another server to each of them.
    @Test func serversThatAreNamedAtOnceStoreNoMoreThanTheyMay() async throws {
        let servers = try (0..<8).map { _ in try OAuthServer(ServerBehavior(registeredAuthentication: { .none })) }
        let number = Locked(0)
        hostileAPI.change { behavior in
            behavior.edit = { json in
                let next = number.withLock { number in
                    number += 1
                    return number
                }
                json["authorization_servers"] = [.string(servers[next % servers.count].issuer)]
            }
        }
        await withTaskGroup { group in
            for _ in 0..<servers.count {
                group.addTask { [self] in
                    let account = OAuth(
                        resource: hostileAPI.identifier, clients: [.dynamic(name: "App")], store: store,
                        flow: .browser(UserAgent()), client: network)
                    _ = try? await status(hostileAPI.identifier, by: account)
                }
            }
        }
        let signedInCount = servers.count { !$0.requests(to: .token).isEmpty }
        #expect(signedInCount > 4)
        let stored = try await accounts
        let list = try #require(stored.values.compactMap(\.accountKeys).first)
        let keys = stored.filter { $0.value.client != nil }.map(\.key)
        #expect(list.count == 4 && Set(keys).isSubset(of: list), "\(keys)")
    }

    /// A registration without tokens is removed before any tokens are.
    @Test func refusalsThatNameNewServersDoNotCostTheTokensOfTheAPI() async throws {
        let first = try OAuthServer(ServerBehavior(registeredAuthentication: { .none }))
        var behavior = ServerBehavior(registeredAuthentication: { .none })
        behavior.userApproves = false
        let others = try (0..<6).map { _ in try OAuthServer(behavior) }
        await callHostileAPI([first] + others + [first])
        #expect(first.requests(to: .authorize).count == 1 && first.requests(to: .register).count == 1)
        #expect(others.allSatisfy { $0.requests(to: .register).count == 1 })
        #expect(try await accounts.values.count { $0.client != nil } == 4)
    }

    private var accounts: [String: StoredAccount] {
        get async throws {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode([String: StoredAccount].self, from: Data(contentsOf: store.url))
        }
    }

    private static let large = String(repeating: "x", count: 255_000)

    /// Files of a version without limits, in which a secret or a token is large.
    @Test(arguments: [
        StoredAccount(
            client: RegisteredClient(id: "old", secret: large, authenticationMethod: "client_secret_post")),
        StoredAccount(tokens: OAuthTokens(accessToken: "old", refreshToken: large, expires: .distantPast)),
    ])
    func accountThatIsTooLargeIsReplaced(old: StoredAccount) async throws {
        let scenario = try MCPScenario()
        let account = OAuth(
            resource: scenario.resource.identifier, clients: [.dynamic(name: "App")], store: store,
            flow: .browser(UserAgent()), client: network)
        let key = try await account.key()
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try encoder.encode([key: old]).write(to: store.url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.url.path)
        try await account.signIn()
        #expect(try await status(scenario.resource.identifier, by: account) == 200)
        let stored = try #require(try await store.load(for: key))
        #expect(stored.client?.id != "old" && stored.tokens?.accessToken != "old")
    }

    @Test(
        arguments: [
            (["a", "b", "c"], ["a"], ["a", "b", "c", "new"], []),
            (["a", "b", "c", "d"], ["a", "c"], ["a", "c", "d", "new"], ["b"]),
            (["a", "b", "c", "d"], ["a", "b", "c", "d"], ["b", "c", "d", "new"], ["a"]),
            (["a", "b", "c", "d", "e", "f"], ["a", "b"], ["a", "b", "f", "new"], ["c", "d", "e"]),
        ] as [([String], [String], [String], [String])])
    func oldestAccountsOfAnAPIAreRemoved(
        keys: [String], keysWithTokens: [String], kept: [String], removed: [String]
    ) {
        let accounts = OAuth.accounts(keys, adding: "new", keysWithTokens: Set(keysWithTokens))
        #expect(accounts == OAuth.AccountList(kept: kept, removed: removed))
    }
}
