/// Work that several callers wait for while it runs once per key. A caller's cancel is its own; the last one's cancels
/// the work, and the next caller's work for the key begins when the cancelled one has ended.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Cancelled if it has no waiters.
    private struct Job: Sendable {
        let id: Int
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var task: Task<Void, Never>?
    }

    private let jobs = Locked<[Key: Job]>([:])
    private let lastID = Locked(0)

    /// Returns the result of the work that runs for a key, and starts it if none does.
    ///
    /// - Throws: What the work throws; `CancellationError` if the task is cancelled.
    func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let waiter = nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = jobs.withLock { jobs in
                    // A cancel before this found nobody to resume, but had marked the task.
                    if Task.isCancelled { return true }
                    let cancelled = jobs[key]?.waiters.isEmpty == true ? jobs.removeValue(forKey: key)?.task : nil
                    var job = jobs[key] ?? Job(id: waiter)
                    job.waiters[waiter] = continuation
                    if job.task == nil {
                        // An unstructured task, since no single caller owns it.
                        job.task = Task { [id = job.id] in
                            await cancelled?.value
                            do {
                                try Task.checkCancellation()
                                self.finish(key, id, .success(try await work()))
                            } catch {
                                self.finish(key, id, .failure(error))
                            }
                        }
                    }
                    jobs[key] = job
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let (continuation, task) = jobs.withLock { jobs in
                let continuation = jobs[key]?.waiters.removeValue(forKey: waiter)
                guard continuation != nil, jobs[key]?.waiters.isEmpty == true else {
                    return (continuation, Task<Void, Never>?.none)
                }
                return (continuation, jobs[key]?.task)
            }
            task?.cancel()
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func nextID() -> Int {
        lastID.withLock { id in
            id += 1
            return id
        }
    }

    private func finish(_ key: Key, _ id: Int, _ result: Result<Value, any Error>) {
        let waiters = jobs.withLock { jobs in
            jobs[key]?.id == id ? jobs.removeValue(forKey: key)?.waiters : nil
        }
        for waiter in (waiters ?? [:]).values { waiter.resume(with: result) }
    }
}
