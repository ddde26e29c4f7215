extension APIClient {
    /// Sends a request without waiting for it; the completion is called on the main actor. Without one: fire and
    /// forget.
    ///
    /// ```swift
    /// let task = client.start(UsersRequest()) { result in … }
    /// task.cancel()
    /// ```
    ///
    /// The completion is called once, or not at all if ``APITask/cancel()`` came first.
    ///
    /// - Parameters:
    ///   - request: The endpoint.
    ///   - completion: Given the result.
    ///   - progress: Told on the main actor how far the request and its answer have come: as often as the main actor
    ///     has the time, and not after a cancel. All come before the completion, but those of a stream, which go on
    ///     while it is read.
    /// - Returns: The request under way, to cancel it or to wait for it.
    @discardableResult
    public func start<R: APIRequest>(
        _ request: R,
        completion: @escaping @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void = { _ in },
        progress: (@MainActor (TransferProgress) -> Void)? = nil
    ) -> APITask {
        // Unstructured, since its caller goes on: the handle that is returned is what cancels it.
        APITask(Task { await run(request, completion, progress) })
    }

    @concurrent
    private func run<R: APIRequest>(
        _ request: R,
        _ completion: @MainActor (Result<R.Response.Model, APIError<R.Failure.Model>>) -> Void,
        _ progress: (@MainActor (TransferProgress) -> Void)?
    ) async {
        guard let progress else {
            return await complete(await result(of: request, reporting: nil), completion)
        }
        // The newest report is enough: the main actor may be slower than the network.
        let (reports, reporter) = AsyncStream.makeStream(
            of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
        async let shown: Void = show(reports, progress)
        if request.delivery == .stream {
            // Its reports go on until it ends, which may be long after it was handed over.
            await complete(await result(of: request, reporting: Reporter(reporter).report), completion)
            await shown
        } else {
            let result = await result(of: request) { reporter.yield($0) }
            reporter.finish()
            await shown
            await complete(result, completion)
        }
    }

    @concurrent
    private func result<R: APIRequest>(
        of request: R, reporting report: (@Sendable (TransferProgress) -> Void)?
    ) async -> Result<R.Response.Model, APIError<R.Failure.Model>> {
        do throws(APIError<R.Failure.Model>) {
            return .success(try await send(request, progress: report))
        } catch {
            return .failure(error)
        }
    }

    @MainActor
    private func show(
        _ reports: AsyncStream<TransferProgress>, _ progress: @MainActor (TransferProgress) -> Void
    ) async {
        for await report in reports where !Task.isCancelled { progress(report) }
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

/// Takes reports for as long as a transfer holds on to it.
private final class Reporter: Sendable {
    private let reports: AsyncStream<TransferProgress>.Continuation

    init(_ reports: AsyncStream<TransferProgress>.Continuation) {
        self.reports = reports
    }

    deinit {
        reports.finish()
    }

    @Sendable
    func report(_ progress: TransferProgress) {
        reports.yield(progress)
    }
}
