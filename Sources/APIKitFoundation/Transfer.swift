/// One request on its way through a session: takes what arrives to where it is wanted, and completes once, whatever
/// comes first of the end, an error and a cancel.
final class Transfer: Sendable {
    /// What the caller gets; made into a response by whoever waits, not on the session's queue.
    struct Outcome: Sendable {
        var head: HTTPURLResponse
        var body: ResponseBody
        /// The file that the body was written to, if it was.
        var file: TemporaryFile?
        var timing: HTTPResponse.Timing
    }

    /// Where the body goes.
    private enum Destination: Sendable {
        case data
        case file(TemporaryFile)
        /// The caller has its outcome already, and reads.
        case stream(ChunkQueue)
    }

    private struct State: Sendable {
        var continuation: CheckedContinuation<Outcome, any Error>?
        var task: URLSessionTask?
        /// The place among a host's connections, held until the transfer is over.
        var place: (any Sendable)?
        var isOver = false
        var head: HTTPURLResponse?
        var destination = Destination.data
        var data = Data()
        var progress = TransferProgress()
        /// Nil without anybody to tell, and once it is over: a body that is kept must not keep the caller's closure.
        var reporter: ProgressReporter?
        var timing = HTTPResponse.Timing()
        /// Whether the session's delegate has refused the server's certificate, or to show one of its own.
        var isTrustRefused = false

        func outcome(with head: HTTPURLResponse) -> Outcome {
            guard case .file(let file) = destination else {
                return Outcome(head: head, body: ResponseBody(data), timing: timing)
            }
            return Outcome(head: head, body: ResponseBody(file), file: file, timing: timing)
        }
    }

    let attempt: Attempt
    private let upload: UploadBody?
    private let state = Locked(State())

    /// Creates a transfer that sends the request's body in this way.
    init(for attempt: Attempt, upload: UploadBody? = nil, reporter: ProgressReporter? = nil) {
        self.attempt = attempt
        self.upload = upload
        state.withLock { state in
            state.reporter = reporter
            state.progress.totalBytesToSend = upload?.length ?? 0
            state.timing.queued = attempt.queued
        }
    }

    var request: HTTPRequest { attempt.request }

    // MARK: - The caller's side

    /// Whether the head of a response has arrived.
    var hasResponse: Bool { state.withLock { $0.head != nil } }

    /// Creates the task and resumes it, unless a cancel came first. A test has something happen in between.
    func start(
        over route: Route, _ continuation: CheckedContinuation<Outcome, any Error>,
        beforeResuming: () -> Void = {}
    ) {
        let isCancelled = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        let task = makeTask(URLRequest(head: request), on: route.session)
        let delegate = route.session.delegate as? APISessionDelegate
        delegate?.register(self, for: task)
        beforeResuming()
        let isCancelledMeanwhile = state.withLock { state in
            if !state.isOver { (state.task, state.place) = (task, route.place) }
            state.timing.sent = .now
            return state.isOver
        }
        guard !isCancelledMeanwhile else {
            // A task that is never resumed may never report its end.
            delegate?.unregister(task)
            return Platform.cancel(task)
        }
        task.resume()
    }

    /// Ends the transfer as cancelled, at once: the session's own end of it may come later and is not waited for.
    func cancel() {
        fail(CancellationError())
        // A result may be waiting for the last report to return, which can take any time.
        deliver(.failure(CancellationError()))
    }

    private func makeTask(_ urlRequest: URLRequest, on session: URLSession) -> URLSessionTask {
        if session.delegate is APISessionDelegate {
            return Platform.makeTask(with: urlRequest, sending: upload, for: self, on: session, completion: nil)
        }
        let task = Platform.makeTask(with: urlRequest, sending: upload, for: self, on: session) {
            (data, response, error) in
            if let response { self.receive(response) }
            if let data { self.receive(data) }
            if error == nil { self.sentBodyData(total: Int64(self.upload?.length ?? 0)) }
            self.complete(error)
        }
        task.delegate = ExternalSessionDelegate(transfer: self)
        return task
    }

