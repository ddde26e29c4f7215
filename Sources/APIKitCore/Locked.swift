#if canImport(os)
import os
#else
import Synchronization
#endif

/// A value that one thread at a time reads or changes.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
    #if canImport(os)
    // `Mutex` is newer than the oldest systems that are supported.
    private let lock: OSAllocatedUnfairLock<Value>
    #else
    private let lock: Mutex<Value>
    #endif

    package init(_ value: Value) {
        #if canImport(os)
        lock = OSAllocatedUnfairLock(uncheckedState: value)
        #else
        lock = Mutex(value)
        #endif
    }

    package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        #if canImport(os)
        lock.withLockUnchecked(body)
        #else
        lock.withLock { body(&$0) }
        #endif
    }
}
