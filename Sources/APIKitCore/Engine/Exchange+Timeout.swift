// The timeout of a request, which begins anew with each event. The deadline of a call is in `Call+Deadline.swift`.

extension Exchange {
    /// Fails with the code `timedOut` if the last event is longer ago than the request's timeout; a pause does not
    /// count.
    ///
    /// An engine that comes late, such as one whose process was stopped, gets up to a second more to report what has
    /// arrived meanwhile.
    ///
    /// - Returns: When to check again; zero or less once the exchange has failed.
    @discardableResult
    public func checkTimeout() -> Duration {
        let timeout = max(.zero, request.options.effectiveTimeout)
        let (left, isPaused) = state.withLock { ($0.timeLeft(of: timeout), $0.isPaused) }
        if isPaused { return max(left, .milliseconds(1)) }
        if left <= .zero {
            fail(
                TransportError(.timedOut, "no data received for \(request.options.effectiveTimeout)", request: request))
        }
        return left
    }

    /// Restarts the timeout, for progress while ``withTimeout(_:_:)`` runs that no event reports.
    package func restartTimeout() {
        state.withLock { $0.lastEvent = $0.time.elapsed }
    }

    /// Runs work that comes before the request is sent, such as writing its body to a file, if that is what the
    /// engine's library needs.
    ///
    /// - Parameters:
    ///   - problem: What the error reports, such as `"no connection became free"`.
    ///   - work: The work, which is cancelled when it takes too long.
    /// - Returns: What the work returns.
    /// - Throws: ``TransportError`` with the code `timedOut` once nothing has happened for the request's timeout; what
    ///   `work` throws.
    package func withTimeout<Value: Sendable>(
        _ problem: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let timeout = request.options.effectiveTimeout
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while case let left = self.state.withLock({ $0.timeLeft(of: timeout) }), left > .zero {
                    try await self.call.clock.wait(for: left)
                }
                throw TransportError(.timedOut, "\(problem) for \(self.request.options.effectiveTimeout)")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
