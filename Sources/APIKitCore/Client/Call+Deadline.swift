// The deadline of a call limits the whole of it. The timeout of a request, which limits the time between two events, is
// in `Exchange+Timeout.swift`.

extension Call {
    /// The clock that times the call: its deadline, the pauses and waits of clients, and the limits of its requests.
    public var clock: any Clock<Duration> { context.clock }

    /// The time left until the deadline, negative after it; nil if there is none.
    public var timeLeft: Duration? {
        context.state.withLock { $0.deadline }.map { $0 - context.time.elapsed }
    }

    /// The deadline, counted from the beginning of the call.
    var deadline: Duration? { context.state.withLock { $0.deadline } }

    /// Sets the deadline, counted from the beginning of the call. A client may change it with each request.
    func limit(to deadline: RequestOptions.TimeLimit) {
        context.limit(to: deadline.duration?.clampedForSleep)
    }

    /// Registers work to do at the deadline. If the deadline has passed, the work is done at once.
    ///
    /// - Returns: The number that ``removeWork(_:)`` takes.
    func atDeadline(_ work: @escaping @Sendable () -> Void) -> Int {
        context.atDeadline(work)
    }

    func removeWork(_ id: Int) {
        context.state.withLock { $0.work[id] = nil }
    }

    /// Does work, and cancels it at the deadline.
    func beforeDeadline<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // An unstructured task, since the deadline must be able to cancel it.
        let task = Task { try await work() }
        let id = atDeadline { task.cancel() }
        defer { removeWork(id) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // A result or error that comes after the deadline is replaced by the deadline's own error.
        if !Task.isCancelled, let timeLeft, timeLeft <= .zero { throw missedDeadline }
        return try result.get()
    }

    /// The error of a call that has not ended at its deadline.
    var missedDeadline: TransportError {
        TransportError(.timedOut, "the call did not end within its deadline of \(deadline ?? .zero)")
    }
}

extension Call.Context {
    func limit(to deadline: Duration?) {
        let isNew = state.withLock { state in
            guard state.deadline != deadline else { return false }
            state.deadline = deadline
            state.hasMissedDeadline = false
            return true
        }
        guard isNew else { return }
        let timer = deadline.map { deadline in
            // An unstructured task, since the deadline also applies to a stream that is read after `send` has returned.
            Task { [weak self, clock, time] in
                guard (try? await clock.wait(for: deadline - time.elapsed)) != nil else { return }
                self?.reachDeadline(deadline)
            }
        }
        let unusedTimer = state.withLock { state in
            // Another request of the call may have changed the deadline meanwhile. Then this timer is not needed.
            guard state.deadline == deadline else { return timer }
            let previousTimer = state.timer
            state.timer = timer
            return previousTimer
        }
        unusedTimer?.cancel()
    }

    func atDeadline(_ work: @escaping @Sendable () -> Void) -> Int {
        // `hasMissedDeadline` decides, rather than the time. So work that is registered just before the deadline is
        // done exactly once: either here or by `reachDeadline`.
        let (id, hasPassed) = state.withLock { state in
            state.lastID += 1
            state.work[state.lastID] = work
            return (state.lastID, state.hasMissedDeadline)
        }
        if hasPassed { work() }
        return id
    }

    /// Does all registered work, unless the deadline has been changed.
    private func reachDeadline(_ deadline: Duration) {
        let work: [@Sendable () -> Void] = state.withLock { state in
            guard state.deadline == deadline else { return [] }
            state.hasMissedDeadline = true
            return Array(state.work.values)
        }
        for work in work { work() }
    }
}
