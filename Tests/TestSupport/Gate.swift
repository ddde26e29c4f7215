import Dispatch
import Foundation

/// Holds an answer back until a test opens it; see ``ServerAnswer/Step/waitFor(_:)``.
///
/// Once open it stays open. Any number of answers may wait for one gate.
public final class Gate: @unchecked Sendable {
    // @unchecked: the two variables are touched under the lock only.
    private let lock = NSLock()
    private var isOpen = false
    private var waiting: [DispatchSemaphore] = []

    /// Makes a closed gate.
    public init() {}

    /// Lets every answer pass that waits or will wait for this gate; does nothing if it is open.
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
