public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Starts an operation that takes long, asks for its state until it is done, and returns its result.
    ///
    /// ```swift
    /// let request = RenderRequest(film: "Up")
    /// let render = try await client.result(of: request, within: .seconds(600)) { poll in
    ///     await store.save(poll.id)
    /// }
    /// ```
    ///
    /// The operation outlives this call, and so does the process that waits for it: with the poll that was stored, the
    /// next one waits on, as in `client.result(of: RenderStatusRequest(id: id))`.
    ///
    /// A cancel of the task ends a pause at once. It does not cancel the operation on the server: for that, send the
    /// API's own endpoint. A poll that fails ends the call, so polls are best sent by a client that is `retrying()`.
    ///
    /// - Parameters:
    ///   - request: The endpoint that starts the operation, or that asks for its state.
    ///   - options: Options of each request, which override the endpoint's options one by one.
    ///   - limit: How long to wait for the result; nil for any time. A call that would have to wait longer fails with a
    ///     ``TransportError`` of the code `timedOut`, before the pause that would exceed the limit.
    ///   - pauses: The first pause between two requests, and the longest one; in between, each is twice as long as the
    ///     one before. A pause that the server asks for counts instead, however long it is. No pause is shorter than
    ///     100 milliseconds.
    ///   - onPending: Called with the next poll whenever the operation is not done, before the pause.
    /// - Returns: The result.
    /// - Throws: ``APIError`` with the endpoint's failure type.
    @concurrent
    public func result<R: LongRunningRequest>(
        of request: R,
        options: RequestOptions? = nil,
        within limit: Duration? = nil,
        pauses: ClosedRange<Duration> = .seconds(1)...(.seconds(30)),
        onPending: @escaping @Sendable (R.Poll) async -> Void = { _ in }
    ) async throws(APIError<R.Failure.Model>) -> R.Poll.Output where R.Poll.Failure == R.Failure {
        var wait = OperationWait(clock, within: limit, pauses: pauses)
        var step = try await step(of: request, options, wait)
        while true {
            switch step {
            case .done(let output):
                return output
            case .pending(let poll, let requestedPause, let head):
                await onPending(poll)
                do {
                    try await wait.pause(for: requestedPause, after: head)
                } catch {
                    throw APIError(thrownBy: error)
                }
                step = try await self.step(of: poll, options, wait)
            }
        }
    }

    /// Sends one request of an operation.
    private func step<R: LongRunningRequest>(
        of request: R, _ options: RequestOptions?, _ wait: OperationWait
    ) async throws(APIError<R.Failure.Model>) -> OperationStep<R.Poll> {
        let (call, response) = try await response(to: request, options, nil) { wait.limit(&$0) }
        let model = try await request.model(of: response, in: call)
        let reply = APIReply(model: model, head: response.head, timing: response.timing, source: response.source)
        do {
            switch try request.status(of: reply) {
            case .done(let output):
                return .done(output)
            case .pending(let poll, let pause):
                return .pending(poll, pause: pause ?? response.head.retryAfter, response.head)
            }
        } catch {
            var response = response
            response.body = response.body.withoutStream
            throw APIError(thrownByReading: error, of: response)
        }
    }
}

/// What a request of an operation has led to.
private enum OperationStep<Poll: LongRunningRequest> {
    case done(Poll.Output)
    /// The next poll, the pause that the server asks for, and the head of the response.
    case pending(Poll, pause: Duration?, HTTPResponse.Head)
}

/// The time that an operation may take, and the pauses between its requests.
private struct OperationWait: Sendable {
    private static let shortestPause = Duration.milliseconds(100)

    private let budget: TimeBudget
    private let longestPause: Duration
    /// The next pause, unless the server asks for one.
    private var backoff: Duration

    init(_ clock: any Clock<Duration>, within limit: Duration?, pauses: ClosedRange<Duration>) {
        budget = TimeBudget(clock, limit)
        backoff = pauses.lowerBound.clampedForSleep
        longestPause = pauses.upperBound.clampedForSleep
    }

    /// Limits a request to the rest of the time.
    func limit(_ request: inout HTTPRequest) {
        budget.limit(&request)
    }

    /// Waits for the pause that the server asks for, or for the next one.
    ///
    /// - Throws: ``TransportError`` if the time would be over then; `CancellationError` if the task is cancelled.
    mutating func pause(for requested: Duration?, after head: HTTPResponse.Head) async throws {
        let pause = max(requested ?? backoff, Self.shortestPause)
        if requested == nil { backoff = min(backoff * 2, longestPause) }
        try await budget.pause(for: pause, of: "the operation", at: head.url)
    }
}
