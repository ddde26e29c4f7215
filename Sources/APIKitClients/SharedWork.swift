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
        private var lastID = 0

        /// Adds a caller to the work that runs for a key, or to new work.
        mutating func join(_ key: Key) -> Ticket {
            // A copy of the job that still exists below would make the new waiter copy all of the others.
            let canJoin = jobs[key]?.isCancelled == false
            guard canJoin else { return add(key) }
            let ticket = ticket(for: .running)
            jobs[key]?.waiters[ticket.id] = ticket.waiter
            return ticket
        }

        /// Adds new work for a key; nil if there is work already, even if that was cancelled and has not ended.
        mutating func start(_ key: Key) -> Ticket? { jobs[key] == nil ? add(key) : nil }

        private mutating func add(_ key: Key) -> Ticket {
            let ticket = ticket(for: .new(after: jobs[key]?.task))
            jobs[key] = Job(id: ticket.id, waiters: [ticket.id: ticket.waiter])
            return ticket
        }

        private mutating func ticket(for work: Ticket.Work) -> Ticket {
            lastID += 1
            return Ticket(id: lastID, work: work, waiter: Waiter())
        }
    }

    /// A caller that waits for work.
    private struct Ticket: Sendable {
        enum Work: Sendable {
            /// Another caller has started it.
            case running
            /// This caller starts it. It begins after the end of cancelled work for the same key, if there is any.
            case new(after: Task<Void, any Error>?)
        }

        let id: Int
        let work: Work
        let waiter: Waiter<Value>
    }

    private let state = Locked(State())

    /// Returns the result of the work that runs for a key, and starts it if none does.
    ///
    /// - Throws: What the work throws; `CancellationError` if the task is cancelled.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let ticket = state.withLock { $0.join(key) }
        return try await value(of: ticket, for: key, work)
    }

    /// Returns the result of new work for a key; nil if other work for it has not ended.
    ///
    /// The caller waits only for work that it has started itself, and so never for work that waits for the caller.
    ///
    /// - Throws: What the work throws; `CancellationError` if the task is cancelled.
    func valueUnlessRunning(
        for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try Task.checkCancellation()
        guard let ticket = state.withLock({ $0.start(key) }) else { return nil }
        return try await value(of: ticket, for: key, work)
    }

    private func value(
        of ticket: Ticket, for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if case .new(let cancelled) = ticket.work { start(key, ticket.id, after: cancelled, work) }
        return try await ticket.waiter.value { leave(key, ticket.id) }
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