    // MARK: - The session's side

    /// Opens the request's body anew, where it is sent a second time.
    func reopenBody() -> InputStream? {
        upload.flatMap { Platform.openBody($0, for: self) }
    }

    /// Runs `work`, which must not wait, unless the transfer is over; a cancel comes before it or after it.
    func unlessOver(_ work: () -> Void) {
        state.withLock { if !$0.isOver { work() } }
    }

    /// Takes the head of a response. Informational ones (RFC 9110, section 15.2) come here too, on Linux.
    func receive(_ response: URLResponse) {
        // A stream that is being read has its head; another may come of a body in parts, on Apple's platforms.
        guard let response = response as? HTTPURLResponse, !isStreaming else { return }
        guard response.statusCode >= 200 else { return checkTimeout() }
        let length: Int?
        do throws(TransportError) {
            length = try response.announcedLength(for: request)
        } catch {
            return fail(error)
        }
        let coding = response.value(forHTTPHeaderField: "Content-Encoding") ?? ""
        guard length == 0 || Platform.decodes(coding) else {
            let message = "the body is encoded as \(coding), which URLSession cannot decode"
            return fail(TransportError(.badResponse, message, request: request))
        }
        let destination: Destination
        switch delivery(of: response) {
        case .stream:
            destination = .stream(ChunkQueue(limit: limit))
        case .file:
            do throws(FileError) {
                destination = .file(try TemporaryFile())
            } catch {
                return failAsUnwritable(error)
            }
        default:
            if let length, length > limit { return failAsTooLarge() }
            destination = .data
        }
        let isOver = state.withLock { state in
            state.head = response
            state.data = Data()
            // Only so far is a length believed before the bytes are there.
            if case .data = destination { state.data.reserveCapacity(min(length ?? 0, 64 << 20)) }
            state.timing.firstByte = .now
            state.destination = destination
            // What is decompressed has another length than was told.
            let isCompressed = !["", "identity"].contains(coding)
            state.progress.totalBytesToReceive = isCompressed ? nil : length
            return state.isOver
        }
        if !isOver, case .stream(let chunks) = destination { deliver(chunks, response) }
    }

    /// Ends the transfer if its final response has not come within the timeout, which informational ones put off.
    private func checkTimeout() {
        let sent = state.withLock { $0.timing.sent } ?? .now
        guard sent.duration(to: .now) > request.options.timeout else { return }
        fail(TransportError(.timedOut, "no data received for \(request.options.timeout)", request: request))
    }

    private var isStreaming: Bool {
        state.withLock { if case .stream = $0.destination { true } else { false } }
    }

    private func delivery(of response: HTTPURLResponse) -> ResponseBody.Delivery {
        guard request.delivery != .data else { return .data }
        return request.delivery(of: HTTPResponse.Head(response, url: response.url ?? request.url))
    }

    /// Lets the caller read while the body arrives.
    private func deliver(_ chunks: ChunkQueue, _ response: HTTPURLResponse) {
        let (continuation, timing) = state.withLock { ($0.continuation.take(), $0.timing) }
        let bytes = ByteStream(readingOnce: TransferBytes(of: self, in: chunks))
        continuation?.resume(returning: Outcome(head: response, body: ResponseBody(bytes), timing: timing))
    }

    /// Takes a piece of the body.
    func receive(_ data: Data) {
        let (destination, isTooLarge) = state.withLock { state -> (Destination, Bool) in
            guard !state.isOver else { return (.data, false) }
            state.progress.bytesReceived += data.count
            guard case .data = state.destination else { return (state.destination, false) }
            if data.count > limit - state.data.count { return (.data, true) }
            state.data.append(data)
            return (.data, false)
        }
        switch destination {
        case .data:
            if isTooLarge { return failAsTooLarge() }
        case .file(let file):
            do throws(FileError) {
                try file.write(data)
            } catch {
                return failAsUnwritable(error)
            }
        case .stream(let chunks):
            if !chunks.append(data) { return failSlowReader() }
        }
        report()
    }

