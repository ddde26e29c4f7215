import Foundation

/// A number that any thread may count up.
final class LockedCounter: @unchecked Sendable {
    // @unchecked: the variable is reached under the lock alone.
    private var value = 0
    private let lock = NSLock()

    var count: Int { lock.withLock { value } }

    @discardableResult
    func next() -> Int {
        lock.withLock {
            value += 1
            return value
        }
    }
}
