/// A request under way, started by ``APIClient/start(_:completion:progress:)``. Letting go of it does not cancel the
/// request.
public struct APITask: Sendable, Hashable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Cancels the request and its completion.
    ///
    /// Called on the main actor, the completion is never called afterwards; called from elsewhere, one that is running
    /// already may finish.
    public func cancel() {
        task.cancel()
    }

    /// Waits until the request has ended and its completion, if it was called, has returned.
    public func waitUntilFinished() async {
        await task.value
    }
}
