import APIKitSupport

/// One request on its way over an engine: the engine reports what happens to it, and the exchange delivers the response
/// once, as the request wants it, within its limits, with progress and timing. <doc:WritingAnEngine> shows how.
///
/// An engine reports the events of one request one after another: ``sent(total:)``, ``receive(_:decoding:)``,
/// ``receive(_:)`` and ``finish(trailers:)`` or ``fail(_:beforeSending:)``. Reports after the end are ignored. Every
/// method may be called from any thread, but none from within the closures of ``begin(stop:resume:)``.
///
/// If the engine can make the server wait, it pauses while ``shouldPause`` is true. If it cannot, files are written as
/// they arrive, and a stream whose unread bytes exceed ``RequestOptions/sizeLimit`` fails, as it does if an engine goes
/// on reporting while it should pause.
public final class Exchange: Sendable {
    /// The request that the engine sends.
    public let request: HTTPRequest
    /// The call that it is sent for.
    public let call: Call
    /// Whether the request is sent again because its connection broke. Send it over a new connection.
    public let isResend: Bool
    let state: Locked<ExchangeState>

    /// The closures by which the exchange controls the engine's transfer.
    struct Transport: Sendable {
        let stop: @Sendable () -> Void
        let resume: (@Sendable () -> Void)?
    }

    /// The number of the work that the call does for this exchange at the deadline; nil if there is no deadline.
    private let deadlineWorkID = Locked<Int?>(nil)

    /// Creates an exchange, which fails at the deadline of its call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call that it is sent for.
    ///   - runningTime: The time of the first attempt, if the request is sent again; nil for a new request.
    ///   - isResend: Whether the request is sent again.
    init(_ request: HTTPRequest, in call: Call, runningTime: Stopwatch? = nil, isResend: Bool = false) {
        state = Locked(ExchangeState(of: request, in: call, runningTime: runningTime))
        // Only the state has the closures of the caller and of clients, and releases them as soon as it can. What they
        // capture must not live as long as the exchange, which a stream keeps alive.
        let callWithoutClosures = call.withoutClosures
        self.request = request
        self.call = callWithoutClosures
        self.isResend = isResend
        if let deadline = request.options.deadline { call.limit(to: deadline) }
        // The call may also have a deadline from before, which applies to all of its requests.
        if call.hasDeadline {
            let workID = callWithoutClosures.atDeadline { [weak self] in
                self?.fail(callWithoutClosures.missedDeadline)
            }
            deadlineWorkID.withLock { $0 = workID }
        }
    }

    deinit {
        if let workID = deadlineWorkID.withLock({ $0 }) { call.removeWork(workID) }
    }

    // MARK: - The caller's side

    /// Performs a request: everything an ``APIEngine`` does except sending.
    ///
    /// If the connection breaks before a response, the request may be sent a second time, as another exchange; see
    /// ``nextAttempt(orThrow:in:)``.
    ///
    /// - Parameters:
    ///   - request: The request. `send` finds the checked request in ``Exchange/request``.
    ///   - call: The call that the request is sent for.
    ///   - send: Starts sending, like ``APIEngine/transmit(_:)``. Called again for each attempt.
    /// - Returns: The response. If the body is delivered as a stream, the response is returned as soon as its head has
    ///   arrived.
    /// - Throws: ``RequestError`` if the request cannot be sent; the error that the exchange fails with, or that `send`
    ///   throws; `CancellationError` if the task is cancelled.
    package static func response(
        to request: HTTPRequest, in call: Call, sending send: (Exchange) async throws -> Void
    ) async throws -> HTTPResponse {
        var exchange = Exchange(try request.prepared(in: call), in: call)
        while true {
            do {
                try Task.checkCancellation()
                call.countAttempt()
                try await send(exchange)
                let delivered = try await exchange.waitForResponse()
                if request.delivery == .file {
                    return try await exchange.responseInFile(delivered)
                } else {
                    return try exchange.responseWithRequest(delivered)
                }
            } catch {
                exchange.stopTransfer()
                // Throws the error, and so ends the loop, unless the request may be sent again.
                exchange = try exchange.nextAttempt(orThrow: error, in: call)
            }
        }
    }

