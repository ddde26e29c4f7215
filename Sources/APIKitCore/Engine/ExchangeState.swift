/// What an ``Exchange`` knows, and how each event changes it.
///
/// The state neither locks nor calls closures. The exchange changes it under a lock, takes the effects of the change
/// with ``takeEffects()``, and performs them after releasing the lock.
struct ExchangeState: Sendable {
    /// The task that waits for the response.
    typealias Caller = UnsafeContinuation<Delivery, any Error>
    /// The task that waits for the next piece of a stream.
    typealias Reader = CheckedContinuation<Data?, any Error>
    /// What a reader is resumed with: the next piece, nil at the end of the stream, or the error that ended the stream.
    typealias ReadResult = Result<Data?, any Error>
    /// The task of a client that produces the body itself, such as a stub, and waits until a reader wants the next
    /// piece.
    typealias Feeder = CheckedContinuation<Void, Never>

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
        /// The body is written to a file as it arrives.
        case writing
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
        /// There is no result, and the caller does not wait yet.
        case expected
        /// The caller waits for the result.
        case waiting(Caller)
        /// The result came before the caller waited, and is kept for it.
        case late(Result<Delivery, any Error>)
        /// The caller has its result.
        case served
    }

    /// What the exchange does, after releasing the lock, as a consequence of an event.
    enum Effect: Sendable {
        /// Resumes the caller with the result.
        case resumeCaller(Caller, Result<Delivery, any Error>)
        /// Resumes the reader with the next piece or the end of the stream.
        case resumeReader(Reader, ReadResult)
        /// Resumes the feeder, which then produces the next piece or notices the end of the exchange.
        case resumeFeeder(Feeder)
        /// Reports progress.
        case report(TransferProgress, to: ProgressReporter)
        /// Reports the last progress, and completes the exchange when that has been reported.
        case reportLast(TransferProgress, to: ProgressReporter, then: Delivered)
        /// Has the engine stop the transfer.
        case stop(Exchange.Transport)
        /// Has the engine resume the transfer.
        case unpause(Exchange.Transport)
        /// Releases a value. The effect holds the last reference to it, so that its deinitializer, which may call the
        /// exchange, runs outside of the lock.
        case release(any Sendable)
    }

    /// What the exchange has to do with a piece of the body.
    enum Receipt: Sendable {
        /// Nothing: the state has stored the piece.
        case stored
        /// Nothing: the piece is ignored, because it is empty or not expected.
        case ignored
        /// The piece is to be written to the file.
        case write(TemporaryFile)
        /// The wanted beginning of the body is complete, and the transfer is to be stopped.
        case beginningComplete
        /// The body exceeds the size limit, and the exchange fails.
        case tooLarge
        /// More bytes wait for the reader of a stream than are allowed, because the engine cannot pause or has not
        /// paused when it should. The exchange fails.
        case tooManyUnread
    }

    /// What the exchange has to do at the end of the body.
    enum EndReceipt: Sendable {
        /// Nothing: the body is complete, or the exchange was over before.
        case accepted
        /// No head has arrived, so there is no response. The exchange fails.
        case missingHead
    }

    /// What the exchange has to do with a response that has arrived as a whole.
    enum WholeReceipt: Sendable {
        /// The response is stored. The caller is resumed; it is nil if it does not wait yet.
        ///
        /// The receipt holds the last reference to the transport, so that its deinitializer, which may call the
        /// exchange, runs outside of the lock.
        case stored(Caller?, Exchange.Transport?)
        /// Nothing is stored. The head, the body and the end are to be reported one by one.
        case needsSingleEvents
    }

    /// What a reader finds when it asks for the next piece of a stream.
    enum ReadAttempt: Sendable {
        /// A piece, or the end of the stream.
        case result(ReadResult)
        /// Nothing yet: neither a piece nor the end of the stream has arrived.
        case nothingYet
    }

    private(set) var phase = Phase.waiting
    private(set) var hasHead = false
    /// Whether the exchange failed before the server began to process the request.
    private(set) var isUnsent = false
    var timing = HTTPResponse.Timing()
    private var effects: [Effect] = []
    private var recipient = Recipient.expected
    private var transport: Exchange.Transport?
    private var head: HTTPResponse.Head?
    private var body = CollectedBody()
    /// Whether only the beginning of the body is wanted, whose length is then ``sizeLimit``.
    private var wantsOnlyBeginning = false
    /// Whether the body was longer than the wanted beginning.
    private var isCutOff = false
    private var file: TemporaryFile?
    /// The trailers of a stream. They arrive after the stream has been delivered.
    private var streamTrailers: Trailers?
    private var unread: UnreadBytes
    private var reader: Reader?
    /// The task that waits until the reader wants the next piece.
    private var feeder: Feeder?
    /// How a stream ended, for a reader that first takes the unread bytes; nil while it has not ended.
    private var endOfStream: ReadResult?
    private(set) var reporter: ProgressReporter?
    private var progress: TransferProgress
    /// The time since the request was queued.
    let time: Stopwatch
    private var timeout: Timeout
    private var sizeLimit: Int
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
        sizeLimit = request.options.effectiveSizeLimit
        unread = UnreadBytes(limit: sizeLimit)
    }

    var isOver: Bool {
        switch phase {
        case .waiting, .collecting, .writing, .streaming: false
        case .complete, .ended: true
        }
    }

    var canPause: Bool { transport?.resume != nil }
    var isPaused: Bool { unread.isPaused && !isOver }

    /// Takes the effects of the events since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { if !effects.isEmpty { effects = [] } }
        return effects
    }

    // MARK: - The caller and the engine

    /// Gives the result to the caller, or keeps the caller until there is a result.
    mutating func wait(_ caller: Caller) {
        if case .late(let result) = recipient {
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
        case .expected:
            // The first result comes before the caller waits for it.
            recipient = .late(result)
        case .waiting(let caller):
            // The first result, for which the caller waits.
            recipient = .served
            effects.append(.resumeCaller(caller, result))
        case .late(.success(let stream)):
            // The second result of a stream that the caller has not taken yet. The caller still gets the stream, unless
            // it was cancelled meanwhile.
            if case .failure(let cancel as CancellationError) = result {
                replaceUntaken(stream, by: cancel)
            }
        case .served:
            // The second result of a stream that the caller has taken.
            break
        case .late(.failure):
            // The exchange has ended with that failure.
            break
        }
    }

    /// Gives the caller its cancel in place of a stream that it has not taken yet, and releases the stream. A stream
    /// that is never read would keep the exchange alive.
    private mutating func replaceUntaken(_ stream: Delivery, by cancel: CancellationError) {
        recipient = .late(.failure(cancel))
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
            // From now on, the end of the wanted part is the limit.
            wantsOnlyBeginning = true
            sizeLimit = min(sizeLimit, limit)
        case .file(let file):
            phase = .writing
            self.file = file
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
        case .writing:
            // Never nil: this phase begins with a file, which stays here until the exchange has ended.
            guard let file else { return .ignored }
            return .write(file)
        case .streaming:
            return enqueue(piece) ? .stored : .tooManyUnread
        }
    }

    /// Appends a piece to the body in memory, as far as the size limit allows.
    private mutating func collect(_ piece: Data) -> Receipt {
        let announced = progress.totalBytesToReceive
        let room = max(0, sizeLimit - body.data.count)
        if piece.count <= room {
            body.append(piece, of: announced)
            return .stored
        }
        guard wantsOnlyBeginning else { return .tooLarge }
        body.append(piece.prefix(room), of: announced)
        isCutOff = true
        return .beginningComplete
    }

    /// Completes the body. If progress is reported, the exchange ends after the last report; otherwise it ends now.
    mutating func finish(_ trailers: HTTPHeaders = [:]) -> EndReceipt {
        if isOver { return .accepted }
        guard let head else { return .missingHead }
        timing.finished = time.elapsed
        // The last report states the length of the body, even if the head did not announce it.
        progress.totalBytesToReceive = progress.bytesReceived
        streamTrailers?.receive(trailers)
        // The caller of a stream has its response already. For it, this one only means that the body is complete.
        let response = Delivered(head, collectedBody(trailers), timing)
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
    /// Nothing happens if a head was reported before or the exchange has ended, or if the caller or a client observes
    /// the single events: the caller by its progress, a client by the head.
    mutating func receive(_ head: HTTPResponse.Head, whole body: Data) -> WholeReceipt {
        let isObserved = reporter != nil || mayReplace != nil
        guard case .waiting = phase, !isObserved else { return .needsSingleEvents }
        phase = .ended
        self.head = head
        hasHead = true
        let now = time.elapsed
        timing.firstByte = now
        timing.finished = now
        self.body.append(body, of: nil)
        let transport = transport.take()
        if case .waiting(let caller) = recipient {
            recipient = .served
            return .stored(caller, transport)
        } else {
            recipient = .late(.success(.whole))
            return .stored(nil, transport)
        }
    }

    /// Takes a response that has arrived as a whole, once; nil if there is none.
    ///
    /// The caller's thread creates it here from its parts. If the engine's thread created a ``Delivered``, the caller's
    /// thread would free it, and the two threads would contend for the allocator.
    mutating func takeWhole() -> HTTPResponse? {
        guard let head = head.take() else { return nil }
        defer { body = CollectedBody() }
        return HTTPResponse(head: head, body: ResponseBody(body.data), timing: timing)
    }

    /// The body that was written to a file or collected in memory, or only its beginning if the rest is not needed. A
    /// beginning has no trailers, since these come after the rest.
    private func collectedBody(_ trailers: HTTPHeaders) -> ResponseBody {
        if isCutOff {
            return ResponseBody(beginning: body.data)
        }
        if let file {
            return ResponseBody(file.ownedFile, trailers: trailers)
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
        file.take()
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
        // Released outside of the lock: an incomplete file is deleted, and the closure of the reporter may keep objects
        // of the caller alive.
        if let file = file.take() { effects.append(.release(file)) }
        if let reporter = reporter.take() { effects.append(.release(reporter)) }
        end(.failure(error))
    }

    /// Ends the exchange, and resumes every task that waits for it: the caller, the reader of a stream, and the feeder
    /// (the task of a client that produces the body and waits until a reader wants the next piece).
    private mutating func end(_ result: Result<Delivery, any Error>) {
        phase = .ended
        let endOfStream: ReadResult
        switch result {
        case .success: endOfStream = .success(nil)
        case .failure(let error): endOfStream = .failure(error)
        }
        self.endOfStream = endOfStream
        if let reader = reader.take() { effects.append(.resumeReader(reader, endOfStream)) }
        // No reader will want a piece anymore. The feeder is resumed so that its task can end.
        if let feeder = feeder.take() { effects.append(.resumeFeeder(feeder)) }
        deliver(result)
    }

    /// Releases what only a running transfer needs: the head and the body, which are delivered apart from the state,
    /// and the engine's closures.
    private mutating func releaseTransfer() {
        head = nil
        mayReplace = nil
        body = CollectedBody()
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

    // MARK: - The body

    /// Resumes the reader with a piece, or keeps the piece until the reader takes it.
    ///
    /// - Returns: False if too many bytes wait for the reader.
    private mutating func enqueue(_ piece: Data) -> Bool {
        if let reader = reader.take() {
            effects.append(.resumeReader(reader, .success(piece)))
            return true
        }
        return unread.append(piece, canPause: canPause)
    }

    /// Takes all unread bytes of a stream as one piece, and has the engine resume if they had made it pause.
    ///
    /// - Returns: The bytes or, after the last of them, how the stream ended.
    mutating func takePiece() -> ReadAttempt {
        let taken = unread.take()
        if taken.endsPause {
            // The time of the pause does not count, since the reader was slow and not the server.
            restartTimeout()
            if let transport { effects.append(.unpause(transport)) }
        }
        if let bytes = taken.bytes { return .result(.success(bytes)) }
        if let endOfStream { return .result(endOfStream) }
        return .nothingYet
    }

    /// Takes the unread bytes of a stream. If nothing has arrived, keeps the reader, which the next piece or the end of
    /// the stream resumes.
    ///
    /// - Returns: The same as ``takePiece()``, where `nothingYet` means that the reader was kept.
    mutating func takePiece(orKeep reader: Reader) -> ReadAttempt {
        let attempt = takePiece()
        if case .nothingYet = attempt {
            self.reader = reader
            // The feeder, which produces the body, waits until a reader wants the next piece.
            if let feeder = feeder.take() { effects.append(.resumeFeeder(feeder)) }
        }
        return attempt
    }

    /// Keeps a feeder until the reader of a stream wants a piece. Without a stream, or with a reader that waits, the
    /// feeder is resumed at once.
    mutating func wait(_ feeder: Feeder) {
        if case .streaming = phase, reader == nil {
            self.feeder = feeder
        } else {
            effects.append(.resumeFeeder(feeder))
        }
    }
}
