import APIKitClients
import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore
@testable import APIKitRecording

/// An app's stack of clients in a thousand simulated networks.
@Suite(.timeLimit(.minutes(3))) struct DisturbedStackTests {
    /// Gives out tokens 1, 2, 3 …
    private actor Tokens: CredentialSource {
        private var number = 1
        func credential() -> Credential? { .bearer("token-\(number)") }
        func replacement(for refused: Credential) -> Credential? {
            number += 1
            return credential()
        }
    }

    /// A server that counts what arrives, accepts each token a few times, and lets responses be cached.
    private final class Server: Sendable {
        struct State {
            var uses: [String: Int] = [:]
            var current = 1
            var arrivals: [String] = []
        }

        let state = Locked(State())

        func response(to request: HTTPRequest) -> HTTPResponse {
            let token = request.headers[.authorization] ?? ""
            let isValid = state.withLock { state in
                state.arrivals.append("\(request.method) \(request.url.absoluteString)")
                guard token == "Bearer token-\(state.current)" else { return false }
                state.uses[token, default: 0] += 1
                if state.uses[token] == 4 { state.current += 1 }
                return true
            }
            guard isValid else { return .json(#"{"message":"expired"}"#, status: 401) }
            let id = request.url.lastPathComponent
            let headers: HTTPHeaders = [.cacheControl: "max-age=30", .eTag: "\"\(id)\""]
            if request.headers[.ifNoneMatch] == "\"\(id)\"" { return .status(304, headers: headers) }
            return .json(#"{"id":\#(id),"login":"user-\#(id)"}"#, headers: headers)
        }
    }

    /// A request that cannot be repeated.
    private struct RenameRequest: DirectoryRequest {
        typealias Response = Account
        let id: Int
        var method: HTTPMethod { .post }
        var path: URLPath { "accounts/\(id)" }
    }

    /// What came of a run, and what happened on its way.
    private struct Run: Equatable {
        var results: [String] = []
        var log: [DisturbedClient.Entry] = []
        var arrivals: [String] = []
        var time = Duration.zero
    }

    private static func run(seed: UInt64) async throws -> Run {
        let clock = ManualClock(skippingSleep: true, startingAt: Date(timeIntervalSince1970: 1_000_000_000))
        let server = Server()
        let stub = StubClient { server.response(to: $0) }
        let network = stub.timed(by: clock).disturbed(by: .seed(seed))
        let attempts = Locked(0)
        let client =
            network
            .observed { _ in attempts.withLock { $0 += 1 } }
            .authorized(by: Tokens(), for: "https://api.example.com")
            .retrying(.backoff(attempts: 4)) { $0 }
            .cached(in: ResponseCache(bytes: 1 << 20))
        var run = Run()
        for number in 0..<8 {
            let (id, isPost, before) = (number % 3, number % 4 == 3, network.log.count)
            var failure: DirectoryFailure?
            do throws(DirectoryFailure) {
                let account =
                    if isPost { try await client.send(RenameRequest(id: id)) } else {
                        try await client.send(AccountRequest(id: id))
                    }
                #expect(account == Account(id: id, login: "user-\(id)"), "\(network)")
                run.results.append("\(account)")
            } catch {
                failure = error
                run.results.append(error.description)
            }
            let entries = network.log.dropFirst(before)
            check(entries, after: failure, isPost: isPost, network)
        }
        run.log = network.log
        run.arrivals = server.state.withLock { $0.arrivals }
        run.time = clock.now.offset
        // Every attempt has one entry, and every entry its number of deliveries.
        #expect(run.log.count == attempts.withLock { $0 }, "\(network)")
        #expect(run.arrivals == run.log.flatMap(\.deliveries), "\(network)")
        #expect(await stub.requests.count == run.arrivals.count, "\(network)")
        return run
    }

    /// Checks the attempts of one request.
    private static func check(
        _ entries: ArraySlice<DisturbedClient.Entry>, after failure: DirectoryFailure?, isPost: Bool,
        _ network: DisturbedClient
    ) {
        if let failure {
            // It is that of the last attempt.
            #expect(entries.last.map { failure.description.contains(", request \($0.number))") } == true, "\(network)")
            #expect(entries.last?.hasFailed == true, "\(network)")
        } else {
            #expect(entries.last?.hasFailed != true, "\(network)")
        }
        if isPost {
            // Sent once more only with another token, after the server has refused the first one.
            #expect((1...2).contains(entries.count), "\(network)")
            #expect(entries.dropLast().allSatisfy { !$0.hasFailed }, "\(network)")
        } else {
            #expect(entries.count <= 8, "\(network)")
        }
    }

    // In four parts, which run at the same time.
    @Test(arguments: 0..<4) func everySeedAccountsForEveryRequest(part: UInt64) async throws {
        var failures = 0
        var faults: [Disturbance.Fault?: Int] = [:]
        for seed in part * 100..<(part + 1) * 100 {
            let run = try await Self.run(seed: seed)
            failures += run.results.count { $0.contains("simulated") }
            for entry in run.log { faults[entry.fault, default: 0] += 1 }
            #expect(try await Self.run(seed: seed) == run, "seed \(seed)")
        }
        // The clients recover from most faults, and not from all.
        #expect(20...400 ~= failures)
        #expect(faults.count > 8)
    }
}

extension DisturbedClient.Entry {
    /// Whether the client got an error instead of the server's response.
    fileprivate var hasFailed: Bool { fault != nil && fault != .duplicate }

    private var line: String { "\(request.method) \(request.url.absoluteString)" }

    /// What arrives at the server.
    fileprivate var deliveries: [String] {
        switch fault {
        case .lostRequest, .serverError: []
        case .duplicate: [line, line]
        case nil, .lostResponse, .truncatedBody: [line]
        }
    }
}
