import APIKitClients
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitCore
@testable import APIKitRecording

/// An app's stack of clients in a thousand simulated networks.
@Suite(.timeLimit(.minutes(10))) struct FaultInjectionStackTests {
    /// Gives out tokens 1, 2, 3 …
    private actor Tokens: CredentialSource {
        private var number = 1
        func credential() -> Credential? { .bearer("token-\(number)") }
        func replacement(for refused: Credential) -> Credential? {
            number += 1
            return credential()
        }
    }

    /// A server that accepts each token four times, and lets responses be cached.
    private static func server() -> StubClient {
        let state = Locked((token: 1, uses: 0))
        return StubClient { request in
            let isValid = state.withLock { state in
                guard request.headers[.authorization] == "Bearer token-\(state.token)" else { return false }
                state.uses += 1
                if state.uses == 4 { state = (token: state.token + 1, uses: 0) }
                return true
            }
            guard isValid else { return .json(#"{"message":"expired"}"#, status: 401) }
            let id = request.url.lastPathComponent
            let headers: HTTPHeaders = [.cacheControl: "max-age=30", .eTag: "\"\(id)\""]
            if request.headers[.ifNoneMatch] == "\"\(id)\"" { return .status(304, headers: headers) }
            return .json(#"{"id":\#(id),"login":"user-\#(id)"}"#, headers: headers)
        }
    }

    /// A request that cannot be repeated if it is a POST.
    private struct UserRequest: DirectoryRequest {
        typealias Response = Account
        let id: Int
        let method: HTTPMethod
        var path: URLPath { "accounts/\(id)" }
    }

    /// What came of a run, and what happened on its way.
    private struct Run: Equatable {
        var results: [String] = []
        var log: [FaultInjectingClient.Entry] = []
        var arrivals: [String] = []
        var time = Duration.zero
    }

    private static func run(seed: UInt64) async throws -> Run {
        let clock = ManualClock(skippingSleep: true, startingAt: Date(timeIntervalSince1970: 1_000_000_000))
        let server = server()
        let network = server.timed(by: clock).injectingFaults(.seed(seed))
        let attempts = Locked(0)
        let client =
            network
            .observed { _ in attempts.withLock { $0 += 1 } }
            .authorized(by: Tokens(), for: "https://api.example.com")
            .retrying(.backoff(attempts: 4, jitter: { $0 }))
            .cached(in: ResponseCache(bytes: 1 << 20))
        var run = Run()
        for number in 0..<8 {
            let (id, isPost, before) = (number % 3, number % 4 == 3, network.log.count)
            var failure: DirectoryFailure?
            do throws(DirectoryFailure) {
                let account = try await client.send(UserRequest(id: id, method: isPost ? .post : .get))
                #expect(account == Account(id: id, login: "user-\(id)"), "\(network)")
                run.results.append("\(account)")
            } catch {
                failure = error
                run.results.append(error.description)
            }
            let entries = network.log.dropFirst(before)
            #expect((entries.last?.hasFailed == true) == (failure != nil), "\(network)")
            if let failure, let last = entries.last {
                #expect(failure.description.contains(", request \(last.number))"), "\(network)")
            }
            #expect((isPost ? 1...2 : 0...8).contains(entries.count), "\(network)")
            // A POST is sent once more only with another token, after the server has refused the first one.
            #expect(!isPost || entries.dropLast().allSatisfy { !$0.hasFailed }, "\(network)")
        }
        run.log = network.log
        run.arrivals = server.requests.map { "\($0.method) \($0.url.absoluteString)" }
        run.time = clock.elapsed
        // Every attempt has one entry, and every entry its number of deliveries.
        #expect(run.log.count == attempts.withLock { $0 }, "\(network)")
        #expect(run.arrivals == run.log.flatMap(\.deliveries), "\(network)")
        return run
    }

    @Test(arguments: 0..<4) func everySeedAccountsForEveryRequest(part: UInt64) async throws {
        var failures = 0
        var faults: [FaultInjection.Fault?: Int] = [:]
        let count = UInt64(Effort.rounds(25, thorough: 100))
        for seed in part * count..<(part + 1) * count {
            let run = try await Self.run(seed: seed)
            failures += run.results.count { $0.contains("simulated") }
            for entry in run.log { faults[entry.fault, default: 0] += 1 }
            #expect(try await Self.run(seed: seed) == run, "seed \(seed)")
        }
        // The clients recover from most faults, and not from all.
        #expect(Int(count) / 5...Int(count) * 4 ~= failures)
        #expect(faults.count > 8)
    }
}

extension FaultInjectingClient.Entry {
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
