import APIKitSupport

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
    ///   - options: Options of this call, which override the endpoint's options one by one.
    ///   - progress: Receives reports of the progress. No report begins after the completion. If the model is a
    ///     stream, only the sending is reported, since a stream is read after the completion.
    ///   - completion: Called with the result.
    /// - Returns: The task, to cancel it or to wait until the completion has returned.
    @discardableResult
    public func start<R: APIRequest>(
        _ request: R,
        options: RequestOptions? = nil,
        progress: TransferProgress.Handler? = nil,
        completion: @escaping @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void = { _ in }
    ) -> Task<Void, Never> {
        let reports = progress.map(Reports.init)
        // An unstructured task, since the caller does not wait for it.
        let task = Task { await run(request, options, reports: reports, completion) }
        reports?.follow(task)
        return task
    }

    /// Sends the request, and calls the completion on the main actor unless the task was cancelled. The progress is
    /// passed on through `reports`, which are ended right before the completion.
    @concurrent
    private func run<R: APIRequest>(
        _ request: R, _ options: RequestOptions?, reports: Reports?,
        _ completion: @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void
    ) async {
        let result: Result<R.Response.Model, APIError<R.Failure.Model>>
        do throws(APIError<R.Failure.Model>) {
            result = .success(try await send(request, options: options, progress: reports?.handler))
        } catch {
            result = .failure(error)
        }
        // The check and the completion run without suspension on the main actor, so that no completion can follow a
        // cancel on the main actor.
        await MainActor.run {
            // No report may follow the completion.
            reports?.end()
            if !Task.isCancelled { completion(result) }
        }
    }
}

/// Passes on the progress reports of a call until its completion or a cancel.
private final class Reports: Sendable {
    private struct State: Sendable {
        /// The task of the call; nil before it has started, and after the completion.
        ///
        /// Each report asks the task whether it is cancelled. A cancellation handler could run too late: after the
        /// cancelled task has reported once more and ended.
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let progress: TransferProgress.Handler
    private let state = Locked(State())

    init(_ progress: TransferProgress.Handler) {
        self.progress = progress
    }

    /// Lets a cancel of the task end the reports. The task may have ended already.
    func follow(_ task: Task<Void, Never>) {
        state.withLock { if !$0.isOver { $0.task = task } }
    }

    /// Drops all later reports, and releases the task.
    func end() {
        state.withLock { $0 = State(isOver: true) }
    }

    /// Whether reports are dropped, because the call has completed or was cancelled.
    private var isOver: Bool {
        state.withLock { state in
            let isCancelled = state.task?.isCancelled ?? false
            return state.isOver || isCancelled
        }
    }

    /// The handler that the call reports to.
    var handler: TransferProgress.Handler {
        switch progress.kind {
        case .onMainActor(let report): .onMainActor { [self] in if !isOver { report($0) } }
        case .anywhere(let report): .anywhere { [self] in if !isOver { report($0) } }
        }
    }
}
