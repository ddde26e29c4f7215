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
/// after the end of an activity requests another one. If the system refuses, the work continues: it may still end
/// before the process is suspended.
final class ExpiringActivity: Sendable {
    /// A function such as `ProcessInfo.performExpiringActivity(withReason:using:)`.
    ///
    /// It calls the block with false on another thread, and does not suspend the process until this call returns. It
    /// calls the block with true when time is up, or at once if it refuses the activity.
    typealias Perform = @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private struct State: Sendable {
        var workCount = 0
        /// The semaphore that is signaled to end the activity; nil if none is requested or held.
        var end: DispatchSemaphore?
        /// Whether the system has granted the activity.
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
        if let requested = countBegin() {
            perform("API requests in flight") { [self] isExpired in
                if isExpired {
                    expire(requested)
                } else {
                    hold(requested)
                }
            }
        }
        return OnRelease { [self] in countEnd()?.signal() }
    }

    /// Counts work that begins.
    ///
    /// - Returns: The semaphore of a new activity, which the caller requests; nil if there is an activity already.
    private func countBegin() -> DispatchSemaphore? {
        state.withLock { state in
            state.workCount += 1
            guard state.end == nil else { return nil }
            let end = DispatchSemaphore(value: 0)
            state.end = end
            state.isHeld = false
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
            return state.end.take()
        }
    }

    /// Blocks the thread until an activity ends. It returns at once if the work has already ended.
    private func hold(_ end: DispatchSemaphore) {
        state.withLock { if $0.end === end { $0.isHeld = true } }
        end.wait()
    }

    /// Ends an activity whose time is up, or that the system has refused.
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
