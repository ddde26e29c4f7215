import APIKitCore
import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitClients

/// Requests, cancels, revocations and refreshes in thousands of random orders.
@Suite(.timeLimit(.minutes(10))) struct CredentialInterleavingTests {
    @Test func refreshesEachTokenOnceAndSendsNoRefusedOne() async throws {
        var successes = 0
        let count = Effort.isSoaking ? 20_000 : Effort.rounds(300, thorough: 2_000)
        for seed in 0..<count {
            let scenario = Scenario(seed: UInt64(seed))
            successes += await scenario.run()
            let violations = scenario.violations.values
            try #require(violations.isEmpty, "seed \(seed): \(violations)")
        }
        #expect(successes > count)
    }

    /// One server with one valid token, its source, and a few requests.
    private final class Scenario: APIClient, CredentialSource {
        var clock: any Clock<Duration> { ContinuousClock() }
        private struct State {
            var generator: SplitMix64
            var current = 0
            var valid = 0
            /// The tokens that the client knows to be refused.
            var refused: Set<String> = []
            var replacing: Set<Credential> = []
            var replaced: Set<Credential> = []
        }

        /// What was known to be refused when a request last asked for a credential, and what it sent last.
        private final class Attempt: Sendable {
            let known = Locked<Set<String>>([])
            let sent = Locked<String?>(nil)
            @TaskLocal static var current = Attempt()
        }

        private struct LoginFailed: Error {}

        let violations = Recorder<String>()
        private let state: Locked<State>

        init(seed: UInt64) { state = Locked(State(generator: SplitMix64(state: seed))) }

        /// Runs the scenario and returns how many requests have succeeded.
        func run() async -> Int {
            let client = authorized(by: self, for: APIBase(AuthorizedTests.base))
            return await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<5 {
                    let (delay, patience) = (random(6), random(4) == 0 ? random(20) : nil)
                    group.addTask { await self.send(to: client, after: delay, cancellingAfter: patience) }
                }
                let revocations = (0..<random(3)).map { _ in random(12) }
                group.addTask {
                    for delay in revocations {
                        await Self.pause(delay)
                        self.state.withLock { $0.valid = -1 }
                    }
                    return false
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }

        private func send(to client: some APIClient, after delay: Int, cancellingAfter patience: Int?) async -> Bool {
            await Self.pause(delay)
            let attempt = Attempt()
            let task = Task {
                try await Attempt.$current.withValue(attempt) {
                    try await client.perform(HTTPRequest(url: URL(string: AuthorizedTests.base)!))
                }
            }
            if let patience {
                await Self.pause(patience)
                task.cancel()
            }
            do {
                let status = try await task.value.head.status
                if status == 401, let token = attempt.sent.withLock({ $0 }) {
                    state.withLock { _ = $0.refused.insert(token) }
                }
                return status == 200
            } catch {
                let isExpected = error is LoginFailed || error is CancellationError && patience != nil
                if !isExpected { violations.append("threw \(error)") }
                return false
            }
        }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let token = request.headers[.authorization]
            let attempt = Attempt.current
            attempt.sent.withLock { $0 = token }
            if let token, attempt.known.withLock({ $0.contains(token) }) { violations.append("sent \(token) again") }
            await Self.pause(random(4))
            try Task.checkCancellation()
            let isValid = state.withLock { token == "Bearer \($0.valid)" }
            await Self.pause(random(4))
            return .status(isValid ? 200 : 401)
        }

        func credential() async throws -> Credential? {
            let (current, refused) = state.withLock { ($0.current, $0.refused) }
            Attempt.current.known.withLock { $0 = refused }
            return Self.token(current)
        }

        func replacement(for refused: Credential) async throws -> Credential? {
            let (isNew, isAlone, token) = state.withLock { state in
                let isNew = !state.replaced.contains(refused)
                let isAlone = state.replacing.insert(refused).inserted
                let token = "Bearer \((0...state.current).first { Self.token($0) == refused } ?? -1)"
                state.refused.insert(token)
                return (isNew, isAlone, token)
            }
            if !isNew || !isAlone { violations.append("two refreshes of \(token)") }
            await Self.pause(random(6))
            let (fails, isCancelled) = (random(8) == 0, Task.isCancelled)
            return try state.withLock { state -> Result<Credential?, any Error> in
                state.replacing.remove(refused)
                if fails || isCancelled { return .failure(LoginFailed()) }
                state.replaced.insert(refused)
                state.current += 1
                state.valid = state.current
                return .success(Self.token(state.current))
            }.get()
        }

        /// Every third token has expired when it comes.
        private static func token(_ number: Int) -> Credential {
            .bearer("\(number)", expires: number % 3 == 0 ? .distantPast : nil)
        }

        private func random(_ count: Int) -> Int { state.withLock { Int.random(in: 0..<count, using: &$0.generator) } }
        /// Yields, since what it varies is the order in which tasks run.
        private static func pause(_ count: Int) async { for _ in 0..<count { await Task.yield() } }
    }
}
