extension APIClient {
    /// Sends a request without waiting for it; the completion is called on the main actor. Without one: fire and forget.
    ///
    /// ```swift
    /// let task = client.start(UsersRequest()) { result in … }
    /// task.cancel()
    /// ```
    ///
    /// The completion is called once, or not at all if ``APITask/cancel()`` came first.
    @discardableResult
    public func start<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void = { _ in }
    ) -> APITask {
        // Unstructured, since its caller goes on: the handle that is returned is what cancels it.
        let task = Task {
            let result = await result(of: request)
            await complete(result, completion)
        }
        return APITask(task)
    }

    @concurrent
    private func result<R: APIRequest>(
        of request: R
    ) async -> Result<R.Response.Model, APIError<R.Failure.Model>> {
        do throws(APIError<R.Failure.Model>) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }

    /// Looks for a cancel in the same job of the main actor as the completion: after a cancel there, none can follow.
    @MainActor
    private func complete<Success, Failure>(
        _ result: Result<Success, Failure>,
        _ completion: @MainActor (Result<Success, Failure>) -> Void
    ) {
        if !Task.isCancelled { completion(result) }
    }
}
