import NIOConcurrencyHelpers
import NIOCore

/// Ends exchanges that have been silent for too long: by one timer for all, since one for each costs more than a small answer.
final class SilenceWatch: Sendable {
    private struct State {
        var ends: [ObjectIdentifier: (exchange: Exchange, end: @Sendable () -> Void)] = [:]
        var nextCheck = NIODeadline.distantFuture
    }

    private let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())

    init(on eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Watches an exchange until it is removed or ended.
    func add(_ exchange: Exchange, end: @escaping @Sendable () -> Void) {
        state.withLockedValue { state in
            state.ends[ObjectIdentifier(exchange)] = (exchange, end)
            scheduleCheck(&state, for: exchange.silentUntil)
        }
    }

    func remove(_ exchange: Exchange) {
        // Let go of outside of the lock.
        _ = state.withLockedValue { $0.ends.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    private func scheduleCheck(_ state: inout State, for deadline: NIODeadline) {
        guard deadline < state.nextCheck else { return }
        state.nextCheck = deadline
        eventLoop.scheduleTask(deadline: deadline) { self.check() }
    }

    private func check() {
        let silent = state.withLockedValue { state in
            let now = NIODeadline.now()
            let silent = state.ends.values.filter { $0.exchange.silentUntil <= now }
            state.nextCheck = .distantFuture
            for (exchange, _) in silent { state.ends[ObjectIdentifier(exchange)] = nil }
            if let next = state.ends.values.map(\.exchange.silentUntil).min() { scheduleCheck(&state, for: next) }
            return silent
        }
        for (exchange, end) in silent {
            exchange.timeOut()
            end()
        }
    }
}
