// The deadline of a call. The timeout of a request, which begins anew with each event, is in `Exchange+Timeout.swift`.

extension Call {
    /// The clock that times the call: its deadline, the pauses and waits of clients, and the limits of its requests.
    public var clock: any Clock<Duration> { context.clock }

    /// The time left until the deadline, negative after it; nil if there is none.
    public var timeLeft: Duration? {
        context.state.withLock { $0.deadline }.map { $0 - context.time.elapsed }
    }

    /// The deadline, counted from the beginning of the call.
    var deadline: Duration? { context.state.withLock { $0.deadline } }

    /// Sets the deadline, which a client may have changed.
    func limit(to deadline: Duration) {
        context.limit(to: deadline < .unlimited ? deadline.clampedForSleep : nil)
    }

    /// Has work done at the deadline, at once if that has passed.
    ///
    /// - Returns: The number to remove it by.
    func atDeadline(_ work: @escaping @Sendable () -> Void) -> Int {
        context.atDeadline(work)
    }

    func removeWork(_ id: Int) {
        context.state.withLock { $0.work[id] = nil }
    }

    /// Does work until the deadline, and then cancels it.
    func beforeDeadline<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        // An unstructured task, since nothing else can be cancelled from outside.
        let task = Task { try await work() }
        let id = atDeadline { task.cancel() }
        defer { removeWork(id) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // What comes later than the deadline is not wanted.
        if !Task.isCancelled, let timeLeft, timeLeft <= .zero { throw missedDeadline }
        return try result.get()
    }

    /// What a call fails with at its deadline.
    var missedDeadline: TransportError {
        TransportError(.timedOut, "the call did not end within its deadline of \(deadline ?? .zero)")
    }
}

extension Call.Context {
    func limit(to deadline: Duration?) {
        let isNew = state.withLock { state in
            guard state.deadline != deadline else { return false }
            (state.deadline, state.hasMissedDeadline) = (deadline, false)
            return true
        }
        guard isNew else { return }
        let timer = deadline.map { deadline in
            // An unstructured task, since the end of a stream comes after `send`.
            Task { [weak self, clock, time] in
                guard (try? await clock.wait(for: deadline - time.elapsed)) != nil else { return }
                self?.pass(deadline)
            }
        }
        let unused = state.withLock { state in
            // Another request of the call may have changed it meanwhile: the timer of that one counts.
            guard state.deadline == deadline else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        unused?.cancel()
    }

    func atDeadline(_ work: @escaping @Sendable () -> Void) -> Int {
        // Not the time is asked: it may pass between that and the next line.
        let (id, hasPassed) = state.withLock { state in
            state.lastID += 1
            state.work[state.lastID] = work
            return (state.lastID, state.hasMissedDeadline)
        }
        if hasPassed { work() }
        return id
    }

    private func pass(_ deadline: Duration) {
        let work: [@Sendable () -> Void] = state.withLock { state in
            guard state.deadline == deadline else { return [] }
            state.hasMissedDeadline = true
            return Array(state.work.values)
        }
        for work in work { work() }
    }
}
