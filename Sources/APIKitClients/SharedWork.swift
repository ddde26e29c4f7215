import APIKitCore
import APIKitSupport

/// Runs work once per key, however many callers wait for its result at the same time.
///
/// Cancelling one caller does not affect the others; cancelling the last one cancels the work. Work that a later caller
/// starts for the same key begins after the cancelled work has ended.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The running work for a key.
    private struct Job: Sendable {
        /// The ID of the caller that started it.
        let id: Int
        /// The waiting callers by their IDs.
        var waiters: [Int: Waiter<Value>]
        /// Nil while the work is being started.
        var task: Task<Void, any Error>?

        /// Whether the last caller has left. Before the task exists, the work does not count as cancelled, so that
        /// another caller may still join.
        var isCancelled: Bool { task != nil && waiters.isEmpty }
    }

    private struct State: Sendable {
        var jobs: [Key: Job] = [:]
        var lastID = 0
    }

    /// The result of joining the work for a key.
    private struct Ticket: Sendable {
        /// The ID of the caller.
        let id: Int
        /// Whether the caller starts the work, since none was running.
        let startsWork: Bool
        /// Cancelled work for the same key, which must end before the caller's work begins.
        var cancelled: Task<Void, any Error>?
    }

    private let state = Locked(State())

    /// Returns the result of the work that runs for a key, and starts it if none does.
    ///
    /// - Throws: What the work throws; `CancellationError` if the task is cancelled.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let waiter = Waiter<Value>()
        let ticket = join(key, waiter)
        if ticket.startsWork { start(key, ticket.id, after: ticket.cancelled, work) }
        return try await waiter.value { leave(key, ticket.id) }
    }

    /// Adds a caller to the work that runs for a key or, if there is none, to new work, which the caller must start.
    private func join(_ key: Key, _ waiter: Waiter<Value>) -> Ticket {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            if state.jobs[key]?.isCancelled == false {
                state.jobs[key]?.waiters[id] = waiter
                return Ticket(id: id, startsWork: false)
            }
            let cancelled = state.jobs.updateValue(Job(id: id, waiters: [id: waiter]), forKey: key)
            return Ticket(id: id, startsWork: true, cancelled: cancelled?.task)
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
        // All callers may have been cancelled before the job had a task to cancel.
        let isAbandoned = state.withLock { state in
            guard var job = state.jobs[key], job.id == id else { return false }
            job.task = task
            state.jobs[key] = job
            return job.isCancelled
        }
        if isAbandoned { task.cancel() }
    }

    /// Removes a caller that was cancelled, and cancels the work if no other waits for it.
    private func leave(_ key: Key, _ id: Int) {
        let abandoned: Task<Void, any Error>? = state.withLock { state in
            let wasWaiting = state.jobs[key]?.waiters.removeValue(forKey: id) != nil
            guard wasWaiting, let job = state.jobs[key], job.isCancelled else { return nil }
            return job.task
        }
        abandoned?.cancel()
    }

    /// Removes the job and resumes its callers with the result.
    private func finish(_ key: Key, _ id: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Int: Waiter<Value>] in
            // After a cancel, a newer job may have replaced this one. Its callers wait for its own result.
            guard state.jobs[key]?.id == id else { return [:] }
            return state.jobs.removeValue(forKey: key)?.waiters ?? [:]
        }
        for waiter in waiters.values { waiter.resume(with: result) }
    }
}
