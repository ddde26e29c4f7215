// The timeout of a request limits the time between two events. The deadline of a call, which limits the whole of it, is
// in `Call+Deadline.swift`.

extension Exchange {
    /// Fails the exchange with the code `timedOut` if the time since the last event exceeds the request's timeout. A
    /// pause does not count.
    ///
    /// If an engine checks late, for example because its process was suspended, it gets up to a second more to report
    /// what has arrived meanwhile.
    ///
    /// - Returns: The time until the next check; zero or less if the exchange has failed.
    @discardableResult
    public func checkTimeout() -> Duration {
        let timeout = max(.zero, request.options.effectiveTimeout)
        let (timeLeft, isPaused) = state.withLock { ($0.checkTimeout(timeout), $0.isPaused) }
        // A paused exchange does not fail even with a timeout of zero, which must not make the engine check all the
        // time.
        if isPaused { return max(timeLeft, .milliseconds(1)) }
        if timeLeft <= .zero {
            let message = "no data received for \(request.options.effectiveTimeout)"
            fail(TransportError(.timedOut, message, request: request))
        }
        return timeLeft
    }

    /// Restarts the timeout. The work of ``withTimeout(_:_:)`` calls this after progress that no event reports.
    package func restartTimeout() {
        state.withLock { $0.restartTimeout() }
    }

    /// Runs work that an engine does before it sends the request, such as writing the body to a file for a library that
    /// sends only files.
    ///
    /// - Parameters:
    ///   - problem: The beginning of the error's message, such as `"no connection became free"`.
    ///   - work: The work. It is cancelled if it takes too long.
    /// - Returns: What the work returns.
    /// - Throws: ``TransportError`` with the code `timedOut` if the work neither ends nor restarts the timeout within
    ///   the request's timeout; what `work` throws.
    package func withTimeout<Value: Sendable>(
        _ problem: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let timeout = request.options.effectiveTimeout
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                var timeLeft = self.state.withLock { $0.checkTimeout(timeout) }
                while timeLeft > .zero {
                    try await self.call.clock.wait(for: timeLeft)
                    timeLeft = self.state.withLock { $0.checkTimeout(timeout) }
                }
                throw TransportError(.timedOut, "\(problem) for \(self.request.options.effectiveTimeout)")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
