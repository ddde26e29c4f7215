import APIKitCore
import APIKitTesting
import Foundation
import Testing

@testable import APIKitClients

/// An hour against a server that fails half the time, compared with a model of the policy.
@Suite(.timeLimit(.minutes(3))) struct RetryingHourTests {
    private struct Outcome: Equatable {
        var attempts: [Duration] = []
        var isSuccess = false
    }

    /// Whether the server fails, and how long the client waits, each from a generator of its own.
    private struct Dice {
        var server: SplitMix64
        var client: SplitMix64

        init(seed: UInt64) {
            server = SplitMix64(state: seed)
            client = SplitMix64(state: seed &+ 1)
        }

        /// What the server answers: nil for a success.
        mutating func failure() -> Failure? {
            ([.status, .retryAfter, .connection, nil, nil, nil] as [Failure?])[Int(server.next() % 6)]
        }
        mutating func jitter(_ backoff: Duration) -> Duration { backoff * Int(client.next() % 500) / 500 }
    }

    private enum Failure { case status, retryAfter, connection }

    private func measured(seed: UInt64) async throws -> [Outcome] {
        let clock = ManualClock(skippingSleep: true)
        let dice = Locked(Dice(seed: seed))
        let starts = Recorder<Duration>()
        let server = ImmediateClient { _ in
            starts.append(clock.now.offset)
            switch dice.withLock({ $0.failure() }) {
            case .status: return .status(500)
            case .retryAfter: return .status(503, headers: [.retryAfter: "2"])
            case .connection: throw TransportError(.connectionLost)
            case nil: return .status(204)
            }
        }
        let client = server.timed(by: clock).retrying(jitter: { backoff in dice.withLock { $0.jitter(backoff) } })
        var outcomes: [Outcome] = []
        while clock.now.offset < .seconds(3600) {
            let before = starts.values.count
            let endpoint = Endpoint<NoContent, Data>(options: RequestOptions(deadline: .seconds(4)))
            let isSuccess = (try? await client.send(endpoint)) != nil
            outcomes.append(Outcome(attempts: Array(starts.values[before...]), isSuccess: isSuccess))
            try await clock.sleep(for: .seconds(9))
        }
        return outcomes
    }

    /// The same by the policy's documentation, in integers: milliseconds, and fifths of a retry.
    private func modelled(seed: UInt64) -> [Outcome] {
        var dice = Dice(seed: seed)
        var (now, fifths) = (0, 50)
        var outcomes: [Outcome] = []
        while now < 3_600_000 {
            let deadline = now + 4_000
            fifths = min(fifths + 1, 50)
            var outcome = Outcome()
            for attempt in 0..<4 {
                outcome.attempts.append(.milliseconds(now))
                guard let failure = dice.failure() else {
                    outcome.isSuccess = true
                    break
                }
                guard attempt < 3 else { break }
                let backoff = dice.jitter(.milliseconds([500, 1_000, 2_000][attempt])).components
                var pause = Int(backoff.seconds) * 1_000 + Int(backoff.attoseconds / 1_000_000_000_000_000)
                if failure == .retryAfter { pause = max(pause, 2_000) }
                guard now + pause < deadline, fifths >= 5 else { break }
                fifths -= 5
                now += pause
            }
            outcomes.append(outcome)
            now += 9_000
        }
        return outcomes
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>) func followsPolicyForAnHour(seed: UInt64) async throws {
        let begin = ContinuousClock.now
        let measured = try await measured(seed: seed)
        let modelled = modelled(seed: seed)
        #expect(measured.count == modelled.count)
        let difference = zip(measured, modelled).enumerated().first { $1.0 != $1.1 }
        #expect(difference == nil, "\(String(describing: difference))")
        // The case is worth its name: all of this has happened.
        #expect(measured.count > 300)
        #expect(measured.contains { $0.attempts.count > 2 })
        #expect(measured.contains { !$0.isSuccess && $0.attempts.count == 1 })
        let retries = measured.reduce(0) { $0 + $1.attempts.count - 1 }
        #expect(retries <= 10 + measured.count / 5)
        // It takes 0.1 s; the limit is for machines with other work.
        #expect(begin.duration(to: .now) < .seconds(60))
    }
}
