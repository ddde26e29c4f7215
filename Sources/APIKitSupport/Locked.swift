#if canImport(os)
public import os
#elseif THREAD_SANITIZER
import Glibc
#else
public import Synchronization
#endif

/// A value that only one thread at a time reads or changes.
///
/// Inlinable, since each use in another module would otherwise look up the type of the lock at run time. Frozen, since
/// modules that are built for distribution can have an inlinable initializer only in such a type.
@frozen @usableFromInline package struct Locked<Value: Sendable>: ~Copyable, Sendable {
    #if canImport(os)
    // `Mutex` is newer than the oldest systems that are supported.
    @usableFromInline let lock: OSAllocatedUnfairLock<Value>
    #else
    @usableFromInline let lock: Mutex<Value>
    #endif

    @inlinable package init(_ value: Value) {
        #if canImport(os)
        lock = OSAllocatedUnfairLock(uncheckedState: value)
        #else
        lock = Mutex(value)
        #endif
    }

    @inlinable package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        #if canImport(os)
        lock.withLockUnchecked(body)
        #else
        lock.withLock { body(&$0) }
        #endif
    }
}

#if THREAD_SANITIZER
/// Stands in for the standard library's `Mutex`, whose locks the thread sanitizer does not see on Linux.
///
/// `@unchecked Sendable`: the value is only used in `withLock`, under the lock.
@usableFromInline final class Mutex<Value: Sendable>: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    @usableFromInline init(_ value: Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    @usableFromInline func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body(&value)
    }
}
#endif
