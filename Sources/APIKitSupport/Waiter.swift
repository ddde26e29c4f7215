/// One task that waits for a value until it is resumed or cancelled, whichever comes first.
package final class Waiter<Value: Sendable>: Sendable {
    private enum State: Sendable {
        /// The task does not wait yet.
        case expected
        case waiting(CheckedContinuation<Value, any Error>)
        case over(Result<Value, any Error>)
    }

    private let state = Locked(State.expected)

    package init() {}

    /// Waits, in one task.
    ///
    /// - Parameter onCancel: Called if a cancel ends the wait.
    /// - Returns: The value that the waiter is resumed with.
    /// - Throws: The error that the waiter is resumed with; `CancellationError` if the task is cancelled first.
    package func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    if case .over(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            if resume(with: .failure(CancellationError())) { onCancel() }
        }
    }

    /// Ends the wait. If the task does not wait yet, it gets the result at once when it does.
    ///
    /// - Returns: False if the wait had ended before.
    @discardableResult
    package func resume(with result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .over: return (false, nil)
            case .expected:
                state = .over(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .over(result)
                return (true, continuation)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }
}
