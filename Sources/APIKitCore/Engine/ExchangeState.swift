import APIKitSupport

/// What an ``Exchange`` knows, and how each event changes it.
///
/// The state neither locks nor calls closures. The exchange changes it under a lock, takes the effects of the change
/// with ``takeEffects()``, and performs them after releasing the lock.
struct ExchangeState: Sendable {
    /// How far an exchange has come. Each phase has what exists in it.
    ///
    ///     waiting ── head ──▶ receiving ── end ──▶ complete ── last report ──▶ ended
    ///
    /// A failure leads from any phase to `ended`, where later events are ignored. In `complete` only a cancel is a
    /// failure. If no progress is reported, the exchange passes from `receiving` to `ended` in one step.
    enum Phase: Sendable {
        /// No head has arrived.
        case waiting(Sending)
        /// The head has arrived, and the body is arriving. The caller may take the response if its body is a stream.
        case receiving(Response, from: Exchange.Transport?)
        /// The body is complete. The caller may take the response after the last progress report; a stream at any time.
        case complete(Response)
        /// The exchange has ended.
        case ended(Ending)
    }

    /// What exists until the head arrives.
    struct Sending: Sendable {
        /// The engine's side, nil before the engine has begun.
        var transport: Exchange.Transport?
        /// Returns whether a client is going to replace a response with this head; nil if no client decides, or if the
        /// closure was taken.
        var mayReplace: Call.HeadTest?
    }

    /// How an exchange has ended.
    enum Ending: Sendable {
        /// It failed before a head. `isUnsent` says whether the server cannot have begun to process the request.
        case unanswered(any Error, isUnsent: Bool)
        /// It failed within the body, and the caller gets the error.
        case incomplete(any Error)
        /// There is a response. If its body is a stream, a reader takes the unread bytes, and then learns how it ended.
        case response(Response)
        /// The caller has taken the response, which was complete.
        case taken
    }

    /// The task that waits for the response.
    enum Caller: Sendable {
        /// What the task is resumed with: that it can take the response, or why there is none.
        ///
        /// The response itself is not part of the result, so that each function that waits for it needs no memory for
        /// a copy.
        typealias Continuation = UnsafeContinuation<Void, any Error>

        case notWaiting
        case waiting(Continuation)
        case resumed
    }

    var phase: Phase
    var caller = Caller.notWaiting
    var effects: [Effect] = []
    /// The times of each step so far.
    var timing = HTTPResponse.Timing()
    /// Reports the progress until the exchange ends; nil if nobody asked for it.
    var reporter: ProgressReporter?
    var progress: TransferProgress
    /// The time since the request was queued.
    let time: Stopwatch
    var timeout: Timeout
    /// The request, for errors.
    let request: HTTPRequest

    /// Creates the state of an exchange that has not begun.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call of the request.
    ///   - runningTime: The time of the first attempt, if the request is sent again; nil for a new request.
    init(of request: HTTPRequest, in call: Call, runningTime: Stopwatch?) {
        self.request = request
        phase = .waiting(Sending(transport: nil, mayReplace: call.mayReplace))
        time = runningTime ?? Stopwatch(call.clock)
        // The second attempt has the whole timeout again, but its times count from the beginning of the first one.
        let start = runningTime?.elapsed ?? .zero
        timeout = Timeout(after: request.options.effectiveTimeout, from: start)
        reporter = call.reporter
        progress = TransferProgress(totalBytesToSend: request.body.map(\.length) ?? 0)
    }

    /// Whether the response is complete, or the exchange has failed.
    var isOver: Bool {
        switch phase {
        case .waiting, .receiving: false
        case .complete, .ended: true
        }
    }

    /// Whether the head of the response has arrived.
    var hasHead: Bool {
        switch phase {
        case .waiting, .ended(.unanswered): false
        case .receiving, .complete, .ended: true
        }
    }

    /// Whether the engine should pause, because enough bytes wait for the reader of a stream.
    var isPaused: Bool {
        guard case .receiving(let response, _) = phase, case .stream(let stream) = response.body else { return false }
        return stream.shouldPause
    }

    /// Takes the effects of the events since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { if !effects.isEmpty { effects = [] } }
        return effects
    }

    // MARK: - The caller

    /// Resumes the caller with the result if there is one, or keeps the caller until there is.
    mutating func wait(_ continuation: Caller.Continuation) {
        caller = .waiting(continuation)
        resumeCallerWithResult()
    }

    /// Resumes the caller if it waits and there is a result. Called after each change of the phase.
    mutating func resumeCallerWithResult() {
        guard case .waiting(let continuation) = caller, let result else { return }
        caller = .resumed
        effects.append(.resumeCaller(continuation, result))
    }

    /// What the caller is resumed with; nil as long as it has to wait.
    private var result: Result<Void, any Error>? {
        switch phase {
        case .waiting: nil
        case .receiving(let response, _), .complete(let response): response.isStream ? .success(()) : nil
        case .ended(.response), .ended(.taken): .success(())
        case .ended(.unanswered(let error, _)), .ended(.incomplete(let error)): .failure(error)
        }
    }

    /// Takes the response, after the caller was resumed successfully; nil if it was taken before.
    ///
    /// The caller's thread calls this and creates the response from its parts. If the engine's thread created it, the
    /// caller's thread would free what the engine's thread has allocated, and the two would contend for the allocator.
    mutating func takeResponse() -> Delivery? {
        switch phase {
        case .receiving(let response, _), .complete(let response):
            return response.isStream ? Delivery(of: response, timing) : nil
        case .ended(.response(let response)):
            // The state keeps a stream for its reader.
            if !response.isStream { phase = .ended(.taken) }
            return Delivery(of: response, timing)
        case .waiting, .ended:
            return nil
        }
    }

    // MARK: - The timeout

    /// Counts the timeout from now on, because an event has happened.
    mutating func restartTimeout() {
        timeout.restart(at: time.elapsed)
    }

    /// Returns the time left until the timeout, zero or less after it; see ``Timeout/check(at:isPaused:)``.
    mutating func checkTimeout() -> Duration {
        timeout.check(at: time.elapsed, isPaused: isPaused)
    }
}
