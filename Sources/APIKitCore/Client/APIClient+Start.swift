extension APIClient {
    /// Sends a request without waiting for it. The completion is called on the main actor; without one, this is fire
    /// and forget.
    ///
    /// ```swift
    /// let task = client.start(UsersRequest()) { result in … }
    /// task.cancel()
    /// ```
    ///
    /// The completion is called once, or not at all if the task was cancelled first: after a `cancel()` on the main
    /// actor it is never called; after one from elsewhere, a completion that is already running may finish. Releasing
    /// the task does not cancel the request.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - completion: Called with the result.
    ///   - progress: Called on the main actor with upload and download progress, as often as the main actor has time,
    ///     and not after a cancel that precedes the completion. All reports come before the completion, except those of
    ///     a stream, which continue while it is read.
    /// - Returns: The task, to cancel it or to wait until the completion has returned.
    @discardableResult
    public func start<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void = { _ in },
        progress: (@MainActor (TransferProgress) -> Void)? = nil
    ) -> Task<Void, Never> {
        // An unstructured task, since the caller does not wait for it.
        Task { await run(request, completion, progress) }
    }

    @concurrent
    private func run<R: APIRequest>(
        _ request: R,
        _ completion: @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void,
        _ progress: (@MainActor (TransferProgress) -> Void)?
    ) async {
        let result: Result<R.Response.Model, APIError<R.Failure.Model>>
        do throws(APIError<R.Failure.Model>) {
            let model =
                if let progress {
                    try await send(request, progressOnMainActor: progress)
                } else {
                    try await send(request)
                }
            result = .success(model)
        } catch {
            result = .failure(error)
        }
        // In one job of the main actor: after a cancel there, no completion can follow.
        await MainActor.run { if !Task.isCancelled { completion(result) } }
    }
}
