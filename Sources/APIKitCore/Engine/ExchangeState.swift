import APIKitSupport

/// What an ``Exchange`` knows, and how each event changes it.
///
/// The state neither locks nor calls closures. The exchange changes it under a lock, takes the effects of the change
/// with ``takeEffects()``, and performs them after releasing the lock.
struct ExchangeState: Sendable {
    /// The task that waits for the response.
    typealias Caller = UnsafeContinuation<Delivery, any Error>

    /// A response on its way to the caller.
    ///
    /// It is a class because each function that waits for a response, and each step that passes it on, reserves memory
    /// for a copy; a copy of a reference is one pointer.
    final class Delivered: Sendable {
        let response: HTTPResponse

        init(_ head: HTTPResponse.Head, _ body: ResponseBody, _ timing: HTTPResponse.Timing) {
            response = HTTPResponse(head: head, body: body, timing: timing)
        }
    }

    /// What the caller is resumed with.
    enum Delivery: Sendable {
        /// The response, whose body is a stream or has been received piece by piece.
        case response(Delivered)
        /// The response arrived as a whole. The caller takes it from the state with ``takeWhole()``.
        case whole
    }

    /// How far an exchange has come.
    ///
    ///     waiting ── head ──▶ collecting ┐
    ///     waiting ── head ──▶ writing ───┴─ end ──▶ complete ── last report ──▶ ended
    ///     waiting ── head ──▶ streaming ─── end ──▶ complete ── last report ──▶ ended
    ///     waiting ── whole response ──▶ ended
    ///
    /// A failure leads from any phase to `ended`, where later events are ignored. In `complete` only a cancel is a
    /// failure.
    enum Phase: Sendable {
        /// No head has arrived.
        case waiting
        /// The body is collected in memory.
        case collecting
        /// The body is written to the file as it arrives.
        case writing(TemporaryFile)
        /// The caller has received the response, and a reader takes the body as it arrives.
        case streaming
        /// The body is complete. The caller gets the response after the last progress report.
        case complete
        /// The exchange has ended. A reader may still take unread bytes.
        case ended
    }

    /// Where the body of a response goes.
    enum Destination: Sendable {
        /// Into memory. A body above the size limit is an error.
        case memory
        /// Into memory, up to a number of bytes. The transfer is stopped before the rest.
        case beginning(limit: Int)
        /// Into a file, as it arrives.
        case file(TemporaryFile)
        /// To a reader. The caller gets the stream as soon as the head has arrived.
        case stream(ByteStream)
    }

    /// Which part of the whole content a body is; not the whole if a download continues.
    struct Part: Sendable {
        /// The number of bytes before the body, which the caller has from earlier requests.
        var offset = 0
        /// The length of the whole content, nil if it is unknown.
        var total: Int?

        /// A body that counts as the whole content, of unknown length.
        static var unknown: Part { Part() }
    }

    /// Where the delivery of the result to the caller stands.
    private enum Recipient: Sendable {
        /// The caller does not wait yet, and there is no result.
        case notWaiting
        /// The caller waits for the result.
        case waiting(Caller)
        /// The caller does not wait yet, and the result is kept for it.
        case resultReady(Result<Delivery, any Error>)
        /// The caller has its result.
        case served
    }

    private(set) var phase = Phase.waiting
    private(set) var hasHead = false
    /// Whether the exchange failed before the server began to process the request.
    private(set) var isUnsent = false
    var timing = HTTPResponse.Timing()
    private var effects: [Effect] = []
    private var recipient = Recipient.notWaiting
    private var transport: Exchange.Transport?
    private var head: HTTPResponse.Head?
    /// The body, if it is collected in memory.
    private var body: LimitedBody
    /// The file with the complete body, if it was written to one, until the caller takes it.
    private var completeFile: TemporaryFile?
    /// The body, if a reader takes it as it arrives.
    private var stream: StreamedBody
    /// The trailers of a stream. They arrive after the stream has been delivered.
    private var streamTrailers: Trailers?
    private(set) var reporter: ProgressReporter?
    private var progress: TransferProgress
    /// The time since the request was queued.
    let time: Stopwatch
    private var timeout: Timeout
    /// Returns whether a client is going to replace a response with this head; see ``takeMayReplace()``.
    private var mayReplace: Call.HeadTest?

