import APIKitSupport

// The timeout of the request. It is judged by ``Timeout``, for each engine that calls these functions.
extension Exchange {
    /// Fails the exchange with the code `timedOut` if the time since the last event exceeds the request's timeout. A
    /// pause does not count.
    ///
    /// If an engine checks late, for example because its process was suspended, it gets up to a second more to report
    /// what has arrived meanwhile.
    ///
    /// - Returns: The time until the next check; zero or less if the timeout has passed.
    @discardableResult
    public func checkTimeout() -> Duration {
        let timeLeft = state.withLock { $0.checkTimeout() }
        let hasTimedOut = timeLeft <= .zero
        if hasTimedOut { fail(TransportError.noData(for: request)) }
        return timeLeft
    }

    /// Checks the timeout each time that it may have passed, on the call's clock, until it has or the task is
    /// cancelled. For engines without timers of their own: cancel the task at the end of the transfer, even if that has
    /// failed.
    public func enforceTimeout() async {
        do {
            try await waitForTimeout()
            fail(TransportError.noData(for: request))
        } catch {
            // The task was cancelled, since the transfer has ended.
        }
    }

    /// Counts the timeout from now on. The work of ``withTimeout(_:_:)`` calls this after progress that no event
    /// reports.
    public func restartTimeout() {
        state.withLock { $0.restartTimeout() }
    }

    /// Runs work that an engine does before it sends the request, and cancels it if the request times out meanwhile.
    /// Such work is writing the body to a file, for a library that sends only files.
    ///
    /// Work that may take longer than the request's timeout calls ``restartTimeout()`` whenever it makes progress.
    ///
    /// - Parameters:
    ///   - problem: The beginning of the error's message, such as `"no connection became free"`.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: ``TransportError`` with the code `timedOut` if the request times out; what `work` throws.
    public func withTimeout<Value: Sendable>(
        _ problem: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.waitForTimeout()
                throw TransportError(.timedOut, "\(problem) for \(self.request.options.effectiveTimeout)")
            }
            // The first of the two tasks to end decides, and the other one is cancelled.
            defer { group.cancelAll() }
            // Never nil, since neither task's result has been taken yet.
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    /// Waits until the timeout has passed without being restarted. An event, or the work itself, may restart it during
    /// each wait, so the time left is asked for again.
    private func waitForTimeout() async throws {
        var timeLeft = state.withLock { $0.checkTimeout() }
        while timeLeft > .zero {
            try await call.clock.wait(for: timeLeft)
            timeLeft = state.withLock { $0.checkTimeout() }
        }
    }
}
