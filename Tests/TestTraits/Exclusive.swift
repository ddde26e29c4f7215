package import Testing

/// Runs the test cases that have it one after the other, whatever their suites.
///
/// It is for tests that use the network, that take much processor time, or that judge a duration: if all of them ran at
/// once, each would wait for a core, and what they measure would depend on the others.
package struct Exclusive: SuiteTrait, TestTrait, TestScoping {
    private static let turn = Turn()

    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.turn.take()
        do {
            try await function()
        } catch {
            await Self.turn.pass()
            throw error
        }
        await Self.turn.pass()
    }
}

extension Trait where Self == Exclusive {
    /// Runs no other exclusive test case at the same time.
    package static var exclusive: Exclusive { Exclusive() }
}

/// Is taken by one task at a time, in the order of their arrival.
private actor Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if isTaken {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isTaken = true
        }
    }

    /// Gives the turn to the task that has waited longest.
    func pass() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
