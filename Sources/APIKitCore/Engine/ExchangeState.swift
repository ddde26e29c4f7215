/// What an ``Exchange`` knows, and how each event changes it. It neither locks nor calls anybody: what follows from an
/// event is collected in ``takeEffects()``, to be done once the lock is released.
struct ExchangeState: Sendable {
    /// Gets nil for a response that it is to take with ``takeWhole()``.
    typealias Caller = UnsafeContinuation<Delivered?, any Error>
    typealias Reader = CheckedContinuation<Data?, any Error>
    typealias Feeder = CheckedContinuation<Void, Never>

    /// A response on its way to the caller: one pointer, since each function that waits for a response, and each step
    /// that passes it on, has room for a copy.
    final class Delivered: Sendable {
        let response: HTTPResponse

        init(_ head: HTTPResponse.Head, _ body: ResponseBody, _ timing: HTTPResponse.Timing) {
            response = HTTPResponse(head: head, body: body, timing: timing)
        }
    }

    /// How far an exchange has come.
    ///
    ///     waiting ── head ──▶ collecting ┐
    ///     waiting ── head ──▶ writing ───┴─ end ──▶ complete ── last report ──▶ ended
    ///     waiting ── head ──▶ streaming ─── end ──▶ complete ── last report ──▶ ended
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
        /// The caller has its response, and a reader takes the body.
        case streaming
        /// The body is complete, and the result follows the last progress report.
        case complete
        /// The exchange has ended. A reader may still take the bytes that wait.
        case ended
    }

    /// Where the body of a response goes.
    enum Destination: Sendable {
        /// Into memory. A body above the size limit is an error.
        case memory
        /// Into memory, up to a number of bytes; the rest is not received.
        case beginning(limit: Int)
        /// Into a file, as it arrives.
        case file(TemporaryFile)
        /// To a reader, who gets the stream at once.
        case stream(ByteStream)
    }

    /// Which bytes of the whole content a body has.
    struct Part: Sendable {
        /// The number of bytes before it, which the caller has from earlier requests.
        var offset = 0
        /// The length of the whole content, nil if it is unknown.
        var total: Int?
    }

    /// Who gets the response.
    private enum Recipient: Sendable {
        /// The caller has yet to wait.
        case expected
        /// The caller waits.
        case waiting(Caller)
        /// The result came before the caller waited.
        case late(Result<Delivered?, any Error>)
        /// The caller has its result.
        case served
    }

    /// What follows from an event.
    enum Effect: Sendable {
        case resume(Caller, Result<Delivered?, any Error>)
        case feed(Reader, Result<Data?, any Error>)
        case demand(Feeder)
        case report(TransferProgress, to: ProgressReporter)
        case reportLast(TransferProgress, to: ProgressReporter, then: Delivered)
        case stop(Exchange.Transport)
        case unpause(Exchange.Transport)
        /// Releases something whose deinitializer may call back.
        case release(any Sendable)
    }

    /// What becomes of a piece of the body.
    enum Receipt: Sendable {
        case stored
        /// It is to be written to the file.
        case write(TemporaryFile)
        case tooLarge
        /// No more of the body is wanted.
        case enough
        /// The reader of a stream is too slow for an engine that cannot pause, or that goes on while it should.
        case tooManyUnread
    }

    /// What follows from a response that has arrived as a whole.
    struct WholeReceipt: Sendable {
        let caller: Caller?
        /// To be released after the lock, since its deinitializer may call back.
        let transport: Exchange.Transport?
    }

    private(set) var phase = Phase.waiting
    private(set) var hasHead = false
    /// Whether it failed before the server began to process the request.
    private(set) var isUnsent = false
    var timing: HTTPResponse.Timing
    private var effects: [Effect] = []
    private var recipient = Recipient.expected
    private var transport: Exchange.Transport?
    private var head: HTTPResponse.Head?
    private var body = CollectedBody()
    /// Whether only the beginning of the body is wanted.
    private var isBrief = false
    /// Whether the body was longer than the beginning that was wanted.
    private var isCutOff = false
    private var file: TemporaryFile?
    /// The trailers of a stream, which has been delivered before they arrive.
    private var streamTrailers: Trailers?
    private var unread: UnreadBytes
    private var reader: Reader?
    /// What waits for the reader.
    private var feeder: Feeder?
    /// How a stream ended, for a reader that has yet to get there.
    private var endOfStream: Result<Data?, any Error>?
    private(set) var reporter: ProgressReporter?
    private var progress: TransferProgress
    /// The time since the request was queued.
    let time: Stopwatch
    var lastEvent: Duration
    /// When the engine was asked to look at the timeout again.
    private var nextCheck: Duration
    /// The silence that was excused once because the engine looked late.
    private var excused: Duration?
    private var sizeLimit: Int
    /// Whether a client is going to replace a response with a head; asked once.
    var mayReplace: Call.HeadTest?

    init(of request: HTTPRequest, in call: Call, time: Stopwatch?) {
        self.time = time ?? Stopwatch(call.clock)
        lastEvent = time?.elapsed ?? .zero
        nextCheck = lastEvent + request.options.effectiveTimeout
        timing = HTTPResponse.Timing()
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

    /// What follows from the events since the last call.
    mutating func takeEffects() -> [Effect] {
        defer { if !effects.isEmpty { effects = [] } }
        return effects
    }

    // MARK: - The caller and the engine

    mutating func wait(_ caller: Caller) {
        if case .late(let result) = recipient {
            recipient = .served
            effects.append(.resume(caller, result))
        } else {
            recipient = .waiting(caller)
        }
    }

    /// - Returns: Whether the engine is to send the request, which a cancel may have come before.
    mutating func begin(_ transport: Exchange.Transport) -> Bool {
        guard !isOver else { return false }
        self.transport = transport
        return true
    }

    private mutating func deliver(_ result: Result<Delivered?, any Error>) {
        switch recipient {
        case .expected: recipient = .late(result)
        case .waiting(let caller):
            recipient = .served
            effects.append(.resume(caller, result))
        case .late(.success(let stream)):
            // Nobody has the stream, which would keep the exchange.
            guard case .failure(is CancellationError) = result else { return }
            recipient = .late(result)
            if let stream { effects.append(.release(stream)) }
        case .late, .served: break
        }
    }

    // MARK: - Events

    mutating func sent(total: Int) {
        guard !isOver else { return }
        lastEvent = time.elapsed
        timing.sent = lastEvent
        progress.bytesSent = min(total, progress.totalBytesToSend ?? .max)
        report()
    }

    mutating func receive(_ head: HTTPResponse.Head, into destination: Destination, _ part: Part) {
        guard case .waiting = phase else { return }
        self.head = head
        hasHead = true
        lastEvent = time.elapsed
        timing.firstByte = lastEvent
        progress.bytesReceived = part.offset
        progress.totalBytesToReceive = part.total
        report()
        switch destination {
        case .memory:
            phase = .collecting
        case .beginning(let limit):
            phase = .collecting
            isBrief = true
            sizeLimit = min(sizeLimit, limit)
        case .file(let file):
            phase = .writing
            self.file = file
        case .stream(let stream):
            phase = .streaming
            streamTrailers = stream.ownTrailers
            deliver(.success(Delivered(head, ResponseBody(stream), timing)))
        }
    }

    mutating func receive(_ piece: Data) -> Receipt {
        // What decodes to nothing is not traffic.
        guard !piece.isEmpty else { return .stored }
        var receipt = Receipt.stored
        switch phase {
        case .waiting, .complete, .ended:
            return .stored
        case .collecting:
            let room = sizeLimit - body.data.count
            let isTooLong = piece.count > room
            if isTooLong && !isBrief {
                return .tooLarge
            }
            body.append(piece.prefix(max(0, room)), of: progress.totalBytesToReceive)
            if isTooLong {
                isCutOff = true
                receipt = .enough
            }
        case .writing:
            if let file { receipt = .write(file) }
        case .streaming:
            guard enqueue(piece) else { return .tooManyUnread }
        }
        lastEvent = time.elapsed
        // A range may begin near the largest number, which on some platforms is 2 GB.
        progress.bytesReceived.addClamping(piece.count)
        report()
        return receipt
    }

    /// - Returns: Whether there was a head, without which there is no response.
    mutating func finish(_ trailers: HTTPHeaders = [:]) -> Bool {
        guard !isOver else { return true }
        guard let head else { return false }
        timing.finished = time.elapsed
        progress.totalBytesToReceive = progress.bytesReceived
        streamTrailers?.receive(trailers)
        let response = Delivered(head, wholeBody(trailers), timing)
        release()
        phase = .complete
        if let reporter = reporter.take() {
            effects.append(.reportLast(progress, to: reporter, then: response))
        } else {
            complete(response)
        }
        return true
    }

    private func wholeBody(_ trailers: HTTPHeaders) -> ResponseBody {
        if isCutOff {
            return ResponseBody(beginning: body.data)
        }
        if let file {
            return ResponseBody(file.removal, trailers: trailers)
        }
        return ResponseBody(body.data, trailers: trailers)
    }

    /// Takes a response that is delivered as data: what the events of its head, its body and its end do, if nobody
    /// wants to know of them.
    ///
    /// - Returns: What follows; nil if this is for the single events.
    mutating func receive(_ head: HTTPResponse.Head, whole body: Data) -> WholeReceipt? {
        guard case .waiting = phase, reporter == nil, mayReplace == nil, feeder == nil else { return nil }
        hasHead = true
        lastEvent = time.elapsed
        (timing.firstByte, timing.finished) = (lastEvent, lastEvent)
        (phase, self.head) = (.ended, head)
        self.body.append(body, of: nil)
        let transport = transport.take()
        guard case .waiting(let caller) = recipient else {
            recipient = .late(.success(nil))
            return WholeReceipt(caller: nil, transport: transport)
        }
        recipient = .served
        return WholeReceipt(caller: caller, transport: transport)
    }

    /// A response that has arrived as a whole; taken once. What would carry it to the caller's thread is memory of the
    /// engine's, for which the two would wait for each other.
    mutating func takeWhole() -> HTTPResponse? {
        guard let head = head.take() else { return nil }
        defer { body = CollectedBody() }
        return HTTPResponse(head: head, body: ResponseBody(body.data), timing: timing)
    }

    /// Ends the transfer, of which the caller gets what has arrived.
    mutating func cutOff() {
        if !isOver, let transport { effects.append(.stop(transport)) }
        _ = finish()
    }

    mutating func complete(_ response: Delivered) {
        if case .complete = phase { end(.success(response)) }
    }

    /// The file that the body was written to; taken once.
    mutating func takeFile() -> TemporaryFile? {
        file.take()
    }

    mutating func fail(_ error: any Error, beforeSending: Bool = false) {
        switch phase {
        case .waiting, .collecting, .writing, .streaming:
            isUnsent = beforeSending
            if let transport { effects.append(.stop(transport)) }
        case .complete:
            // Only a cancel does not wait for the last report, which may take any time.
            guard error is CancellationError else { return }
        case .ended:
            return
        }
        release()
        if let file = file.take() { effects.append(.release(file)) }
        if let reporter = reporter.take() { effects.append(.release(reporter)) }
        end(.failure(error))
    }

    private mutating func end(_ result: Result<Delivered?, any Error>) {
        phase = .ended
        let end = result.map { _ in Data?.none }
        endOfStream = end
        if let reader = reader.take() { effects.append(.feed(reader, end)) }
        if let feeder = feeder.take() { effects.append(.demand(feeder)) }
        deliver(result)
    }

    private mutating func release() {
        head = nil
        mayReplace = nil
        body = CollectedBody()
        if let transport = transport.take() { effects.append(.release(transport)) }
    }

    private mutating func report() {
        if let reporter { effects.append(.report(progress, to: reporter)) }
    }

    /// The part of a timeout that is left; all of it while the engine is paused, since the reader causes that.
    ///
    /// If the engine looks late, for example because the process was stopped, bytes may wait that it has not read yet.
    /// Once in each silence it gets up to a second for them.
    mutating func timeLeft(of timeout: Duration) -> Duration {
        let now = time.elapsed
        var left = timeout
        if !isPaused {
            left = timeout - (now - lastEvent)
        }
        let isLate = now > nextCheck + .milliseconds(50)
        let wasExcused = excused == lastEvent
        if left <= .zero && isLate && !wasExcused {
            left = min(timeout, .seconds(1))
            excused = lastEvent
        }
        nextCheck = now + left
        return left
    }

    // MARK: - The body

    private mutating func enqueue(_ piece: Data) -> Bool {
        if piece.isEmpty { return true }
        guard let reader = reader.take() else { return unread.append(piece, canPause: canPause) }
        effects.append(.feed(reader, .success(piece)))
        return true
    }

    /// Takes the next piece.
    ///
    /// - Returns: The next piece, or the end of the stream; nil if neither has arrived, and the reader then waits for
    ///   it.
    mutating func read(_ reader: Reader? = nil) -> Result<Data?, any Error>? {
        let (bytes, hasResumed) = unread.take()
        if hasResumed {
            lastEvent = time.elapsed
            if let transport { effects.append(.unpause(transport)) }
        }
        if let bytes { return .success(bytes) }
        if let endOfStream { return endOfStream }
        self.reader = reader
        if reader != nil, let feeder = feeder.take() { effects.append(.demand(feeder)) }
        return nil
    }

    /// Lets a feeder wait for the reader of a stream.
    mutating func wait(_ feeder: Feeder) {
        if case .streaming = phase, reader == nil {
            self.feeder = feeder
        } else {
            effects.append(.demand(feeder))
        }
    }
}