    /// Notes how much of the request's body has gone out.
    func sentBodyData(total: Int64) {
        state.withLock { state in
            state.timing.sent = .now
            state.progress.bytesSent = min(Int(clamping: total), state.progress.totalBytesToSend ?? .max)
        }
        report()
    }

    /// Tells how far it has come, as long as it is not over.
    private func report() {
        let (reporter, progress) = state.withLock { ($0.reporter, $0.progress) }
        reporter?.report(progress)
    }

    /// Ends the transfer as the session says. On Linux a redirect that leads nowhere tells its head only here.
    func complete(_ error: (any Error)?, head: URLResponse? = nil) {
        if let error {
            let isTrustRefused = state.withLock { $0.isTrustRefused }
            return fail(Platform.transportError(error, for: request, isTrustRefused: isTrustRefused))
        }
        if let head, state.withLock({ $0.head == nil }) { receive(head) }
        let outcome = state.withLock { state -> Outcome? in
            state.timing.finished = .now
            state.progress.totalBytesToReceive = state.progress.bytesReceived
            return state.head.map(state.outcome)
        }
        guard let outcome else {
            return fail(TransportError(.badResponse, "what came back is not HTTP", request: request))
        }
        report()
        finish(.success(outcome))
    }

    /// Notes that the session's delegate does not trust the server; all that the session says then is "cancelled".
    func noteRefusedTrust() {
        state.withLock { $0.isTrustRefused = true }
    }

    /// Ends the transfer so that the request is sent again with a credential; false if it must not be: the caller has
    /// begun to read this response, or too many credentials were refused.
    func sendAgain(with credential: URLCredential) -> Bool {
        guard !isStreaming, attempt.allowsCredential else { return false }
        fail(Attempt.NeedsCredential(credential))
        return true
    }

    /// Ends the transfer with a response that its session would go on to authenticate for.
    func completeRefused(_ response: URLResponse) {
        complete(nil, head: response)
    }

    // MARK: - The end

    private var limit: Int { request.options.sizeLimit ?? .max }

    private func failAsTooLarge() {
        fail(TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request))
    }

    private func failSlowReader() {
        let message = "the reader of the stream is slower than the server: more than \(limit) bytes wait for it"
        fail(TransportError(.bodyTooLarge, message, request: request))
    }

    private func failAsUnwritable(_ error: FileError) {
        fail(TransportError(.other, request: request, underlying: error))
    }

    /// Ends the transfer because the file of its body does not hold what it did.
    func failAsUnreadable(_ file: URL) {
        let message = "the file \(file.path) became shorter, or cannot be read, while it was sent"
        fail(TransportError(.requestBodyFailed, message, request: request))
    }

    private func fail(_ error: any Error) {
        if let task = finish(.failure(error)) { Platform.cancel(task) }
    }

    /// Completes the transfer once; returns the task, to be cancelled outside of the lock.
    @discardableResult
    private func finish(_ result: Result<Outcome, any Error>) -> URLSessionTask? {
        let (wasOver, reporter, task, place) = state.withLock { state in
            defer {
                state.place = nil
                state.isOver = true
                state.reporter = nil
                state.task = nil
                state.data = Data()
                if case .file = state.destination { state.destination = .data }
            }
            return (state.isOver, state.reporter, state.task, state.place)
        }
        _ = place  // given up here, outside of the lock
        guard !wasOver else { return nil }
        // After the last report; failures are delivered immediately.
        if let reporter, case .success = result {
            reporter.afterwards { self.deliver(result) }
        } else {
            deliver(result)
        }
        return task
    }

    /// Delivers the result to the caller or the reader of a stream, if either still waits.
    private func deliver(_ result: Result<Outcome, any Error>) {
        let (caller, destination) = state.withLock { state in
            defer { state.destination = .data }
            return (state.continuation.take(), state.destination)
        }
        if case .stream(let chunks) = destination { chunks.finish(result.map { _ in }) }
        caller?.resume(with: result)
    }
}
