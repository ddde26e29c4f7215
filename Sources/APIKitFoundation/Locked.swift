/// A value behind a lock. `Mutex` would be it, but is newer than the oldest systems that are supported.
///
/// `@unchecked Sendable`: the value is private and Sendable, and is reached in `withLock` alone, under the lock, and so by
/// one thread at a time.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
