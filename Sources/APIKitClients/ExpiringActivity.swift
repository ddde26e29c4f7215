import APIKitCore
import Dispatch

/// Asks the system not to suspend the process while work is under way, and cancels the work when time is up.
///
/// One activity covers all work that overlaps, since each blocks a thread of the system. Work that begins after its end
/// requests another one. If the system refuses, the work goes on: it may still end before the process is suspended.
final class ExpiringActivity: Sendable {
    /// `ProcessInfo.performExpiringActivity(withReason:using:)`: calls the block with false, on another thread, and
    /// holds the process until it returns; with true once time is up, or at once to refuse.
    typealias Perform = @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private struct State: Sendable {
        var workCount = 0
        /// Signaled to end the activity that is requested or held; nil if there is none.
        var end: DispatchSemaphore?
        var isHeld = false
    }

    /// The requests that are cancelled when time is up.
    let tracker = RequestTracker()
    private let state = Locked(State())
    private let perform: Perform

    /// Whether the system holds the process.
    var isHeld: Bool { state.withLock { $0.end != nil && $0.isHeld } }

    init(_ perform: @escaping Perform) {
        self.perform = perform
    }

    /// Begins work, which ends when the result is released.
    func begin() -> OnRelease {
        let requested = state.withLock { state -> DispatchSemaphore? in
            state.workCount += 1
            guard state.end == nil else { return nil }
            let end = DispatchSemaphore(value: 0)
            (state.end, state.isHeld) = (end, false)
            return end
        }
        if let requested {
            perform("API requests in flight") { [self] in if $0 { expire(requested) } else { hold(requested) } }
        }
        return OnRelease { [self] in
            let end = state.withLock { state in
                state.workCount -= 1
                return state.workCount == 0 ? state.end.take() : nil
            }
            end?.signal()
        }
    }

    /// Waits for the end of an activity, which may have come before.
    private func hold(_ end: DispatchSemaphore) {
        state.withLock { if $0.end === end { $0.isHeld = true } }
        end.wait()
    }

    private func expire(_ end: DispatchSemaphore) {
        let wasHeld = state.withLock { state in
            guard state.end === end else { return false }
            state.end = nil
            return state.isHeld
        }
        if wasHeld { tracker.cancelAll() }
        end.signal()
    }
}
