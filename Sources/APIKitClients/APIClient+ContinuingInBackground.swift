import APIKitSupport
import Dispatch

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
public import APIKitCore
#else
import APIKitCore
#endif

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
extension APIClient {
    /// Returns a client whose requests in flight may finish after the app has left the foreground, as long as the
    /// system allows, usually half a minute.
    ///
    /// When that time is up, requests in flight are cancelled, and they and the loops over their streams fail
    /// with ``APIError/cancelled``. If the system gives no time at all, requests continue as without this client, and
    /// break off if the process is suspended. macOS does not suspend apps, and so has no such client.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func continuingInBackground() -> some APIClient {
        let activity = ExpiringActivity {
            ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1)
        }
        return continuing(during: activity)
    }
}
#endif

extension APIClient {
    /// Returns a client that holds an activity while requests are in flight.
    func continuing(during activity: ExpiringActivity) -> some APIClient {
        // The tracker is outside, so that it knows each request before the activity can expire.
        ContinuingClient(base: self, activity: activity).tracked(by: activity.tracker)
    }
}

private struct ContinuingClient: WrappingClient {
    let base: any APIClient
    let activity: ExpiringActivity

    /// Performs the request. It counts as work from its beginning until its body has ended or was released.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let work = activity.begin()
        defer { withExtendedLifetime(work) {} }
        var response = try await base.perform(request, in: call)
        response.body = response.body.keeping(work)
        return response
    }
}

/// Asks the system not to suspend the process while work is under way, and cancels the work when time is up.
///
/// One activity covers all work that overlaps, since each activity blocks a thread of the system. Work that begins
/// after the end of an activity requests another one.
final class ExpiringActivity: Sendable {
    /// A function such as `ProcessInfo.performExpiringActivity(withReason:using:)`.
    ///
    /// It calls the block with false on another thread, and does not suspend the process until this call returns. It
    /// calls the block with true when time is up, or at once if it refuses the activity.
    typealias Perform = @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    /// The activity that covers the work at present. Its semaphore ends it: a thread of the system waits for that.
    private enum Phase: Sendable {
        /// There is none: no work is under way, or the system has refused or ended the last activity.
        case none
        /// The system was asked for it, and has not answered.
        case requested(DispatchSemaphore)
        /// The system has granted it, and does not suspend the process.
        case held(DispatchSemaphore)

        /// The semaphore of the activity; nil if there is none.
        var end: DispatchSemaphore? {
            switch self {
            case .none: nil
            case .requested(let end), .held(let end): end
            }
        }
    }

    private struct State: Sendable {
        var workCount = 0
        var phase = Phase.none
    }

    /// The requests that are cancelled when time is up.
    let tracker = RequestTracker()
    private let state = Locked(State())
    private let perform: Perform

    /// Whether the system holds the process.
    var isHeld: Bool {
        state.withLock { state in
            if case .held = state.phase { true } else { false }
        }
    }

    init(_ perform: @escaping Perform) {
        self.perform = perform
    }

    /// Begins work, which ends when the result is released.
    func begin() -> OnRelease {
        if let end = countBegin() { request(endedBy: end) }
        return OnRelease { [self] in countEnd()?.signal() }
    }

    /// Counts work that begins.
    ///
    /// - Returns: The semaphore of a new activity, which the caller requests; nil if there is an activity already.
    private func countBegin() -> DispatchSemaphore? {
        state.withLock { state in
            state.workCount += 1
            guard case .none = state.phase else { return nil }
            let end = DispatchSemaphore(value: 0)
            state.phase = .requested(end)
            return end
        }
    }

    /// Counts work that ends.
    ///
    /// - Returns: The semaphore of the activity, which the caller signals, if this was the last work; otherwise nil.
    private func countEnd() -> DispatchSemaphore? {
        state.withLock { state in
            state.workCount -= 1
            guard state.workCount == 0 else { return nil }
            let end = state.phase.end
            state.phase = .none
            return end
        }
    }

    /// Asks the system for an activity.
    private func request(endedBy end: DispatchSemaphore) {
        perform("API requests in flight") { [self] isExpired in
            if isExpired {
                expire(end)
            } else {
                hold(until: end)
            }
        }
    }

    /// Blocks the system's thread until the activity ends. It returns at once if the work has already ended.
    private func hold(until end: DispatchSemaphore) {
        state.withLock { state in
            let isCurrent = state.phase.end === end
            if isCurrent { state.phase = .held(end) }
        }
        end.wait()
    }

    /// Ends an activity because the system says so.
    ///
    /// | phase | what the system means | requests in flight |
    /// | --- | --- | --- |
    /// | `none`, or another activity | this one has ended before | are not covered by it |
    /// | `held` | time is up | are cancelled |
    /// | `requested` | it refuses the activity | continue, since they may end before the process is suspended |
    private func expire(_ end: DispatchSemaphore) {
        let isTimeUp = state.withLock { state in
            guard state.phase.end === end else { return false }
            let wasHeld = if case .held = state.phase { true } else { false }
            state.phase = .none
            return wasHeld
        }
        if isTimeUp { tracker.cancelAll() }
        // The thread that holds the activity, if there is one, returns to the system.
        end.signal()
    }
}