    /// Creates the state of an exchange that has not begun.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call of the request.
    ///   - runningTime: The time of the first attempt, if the request is sent again; nil for a new request.
    init(of request: HTTPRequest, in call: Call, runningTime: Stopwatch?) {
        time = runningTime ?? Stopwatch(call.clock)
        // The second attempt has the whole timeout again, but its times count from the beginning of the first one.
        let start = runningTime?.elapsed ?? .zero
        timeout = Timeout(after: request.options.effectiveTimeout, from: start)
        reporter = call.reporter
        mayReplace = call.mayReplace
        progress = TransferProgress(totalBytesToSend: request.body.map(\.length) ?? 0)
        let sizeLimit = request.options.effectiveSizeLimit
        body = LimitedBody(limit: sizeLimit)
        stream = StreamedBody(limit: sizeLimit)
    }

    var isOver: Bool {
        switch phase {
        case .waiting, .collecting, .writing, .streaming: false
        case .complete, .ended: true
        }
    }

    var canPause: Bool { transport?.resume != nil }
    var isPaused: Bool { stream.shouldPause && !isOver }

    /// Takes the effects of the events since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { if !effects.isEmpty { effects = [] } }
        return effects
    }

    // MARK: - The caller and the engine

    /// Resumes the caller with the result if there is one, or keeps the caller until there is.
    mutating func wait(_ caller: Caller) {
        if case .resultReady(let result) = recipient {
            recipient = .served
            effects.append(.resumeCaller(caller, result))
        } else {
            recipient = .waiting(caller)
        }
    }

    /// Registers the engine's side.
    ///
    /// - Returns: Whether the engine is to send the request; false if the exchange is over, for example because it was
    ///   cancelled first.
    mutating func begin(_ transport: Exchange.Transport) -> Bool {
        guard !isOver else { return false }
        self.transport = transport
        return true
    }

    /// Resumes the caller with the result, or keeps the result until the caller waits.
    ///
    /// An exchange has one result. With a stream it has two: first the response, and later how the exchange ended. The
    /// second one is for the stream's reader, so the caller does not get it.
    private mutating func deliver(_ result: Result<Delivery, any Error>) {
        switch recipient {
        case .notWaiting:
            // The first result comes before the caller waits for it.
            recipient = .resultReady(result)
        case .waiting(let caller):
            // The first result, for which the caller waits.
            recipient = .served
            effects.append(.resumeCaller(caller, result))
        case .resultReady(.success(let stream)):
            // The second result of a stream that the caller has not taken yet. The caller still gets the stream, unless
            // it was cancelled meanwhile.
            if case .failure(let cancel as CancellationError) = result {
                replaceUntaken(stream, by: cancel)
            }
        case .served:
            // The second result of a stream that the caller has taken.
            break
        case .resultReady(.failure):
            // The exchange has ended with that failure.
            break
        }
    }

    /// Gives the caller its cancel in place of a stream that it has not taken yet, and releases the stream. A stream
    /// that is never read would keep the exchange alive.
    private mutating func replaceUntaken(_ stream: Delivery, by cancel: CancellationError) {
        recipient = .resultReady(.failure(cancel))
        effects.append(.release(stream))
    }

    /// Takes the closure that returns whether a client is going to replace a response with this head; nil if no client
    /// decides, or if it was taken before.
    ///
    /// It is taken even if it is not called, since it may keep a client alive.
    mutating func takeMayReplace() -> Call.HeadTest? {
        mayReplace.take()
    }

    // MARK: - Events

    /// Notes how many bytes of the request's body have been sent so far.
    mutating func sent(total: Int) {
        guard !isOver else { return }
        let now = time.elapsed
        timeout.restart(at: now)
        timing.sent = now
        progress.bytesSent = min(total, progress.totalBytesToSend ?? .max)
        report()
    }

    /// Stores the head, and begins to receive the body. A stream is delivered now; any other body when it is complete.
    /// A second head is ignored.
    mutating func receive(_ head: HTTPResponse.Head, into destination: Destination, _ part: Part) {
        guard case .waiting = phase else { return }
        self.head = head
        hasHead = true
        noteFirstByte()
        // If a download continues, earlier requests have received the bytes before this part.
        progress.bytesReceived = part.offset
        progress.totalBytesToReceive = part.total
        report()
        beginBody(of: head, into: destination)
    }

    /// Notes that the first bytes of the response arrive now.
    private mutating func noteFirstByte() {
        let now = time.elapsed
        timeout.restart(at: now)
        timing.firstByte = now
    }

    /// Enters the phase in which the body is received. A stream is delivered to the caller.
    private mutating func beginBody(of head: HTTPResponse.Head, into destination: Destination) {
        switch destination {
        case .memory:
            phase = .collecting
        case .beginning(let limit):
            phase = .collecting
            body.wantOnlyBeginning(of: limit)
        case .file(let file):
            phase = .writing(file)
        case .stream(let stream):
            phase = .streaming
            streamTrailers = stream.ownTrailers
            let response = Delivered(head, ResponseBody(stream), timing)
            deliver(.success(.response(response)))
        }
    }

    /// Stores a piece of the body where the body goes. If the piece is accepted, it restarts the timeout and is
    /// counted.
    mutating func receive(_ piece: Data) -> Receipt {
        let receipt = store(piece)
        switch receipt {
        case .ignored, .tooLarge, .tooManyUnread:
            break
        case .stored, .write, .beginningComplete:
            restartTimeout()
            // If a download continues, the count includes what earlier requests have received. On 32-bit platforms it
            // may pass `Int.max`, which is 2 GB.
            progress.bytesReceived.addClamping(piece.count)
            report()
        }
        return receipt
    }

    /// Stores a piece of the body, unless it goes to a file.
    private mutating func store(_ piece: Data) -> Receipt {
        // A compressed piece may decode to nothing. It does not count as an event that restarts the timeout: a server
        // that sends only such pieces makes no progress.
        if piece.isEmpty { return .ignored }
        switch phase {
        case .waiting, .complete, .ended:
            return .ignored
        case .collecting:
            return collect(piece)
        case .writing(let file):
            return .write(file)
        case .streaming:
            return enqueue(piece)
        }
    }

    /// Appends a piece to the body in memory, as far as the size limit allows.
    private mutating func collect(_ piece: Data) -> Receipt {
        switch body.append(piece, of: progress.totalBytesToReceive) {
        case .added: .stored
        case .cutOff: .beginningComplete
        case .refused: .tooLarge
        }
    }

    /// Resumes the reader with a piece, or keeps the piece until the reader takes it.
    private mutating func enqueue(_ piece: Data) -> Receipt {
        switch stream.add(piece, canPause: canPause) {
        case .resumesReader(let reader):
            effects.append(.resumeReader(reader, .success(piece)))
            return .stored
        case .kept:
            return .stored
        case .refused:
            return .tooManyUnread
        }
    }

    /// Completes the body, and ends the exchange: after the last report if progress is reported, and otherwise now.
    ///
    /// - Returns: Whether the end was accepted. It is not if no head has arrived, since there is no response then.
    mutating func finish(_ trailers: HTTPHeaders = [:]) -> EndReceipt {
        if isOver { return .accepted }
        guard let head else { return .missingHead }
        timing.finished = time.elapsed
        // The last report states the length of the body, even if the head did not announce it.
        progress.totalBytesToReceive = progress.bytesReceived
        streamTrailers?.receive(trailers)
        // The caller of a stream has its response already. For it, this one only means that the body is complete.
        let response = Delivered(head, completeBody(trailers), timing)
        if case .writing(let file) = phase { completeFile = file }
        releaseTransfer()
        phase = .complete
        if let reporter = reporter.take() {
            effects.append(.reportLast(progress, to: reporter, then: response))
        } else {
            complete(response)
        }
        return .accepted
    }

    /// Ends the exchange with a response that is delivered as data, in one step instead of the events of its head, body
    /// and end. The response stays in the state until the caller takes it with ``takeWhole()``.
    ///
    /// Nothing happens if a head was reported before or the exchange has ended, or if the single events are needed:
    /// for reports of the caller's progress, or for a client that decides by the head whether it replaces the response.
    ///
    /// - Returns: The caller to resume, if it waits already, and the transport to release; or that the single events
    ///   are needed.
    mutating func receive(_ head: HTTPResponse.Head, whole body: Data) -> WholeReceipt {
        let isObserved = reporter != nil || mayReplace != nil
        guard case .waiting = phase, !isObserved else { return .needsSingleEvents }
        phase = .ended
        self.head = head
        hasHead = true
        let now = time.elapsed
        timing.firstByte = now
        timing.finished = now
        self.body.set(whole: body)
        let transport = transport.take()
        if case .waiting(let caller) = recipient {
            recipient = .served
            return .stored(caller, transport)
        } else {
            // The caller does not wait yet. It then takes the response as if it had waited.
            recipient = .resultReady(.success(.whole))
            return .stored(nil, transport)
        }
    }

    /// Takes a response that has arrived as a whole, once; nil if there is none.
    ///
    /// The caller's thread creates it here from its parts. If the engine's thread created a ``Delivered``, the caller's
    /// thread would free it, and the two threads would contend for the allocator.
    mutating func takeWhole() -> HTTPResponse? {
        guard let head = head.take() else { return nil }
        defer { body.removeAll() }
        return HTTPResponse(head: head, body: ResponseBody(body.data), timing: timing)
    }

    /// The body that was written to a file or collected in memory, or only its beginning if the rest is not needed. A
    /// beginning has no trailers, since these come after the rest.
    private func completeBody(_ trailers: HTTPHeaders) -> ResponseBody {
        if case .writing(let file) = phase {
            return ResponseBody(file.ownedFile, trailers: trailers)
        }
        if body.isCutOff {
            return ResponseBody(beginning: body.data)
        }
        return ResponseBody(body.data, trailers: trailers)
    }

    /// Stops the transfer, and completes the response with the bytes that have arrived.
    mutating func stopAfterBeginning() {
        if !isOver, let transport { effects.append(.stop(transport)) }
        // A body has arrived, so there is a head.
        _ = finish()
    }

    /// Delivers the response after the last progress report, unless a cancel came first.
    mutating func complete(_ response: Delivered) {
        if case .complete = phase { end(.success(.response(response))) }
    }

    /// Takes the file that the body was written to, once.
    mutating func takeFile() -> TemporaryFile? {
        completeFile.take()
    }

    /// Ends the exchange with an error, and stops the transfer. An exchange that has ended ignores this, and one whose
    /// body is complete ignores any error but a cancel.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isUnsent: Whether the server cannot have begun to process the request.
    mutating func fail(_ error: any Error, isUnsent: Bool) {
        switch phase {
        case .waiting, .collecting, .writing, .streaming:
            self.isUnsent = isUnsent
            if let transport { effects.append(.stop(transport)) }
        case .complete:
            // The response is complete and only waits for the last report. A cancel does not wait for that, since the
            // caller's progress handler may take any time.
            guard error is CancellationError else { return }
        case .ended:
            return
        }
        releaseTransfer()
        releaseFileAndReporter()
        end(.failure(error))
    }

    /// Releases the file that the body was written to, and the progress reporter. An exchange that fails needs neither.
    ///
    /// Both are released outside of the lock: a released file is deleted, and the reporter's closure may hold the last
    /// references to objects of the caller.
    private mutating func releaseFileAndReporter() {
        if case .writing(let file) = phase { effects.append(.release(file)) }
        if let completeFile = completeFile.take() { effects.append(.release(completeFile)) }
        if let reporter = reporter.take() { effects.append(.release(reporter)) }
    }

    /// Ends the exchange, and resumes every task that waits for it: the caller, the reader of a stream, and the feeder
    /// (the task of a client that produces the body and waits until a reader wants the next piece).
    private mutating func end(_ result: Result<Delivery, any Error>) {
        phase = .ended
        let endOfStream: StreamedBody.ReadResult
        switch result {
        case .success: endOfStream = .success(nil)
        case .failure(let error): endOfStream = .failure(error)
        }
        switch stream.end(with: endOfStream) {
        case .nobody: break
        case .reader(let reader): effects.append(.resumeReader(reader, endOfStream))
        case .feeder(let feeder): effects.append(.resumeFeeder(feeder))
        }
        deliver(result)
    }

    /// Releases what only a running transfer needs: the head and the body, which are delivered apart from the state,
    /// and the engine's closures.
    private mutating func releaseTransfer() {
        head = nil
        mayReplace = nil
        body.removeAll()
        if let transport = transport.take() { effects.append(.release(transport)) }
    }

    private mutating func report() {
        if let reporter { effects.append(.report(progress, to: reporter)) }
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

    // MARK: - The reader

    /// Takes all unread bytes of a stream as one piece. If the engine had paused because of them, makes it resume.
    ///
    /// - Returns: The bytes or, after the last of them, how the stream ended.
    mutating func takePiece() -> StreamedBody.ReadAttempt {
        let taken = stream.take()
        if taken.endsPause {
            // The time of the pause does not count, since the reader was slow and not the server.
            restartTimeout()
            if let transport { effects.append(.unpause(transport)) }
        }
        return taken.attempt
    }

    /// Takes the unread bytes of a stream. If nothing has arrived, keeps the reader, which the next piece or the end of
    /// the stream resumes.
    ///
    /// - Returns: The same as ``takePiece()``, where `nothingYet` means that the reader was kept.
    mutating func takePiece(orKeep reader: StreamedBody.Reader) -> StreamedBody.ReadAttempt {
        let attempt = takePiece()
        if case .nothingYet = attempt, let feeder = stream.keep(reader) {
            effects.append(.resumeFeeder(feeder))
        }
        return attempt
    }

    /// Keeps a feeder until the reader of a stream wants a piece. Without a stream, or with a reader that waits, the
    /// feeder is resumed at once.
    mutating func wait(_ feeder: StreamedBody.Feeder) {
        if case .streaming = phase, stream.keep(feeder) { return }
        effects.append(.resumeFeeder(feeder))
    }
}
