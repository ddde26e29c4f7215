/// One request on its way through a session: collects what arrives and completes once, whatever comes first of the end,
/// an error and a cancel.
final class Transfer: Sendable {
    /// What has arrived when a transfer is complete; made into a response by whoever waits, not on the session's queue.
    struct Outcome: Sendable {
        var head: HTTPURLResponse
        var data: Data
        var timing: Timing
    }

    private struct State: Sendable {
        var continuation: CheckedContinuation<Outcome, any Error>?
        var task: URLSessionTask?
        var isOver = false
        var head: HTTPURLResponse?
        var data = Data()
        var timing: Timing
    }

    private let request: HTTPRequest
    private let state: Locked<State>

    init(of request: HTTPRequest) {
        self.request = request
        state = Locked(State(timing: Timing(queued: .now)))
    }

    // MARK: - The caller's side

    /// Creates the task and resumes it, unless a cancel came first. A test has something happen in between.
    func start(
        _ urlRequest: URLRequest, on session: URLSession, _ continuation: CheckedContinuation<Outcome, any Error>,
        beforeResuming: () -> Void = {}
    ) {
        let isCancelled = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        let task = makeTask(urlRequest, on: session)
        beforeResuming()
        let isCancelledMeanwhile = state.withLock { state in
            if !state.isOver { state.task = task }
            state.timing.sent = .now
            return state.isOver
        }
        guard !isCancelledMeanwhile else { return task.cancel() }
        // Here, since a task that is never resumed may never tell its end, and would be remembered for good.
        (session.delegate as? APISessionDelegate)?.register(self, for: task)
        task.resume()
    }

    /// Ends the transfer as cancelled, at once: the session's own end of it may come later and is not waited for.
    func cancel() {
        fail(CancellationError())
    }

    private func makeTask(_ urlRequest: URLRequest, on session: URLSession) -> URLSessionTask {
        if session.delegate is APISessionDelegate { return session.dataTask(with: urlRequest) }
        let task = session.dataTask(with: urlRequest) { data, response, error in
            if let response { self.receive(response) }
            if let data { self.receive(data) }
            self.complete(error)
        }
        task.delegate = ForeignTaskDelegate(transfer: self)
        return task
    }

    // MARK: - The session's side

    /// Takes the head of a response; the last one counts, since informational ones (RFC 9110, section 15.2) come here too.
    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return }
        let length = expectedLength(of: response)
        if length > limit || length == .max { return failAsTooLarge() }
        state.withLock { state in
            state.head = response
            state.timing.firstByte = .now
            state.data = Data()
            // Only so far is a length believed before the bytes are there.
            state.data.reserveCapacity(min(length, 64 << 20))
        }
    }

    /// The length that a response claims, 0 where it claims none, and `.max` for a number past all numbers, which
    /// `URLSession` takes for none.
    private func expectedLength(of response: HTTPURLResponse) -> Int {
        // A HEAD and a 304 tell the length of a body that does not come (RFC 9110, section 8.6).
        guard request.method != .head, response.statusCode != 304 else { return 0 }
        let length = response.expectedContentLength
        guard length < 0, let text = response.value(forHTTPHeaderField: "Content-Length") else {
            return max(0, Int(clamping: length))
        }
        return Int(text) == nil && text.allSatisfy(\.isNumber) ? .max : 0
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        let isTooLarge = state.withLock { state in
            guard !state.isOver else { return false }
            if state.data.count + data.count > limit { return true }
            state.data.append(data)
            return false
        }
        if isTooLarge { failAsTooLarge() }
    }

    /// Notes that a piece of the request's body has gone out.
    func sentBodyData() {
        state.withLock { $0.timing.sent = .now }
    }

    /// Ends the transfer as the session says. On Linux a redirect that leads nowhere tells its head only here.
    func complete(_ error: (any Error)?, head: URLResponse? = nil) {
        if let error { return fail(Platform.transportError(error, for: request)) }
        if let head, state.withLock({ $0.head == nil }) { receive(head) }
        let outcome = state.withLock { state -> Outcome? in
            state.timing.finished = .now
            return state.head.map { Outcome(head: $0, data: state.data, timing: state.timing) }
        }
        guard let outcome else {
            return fail(TransportError(.badResponse, "what came back is not HTTP", request: request))
        }
        finish(.success(outcome))
    }

    /// Ends the transfer with a response that its session would go on to authenticate for.
    func completeRefused(_ response: URLResponse) {
        complete(nil, head: response)
    }

    private var limit: Int { request.options.sizeLimit ?? .max }

    private func failAsTooLarge() {
        fail(TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request))
    }

    private func fail(_ error: any Error) {
        finish(.failure(error))?.cancel()
    }

    /// Completes, if nothing has yet; returns the task, to be cancelled outside of the lock.
    @discardableResult
    private func finish(_ result: Result<Outcome, any Error>) -> URLSessionTask? {
        let (continuation, task) = state.withLock { state in
            defer {
                state.isOver = true
                state.continuation = nil
                state.task = nil
                state.data = Data()
            }
            return (state.continuation, state.task)
        }
        continuation?.resume(with: result)
        return task
    }
}
