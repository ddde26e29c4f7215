import APIKitCore

/// Work that several callers wait for while it runs once per key. Cancelling one caller does not affect the others;
/// cancelling the last one cancels the work, and the next caller's work for the key begins when the cancelled one has
/// ended.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Work for a key. It has no task while it is being started, and no waiters once it is cancelled.
    private struct Job: Sendable {
        let id: Int
        var waiters: [Int: Waiter<Value>] = [:]
        var task: Task<Void, any Error>?
    }

    private struct State: Sendable {
        var jobs: [Key: Job] = [:]
        var lastID = 0
    }

    private enum Start: Sendable {
        case running
        /// After the end of what was cancelled, if any.
        case new(after: Task<Void, any Error>?)
    }

    private let state = Locked(State())

    /// Returns the result of the work that runs for a key, and starts it if none does.
    ///
    /// - Throws: What the work throws; `CancellationError` if the task is cancelled.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value>()
        let (id, running) = join(key, waiter)
        if case .new(let cancelled) = running { start(key, id, after: cancelled, work) }
        return try await waiter.value { leave(key, id) }
    }

    private func join(_ key: Key, _ waiter: Waiter<Value>) -> (id: Int, Start) {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let cancelled = state.jobs[key].flatMap { $0.waiters.isEmpty ? $0.task : nil }
            if cancelled != nil { state.jobs[key] = nil }
            let isRunning = state.jobs[key] != nil
            state.jobs[key, default: Job(id: id)].waiters[id] = waiter
            return (id, isRunning ? .running : .new(after: cancelled))
        }
    }

    /// Starts the work in an unstructured task, since no single caller owns it.
    private func start(
        _ key: Key, _ id: Int, after cancelled: Task<Void, any Error>?,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        let task = Task.startingImmediately { [self] in
            _ = await cancelled?.result
            do {
                try Task.checkCancellation()
                finish(key, id, .success(try await work()))
            } catch {
                finish(key, id, .failure(error))
            }
        }
        let isAbandoned = state.withLock { state in
            guard state.jobs[key]?.id == id else { return false }
            state.jobs[key]?.task = task
            return state.jobs[key]?.waiters.isEmpty == true
        }
        if isAbandoned { task.cancel() }
    }

    private func leave(_ key: Key, _ id: Int) {
        let task = state.withLock { state in
            let wasThere = state.jobs[key]?.waiters.removeValue(forKey: id) != nil
            return wasThere && state.jobs[key]?.waiters.isEmpty == true ? state.jobs[key]?.task : nil
        }
        task?.cancel()
    }

    private func finish(_ key: Key, _ id: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            state.jobs[key]?.id == id ? state.jobs.removeValue(forKey: key)?.waiters : nil
        }
        for waiter in (waiters ?? [:]).values { waiter.resume(with: result) }
    }
}

/// The clients that this task works for. What is sent on behalf of a request, such as a token's refresh, must not wait
/// for what that request keeps: a place, a shared transfer, or the refresh itself.
enum Circle {
    @TaskLocal private static var objects: [ObjectIdentifier] = []

    /// Whether this task works for an object.
    static func contains(_ object: AnyObject) -> Bool { objects.contains(ObjectIdentifier(object)) }

    /// Does work for an object.
    static func work<Value>(for object: AnyObject, _ work: () async throws -> Value) async rethrows -> Value {
        try await $objects.withValue(objects + [ObjectIdentifier(object)], operation: work)
    }
}
