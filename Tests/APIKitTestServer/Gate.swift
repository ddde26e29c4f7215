import Dispatch
import Foundation

/// Delays an answer until a test opens the gate; see ``ServerAnswer/Step/waitFor(_:)``.
///
/// Once open, a gate stays open. Any number of answers may wait for it.
public final class Gate: @unchecked Sendable {
    // @unchecked: the two variables are touched under the lock only.
    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [DispatchSemaphore] = []

    /// Creates a closed gate.
    public init() {}

    /// Lets all answers continue that wait, or will wait, for this gate; later calls do nothing.
    public func open() {
        let woken = lock.withLock {
            isOpen = true
            defer { waiting = [] }
            return waiting
        }
        for semaphore in woken { semaphore.signal() }
    }

    /// Signals the semaphore once the gate is open.
    func signalWhenOpen(_ semaphore: DispatchSemaphore) {
        let passes = lock.withLock {
            if !isOpen { waiting.append(semaphore) }
            return isOpen
        }
        if passes { semaphore.signal() }
    }
}
