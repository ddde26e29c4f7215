extension Call {
    /// Thrown by a client that cancels a request by other means than its task, as ``APIClient/tracked(by:)`` does. The
    /// caller gets ``APIError/cancelled``, and no client repeats the request.
    ///
    /// A `CancellationError` means that only if the caller's own task was cancelled: otherwise it is the error of
    /// another task that the request has waited for.
    ///
    /// ```swift
    /// guard session.isSignedIn else { throw Call.Cancellation() }
    /// ```
    public struct Cancellation: Error, CustomStringConvertible {
        /// Creates the error.
        public init() {}

        /// Says that the request was cancelled.
        public var description: String { "the request was cancelled" }
    }
}
