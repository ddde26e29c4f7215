import Dispatch
import Foundation

/// Delays an answer until a test opens the gate; see ``ServerAnswer/Step/waitFor(_:)``.
///
/// Once open, a gate stays open. Any number of answers may wait for it.
public final class Gate: @unchecked Sendable {
    // @unchecked: the lock guards both variables.
    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [DispatchSemaphore] = []

    /// Creates a closed gate.
    public init() {}

    /// Lets all current and future answers that wait for this gate continue; later calls do nothing.
    public func open() {
        let semaphores = lock.withLock {
            isOpen = true
            defer { waiting = [] }
            return waiting
        }
        for semaphore in semaphores { semaphore.signal() }
    }

    /// Signals the semaphore once the gate is open.
    func signalWhenOpen(_ semaphore: DispatchSemaphore) {
        let wasOpen = lock.withLock {
            if !isOpen { waiting.append(semaphore) }
            return isOpen
        }
        if wasOpen { semaphore.signal() }
    }
}