    /// Stops the transfer if the engine has begun one and then failed to send. An exchange that has failed by itself
    /// has stopped its transfer already, and ignores this.
    private func stopTransfer() {
        fail(CancellationError())
    }

    /// Waits until the response is delivered. A cancel of the waiting task fails the exchange; if the task was already
    /// cancelled, the wait ends at once.
    private func waitForResponse() async throws -> ExchangeState.Delivery {
        try await withTaskCancellationHandler {
            // Unsafe, since a checked continuation would double the cost of this function. An unsafe one must be
            // resumed exactly once. The state does so: it forgets the caller when it resumes the caller.
            try await withUnsafeThrowingContinuation { caller in
                update { $0.wait(caller) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// Returns the delivered response of this exchange, with the request as it was sent. Descriptions of the response
    /// find the names of secrets in that request, and mask their values.
    ///
    /// A delivery of the kind `whole` does not contain the response, which is then taken from the state.
    ///
    /// Not inlined, since its local variables would enlarge every task that waits for a response.
    @inline(never)
    private func responseWithRequest(_ delivery: ExchangeState.Delivery) throws -> HTTPResponse {
        var response: HTTPResponse
        switch delivery {
        case .response(let delivered):
            response = delivered.response
        case .whole:
            // Never nil, since only one caller takes the response.
            guard let whole = state.withLock({ $0.takeWhole() }) else { throw Self.noHead }
            response = whole
        }
        response.request = request.withoutStreams
        return response
    }

    /// Returns the response of a download, with its body in a complete file.
    ///
    /// The engine's thread has written the file if the engine cannot pause. If it can, the body is a stream, which this
    /// function writes to a file; the engine pauses whenever writing is slower than the server.
    private func responseInFile(_ delivered: ExchangeState.Delivery) async throws -> HTTPResponse {
        var response = try responseWithRequest(delivered)
        // The body of a failure, such as a 404, is delivered as data instead.
        let isForFile = call.delivery(of: response.head, to: request) == .file
        guard isForFile else { return response }
        if let file = state.withLock({ $0.takeFile() }) {
            try file.flush()
        } else {
            let bytes = response.body.bytes
            let file = try await TemporaryFile(of: bytes)
            response.body = ResponseBody(file.ownedFile, trailers: bytes.trailers)
            response.timing.finished = state.withLock { $0.time.elapsed }
        }
        return response
    }

    /// Changes the state under the lock, and runs the effects of the change after releasing it.
    private func update<Value: Sendable>(_ change: (inout ExchangeState) -> Value) -> Value {
        let (value, effects) = state.withLock { state in
            let value = change(&state)
            return (value, state.takeEffects())
        }
        for effect in effects { perform(effect) }
        return value
    }

    /// Performs an effect: what the state wants done, outside of the lock, as a consequence of an event.
    private func perform(_ effect: ExchangeState.Effect) {
        switch effect {
        case .resumeCaller(let caller, let result): caller.resume(with: result)
        case .resumeReader(let reader, let result): reader.resume(with: result)
        // The feeder is the task of a client that produces the body itself, such as a stub.
        case .resumeFeeder(let feeder): feeder.resume()
        case .report(let progress, let reporter): reporter.report(progress)
        case .reportLast(let progress, let reporter, let response):
            reporter.report(progress)
            reporter.afterReports { self.complete(response) }
        case .stop(let transport): transport.stop()
        case .unpause(let transport): transport.resume?()
        // The effect holds the last reference to the value. Both are released after this function has returned.
        case .release: break
        }
    }

    private func complete(_ response: ExchangeState.Delivered) {
        update { $0.complete(response) }
    }

    // MARK: - The engine's side

    /// Whether the response is complete, or the exchange has failed. An engine then sends nothing more, and its reports
    /// are ignored.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the head of the response has arrived.
    package var hasHead: Bool { state.withLock { $0.hasHead } }

    /// Whether the engine should make the server wait, because enough bytes wait for the reader of a stream.
    ///
    /// The reader may catch up before the engine has paused. Check this again after pausing, or pause and resume on one
    /// thread, such as an event loop's thread.
    public var shouldPause: Bool { state.withLock { $0.isPaused } }

    /// Registers the engine's side. An engine calls this right before it sends.
    ///
    /// - Parameters:
    ///   - stop: Stops the transfer. Called at most once, on any thread: if the exchange fails, because it was
    ///     cancelled, met a limit, or the engine reported a failure; or if the rest of a redirect's body is not needed.
    ///   - resume: Ends a pause. Called on any thread once the reader has taken the bytes that waited. Nil if the
    ///     engine cannot make the server wait.
    /// - Returns: False if the exchange is over already; the engine then sends nothing.
    public func begin(stop: @escaping @Sendable () -> Void, resume: (@Sendable () -> Void)? = nil) -> Bool {
        update { $0.begin(Transport(stop: stop, resume: resume)) }
    }

    /// Starts a task that reports the events of the request in place of an engine, for clients that respond without a
    /// network, such as a stub. An error that the task throws fails the exchange. If the exchange fails for another
    /// reason, the task is cancelled.
    ///
    /// - Parameter reportEvents: Reports the head, the pieces of the body and the end. It waits with
    ///   ``waitForDemand()`` before each piece.
    package func playEngine(_ reportEvents: @escaping @Sendable (Exchange) async throws -> Void) {
        let storedTask = Locked<Task<Void, Never>?>(nil)
        let stop = { @Sendable in
            let task = storedTask.withLock { $0 }
            task?.cancel()
        }
        // A pause ends without a call, since the task waits for demand. A closure is passed all the same, since without
        // one the exchange assumes that the engine cannot pause.
        let resume = { @Sendable in }
        let hasBegun = begin(stop: stop, resume: resume)
        // The exchange may have ended already, for example by a cancel.
        guard hasBegun else { return }
        let task = Task {
            do {
                try await reportEvents(self)
            } catch {
                fail(error)
            }
        }
        storedTask.withLock { $0 = task }
        // The exchange may have been stopped before the task was stored.
        if isOver { task.cancel() }
    }

    /// Waits until all progress has been reported, and until the reader of a stream wants the next piece. The end of
    /// the exchange ends the wait for a reader.
    package func waitForDemand() async {
        if let reporter = state.withLock({ $0.reporter }) {
            await withCheckedContinuation { reported in reporter.afterReports { reported.resume() } }
        }
        await withCheckedContinuation { feeder in update { $0.wait(feeder) } }
    }

    /// Records whether the request's connection was reused, and how long each step to a new one took, nil if unknown.
    /// An engine calls this before it reports the head or a failure.
    ///
    /// If a connection breaks before the response, an idempotent request is sent again only if this has said that the
    /// connection was reused: the server may have closed it while it was idle, and then never got the request.
    public func connected(
        isReused: Bool, nameLookup: Duration? = nil, connect: Duration? = nil, secureHandshake: Duration? = nil
    ) {
        state.withLock { state in
            state.timing.isConnectionReused = isReused
            state.timing.nameLookup = nameLookup
            state.timing.connect = connect
            state.timing.secureHandshake = secureHandshake
        }
    }

    /// Reports how many bytes of the request's body have been sent so far; 0 after the request's head.
    public func sent(total: Int) {
        update { $0.sent(total: total) }
    }

    /// Reports the head of the response; informational ones (RFC 9110, section 15.2) are not reported. A second head is
    /// ignored.
    ///
    /// The exchange fails with the code `badResponse` if the `Content-Length` is invalid or the body is encoded in a
    /// way that the engine cannot decode, and with `bodyTooLarge` if the body is to be delivered as data and its length
    /// is above the limit.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - codings: The content codings that the engine decodes (RFC 9110, section 8.4.1), in lower case. If nil, the
    ///     codings are not checked here, and the engine itself fails for one that it cannot decode.
    public func receive(_ head: HTTPResponse.Head, decoding codings: Set<String>? = nil) {
        let isExpected = state.withLock { !$0.hasHead && !$0.isOver }
        guard isExpected else { return }
        do throws(TransportError) {
            let length = try head.bodyLength(for: request.method)
            if length != 0, let codings {
                try checkCodings(of: head, among: codings)
            }
            // Taken out of the state, so that the closure is released once this function returns.
            let mayReplace = state.withLock { $0.takeMayReplace() }
            let destination = try destination(for: head, length: length, mayReplace)
            let part = part(of: head, length: length)
            update { $0.receive(head, into: destination, part) }
        } catch {
            fail(error)
        }
    }

    /// Throws an error if the body has a content coding that is not among those that the engine decodes.
    private func checkCodings(of head: HTTPResponse.Head, among codings: Set<String>) throws(TransportError) {
        let unknown = head.contentCodings.first { !codings.contains($0) }
        if let unknown {
            throw TransportError(.badResponse, "the body is encoded as \(unknown), which this engine cannot decode")
        }
    }

    /// Decides where the body of a response goes.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - length: The length of the body, nil if it is unknown.
    ///   - mayReplace: Returns whether a client repeats the request after this response; nil if no client does.
    /// - Returns: The destination.
    /// - Throws: ``TransportError`` if the body is too large to be delivered as data, or if no file can be created.
    private func destination(
        for head: HTTPResponse.Head, length: Int?, _ mayReplace: Call.HeadTest?
    ) throws(TransportError) -> ExchangeState.Destination {
        if needsOnlyBeginning(of: head, mayReplace) {
            return .beginning(limit: Self.replacedBodyLimit)
        }
        switch call.delivery(of: head, to: request) {
        case .data:
            if let length, length > request.options.effectiveSizeLimit { throw tooLarge }
            return .memory
        case .stream:
            return .stream(newStream())
        case .file:
            // If the engine can pause, the body is a stream that the caller's task writes to a file in
            // `responseInFile(_:)`, so that the engine's thread is free for other transfers. Otherwise the engine's
            // thread writes each piece as it arrives, which makes the server wait.
            let canPause = state.withLock { $0.canPause }
            if canPause {
                return .stream(newStream())
            }
            return .file(try TemporaryFile())
        }
    }

    /// Says which part of the whole content the body is, as far as the head says. For a download of 300 bytes that
    /// continues after the first 100, the offset is 100 and the total 300.
    private func part(of head: HTTPResponse.Head, length: Int?) -> ExchangeState.Part {
        if length == 0 {
            return ExchangeState.Part(total: 0)
        }
        // Progress counts decoded bytes, and the head announces the length of the encoded body.
        guard head.contentCodings.isEmpty else { return .unknown }
        if let remainder = remainderOfDownload(head) {
            return remainder
        }
        return ExchangeState.Part(total: length)
    }

    /// The part that a continued download asked for (RFC 9110, section 13.1.5), whose offset and total are in the
    /// `Content-Range`: `bytes 400-999/1000` begins at 400 of 1000. Nil for any other response.
    private func remainderOfDownload(_ head: HTTPResponse.Head) -> ExchangeState.Part? {
        let continues = head.status == 206 && request.headers[.ifRange] != nil
        guard continues, case .range(let range, let size)? = ContentRange(head) else { return nil }
        let isRequestedRange = request.headers[.range] == "bytes=\(range.lowerBound)-"
        guard isRequestedRange else { return nil }
        return ExchangeState.Part(offset: range.lowerBound, total: size)
    }

    private func newStream() -> ByteStream {
        ByteStream(readingOnce: ExchangeBytes(of: self)).followed(by: Trailers())
    }

    /// The maximum number of bytes that are received of a body that nobody is going to read. Most such bodies are
    /// shorter and arrive whole, so that their connection can be reused.
    private static let replacedBodyLimit = 64 << 10

    /// Whether only the beginning of the response's body is needed, since the caller will not get the response: `send`
    /// follows it as a redirect, `send` fails on the redirect, or a client repeats the request.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - mayReplace: Returns whether a client repeats the request; nil if no client does.
    /// - Returns: Whether the rest of the body is not needed.
    private func needsOnlyBeginning(of head: HTTPResponse.Head, _ mayReplace: Call.HeadTest?) -> Bool {
        switch request.redirectDecision(after: head, policy: request.options.effectiveRedirects, in: call) {
        case .follow, .fail:
            return true
        case .deliver:
            // Clients repeat requests only after responses that are delivered as data, such as failures, and not once a
            // stream or a file is on its way to the caller.
            guard let mayReplace, call.delivery(of: head, to: request) == .data else { return false }
            return mayReplace(head)
        }
    }

    /// Reports a piece of the body, whose content codings the engine has decoded.
    public func receive(_ piece: Data) {
        switch update({ $0.receive(piece) }) {
        case .stored, .ignored:
            break
        case .write(let file):
            do throws(TransportError) {
                try file.write(piece)
            } catch {
                fail(error)
            }
        case .beginningComplete:
            // The response will be replaced, and enough of its body has arrived.
            update { $0.stopAfterBeginning() }
        case .tooLarge:
            fail(tooLarge)
        case .tooManyUnread:
            let limit = request.options.effectiveSizeLimit
            let message = "the body is read more slowly than it arrives: more than \(limit) bytes wait to be read"
            fail(TransportError(.bodyTooLarge, message))
        }
    }

    /// Reports that the response is complete. Without a head the exchange fails with the code `badResponse`.
    ///
    /// - Parameter trailers: The fields after the body. Those that have a meaning only in a head, such as
    ///   `Content-Length` and `Set-Cookie`, are dropped (RFC 9110, section 6.5.1).
    public func finish(trailers: HTTPHeaders = [:]) {
        let trailers = trailers.allowedAsTrailers
        switch update({ $0.finish(trailers) }) {
        case .accepted: break
        case .missingHead: fail(Self.noHead)
        }
    }

    private static var noHead: TransportError { TransportError(.badResponse, "the response has no head") }

    /// Reports a response that has arrived as a whole: in one step if possible, and otherwise as a head, a piece and an
    /// end. The single step saves a sixth of the instructions of a small request.
    ///
    /// - Parameters:
    ///   - head: The head, without content codings. Its length, if it has one, is the length of the body.
    ///   - body: The body.
    package func receive(_ head: HTTPResponse.Head, whole body: Data) {
        let isWithinLimit = body.count <= request.options.effectiveSizeLimit
        let isPlain = request.delivery == .data && !head.mayBeRedirect && isWithinLimit
        if isPlain, case .stored(let caller, _) = state.withLock({ $0.receive(head, whole: body) }) {
            // The caller takes the response from the state.
            caller?.resume(returning: .whole)
            return
        }
        receive(head)
        receive(body)
        finish()
    }

    /// Reports a failure: a ``TransportError``, which gets the request's method and URL unless it has its own, a
    /// ``RequestError`` or a `CancellationError`.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - beforeSending: Whether the server cannot have begun to process the request, so that it can be sent again
    ///     whatever its method: nothing was sent, or the server says so (RFC 9113, section 8.7).
    public func fail(_ error: any Error, beforeSending: Bool = false) {
        let error = (error as? TransportError)?.withRequest(request) ?? error
        update { $0.fail(error, isUnsent: beforeSending) }
    }

    private var tooLarge: TransportError {
        let limit = request.options.effectiveSizeLimit
        return TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request)
    }

    // MARK: - The reader's side

    /// Returns the next piece of a stream, nil at its end, and waits for it if necessary. A cancel of the waiting task
    /// fails the exchange.
    func nextPiece() async throws -> Data? {
        try Task.checkCancellation()
        switch update({ $0.takePiece() }) {
        case .result(let result):
            return try result.get()
        case .nothingYet:
            return try await waitForPiece()
        }
    }

    /// Waits for the next piece of a stream or its end, nil. A cancel of the waiting task fails the exchange.
    private func waitForPiece() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                switch update({ $0.takePiece(orKeep: reader) }) {
                case .result(let result):
                    // It has arrived meanwhile.
                    reader.resume(with: result)
                case .nothingYet:
                    // The state has kept the reader, and an event resumes it.
                    break
                }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }
}
