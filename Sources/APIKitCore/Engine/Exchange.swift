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

    /// What the exchange asks of its engine.
    struct Transport: Sendable {
        let stop: @Sendable () -> Void
        let resume: (@Sendable () -> Void)?
    }

    private let deadlineWork = Locked<Int?>(nil)

    init(_ request: HTTPRequest, in call: Call, time: Stopwatch? = nil, isResend: Bool = false) {
        state = Locked(ExchangeState(of: request, in: call, time: time))
        let call = call.withoutClosures
        self.request = request
        self.call = call
        self.isResend = isResend
        if let deadline = request.options.deadline { call.limit(to: deadline) }
        guard call.deadline != nil else { return }
        let work = call.atDeadline { [weak self, call] in self?.fail(call.missedDeadline) }
        deadlineWork.withLock { $0 = work }
    }

    deinit {
        if let work = deadlineWork.withLock({ $0 }) { call.removeWork(work) }
    }

    // MARK: - The caller's side

    /// Performs a request: everything an ``APIEngine`` does except sending.
    ///
    /// - Parameters:
    ///   - request: The request. What is sent is the ``request`` of an exchange, which has been checked.
    ///   - call: The call that it is sent for.
    ///   - send: As ``APIEngine/transmit(_:)``.
    /// - Returns: The response; of a body that is delivered as a stream, the head and the stream.
    /// - Throws: ``RequestError`` if the request cannot be sent; what the exchange fails with; what `send` throws,
    ///   which ends the exchange; `CancellationError` if the task is cancelled.
    package static func response(
        to request: HTTPRequest, in call: Call, sending send: (Exchange) async throws -> Void
    ) async throws -> HTTPResponse {
        var exchange = Exchange(try request.prepared(in: call), in: call)
        while true {
            do {
                try Task.checkCancellation()
                call.countAttempt()
                try await send(exchange)
                let delivered = try await exchange.delivered()
                guard request.delivery == .file else { return try exchange.response(delivered) }
                return try await exchange.responseInFile(delivered)
            } catch {
                // An engine may have begun before its `send` failed.
                exchange.fail(CancellationError())
                exchange = try exchange.nextAttempt(after: error, in: call)
            }
        }
    }

    private func delivered() async throws -> ExchangeState.Delivered? {
        try await withTaskCancellationHandler {
            // The state resumes it once. Checking that costs as much as all else here.
            try await withUnsafeThrowingContinuation { caller in
                update { $0.wait(caller) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// The response with what clients and the engine have added to the request, which its descriptions mask.
    ///
    /// Not inlined, so that a waiting task has no room for what this needs.
    @inline(never)
    private func response(_ delivered: ExchangeState.Delivered?) throws -> HTTPResponse {
        guard var response = delivered?.response ?? state.withLock({ $0.takeWhole() }) else { throw Self.noHead }
        response.request = request.withoutStreams
        return response
    }

    /// The response with its body in a complete file, unless it is delivered as data.
    private func responseInFile(_ delivered: ExchangeState.Delivered?) async throws -> HTTPResponse {
        var response = try response(delivered)
        guard call.delivery(of: response.head, to: request) == .file else { return response }
        if let file = state.withLock({ $0.takeFile() }) {
            try file.flush()
        } else {
            // The engine pauses while this writes.
            let bytes = response.body.bytes
            let file = try await TemporaryFile(of: bytes)
            response.body = ResponseBody(file.removal, trailers: bytes.trailers)
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
        for effect in effects { run(effect) }
        return value
    }

    private func run(_ effect: ExchangeState.Effect) {
        switch effect {
        case .resume(let caller, let result): caller.resume(with: result)
        case .feed(let reader, let result): reader.resume(with: result)
        case .demand(let feeder): feeder.resume()
        case .report(let progress, let reporter): reporter.report(progress)
        case .reportLast(let progress, let reporter, let response):
            reporter.report(progress)
            reporter.afterReports { self.update { $0.complete(response) } }
        case .stop(let transport): transport.stop()
        case .unpause(let transport): transport.resume?()
        case .release: break
        }
    }

    // MARK: - The engine's side

    /// Whether the exchange has ended; nothing of the request or its response is wanted any more.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the response has begun.
    package var hasHead: Bool { state.withLock { $0.hasHead } }

    /// Whether enough bytes wait for the reader of a stream that the engine should make the server wait.
    ///
    /// The reader may catch up before the engine has paused: check this again after pausing, or pause and resume in one
    /// place, such as an event loop.
    public var shouldPause: Bool { state.withLock { $0.isPaused } }

    /// Registers the engine's side. An engine calls this right before it sends.
    ///
    /// - Parameters:
    ///   - stop: Ends the transfer. Called at most once, on any thread, if the exchange fails, because it was
    ///     cancelled, met a limit, or the engine reported a failure; or if it wants no more of a redirect's body.
    ///   - resume: Ends a pause. Called on any thread once the reader has taken the bytes that waited. Nil if the
    ///     engine cannot make the server wait.
    /// - Returns: False if the exchange is over already; the engine then sends nothing.
    public func begin(stop: @escaping @Sendable () -> Void, resume: (@Sendable () -> Void)? = nil) -> Bool {
        update { $0.begin(Transport(stop: stop, resume: resume)) }
    }

    /// Runs work that reports the events of the request, in a task that ends with the exchange: for what answers
    /// without a network. An error that it throws fails the exchange.
    package func run(_ work: @escaping @Sendable (Exchange) async throws -> Void) {
        let task = Locked<Task<Void, Never>?>(nil)
        guard begin(stop: { task.withLock { $0 }?.cancel() }, resume: {}) else { return }
        let running = Task {
            do {
                try await work(self)
            } catch {
                fail(error)
            }
        }
        task.withLock { $0 = running }
        if isOver { running.cancel() }
    }

    /// Waits until progress has been reported, and for the reader of a stream to ask for the next piece, or for the end
    /// of the exchange.
    package func demand() async {
        if let reporter = state.withLock({ $0.reporter }) {
            await withCheckedContinuation { reported in reporter.afterReports { reported.resume() } }
        }
        await withCheckedContinuation { feeder in update { $0.wait(feeder) } }
    }

    /// Reports whether the connection was reused, or how long the steps to it took. An engine that knows does this
    /// before the head.
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
    ///   - codings: The content codings that the engine decodes (RFC 9110, section 8.4.1), in lower case; nil if it
    ///     fails by itself for any other.
    public func receive(_ head: HTTPResponse.Head, decoding codings: Set<String>? = nil) {
        let isExpected = state.withLock { !$0.hasHead && !$0.isOver }
        guard isExpected else { return }
        do throws(TransportError) {
            let length = try head.bodyLength(for: request.method)
            if length != 0, let codings {
                try checkCodings(of: head, among: codings)
            }
            let destination = try destination(for: head, length: length)
            let part = part(of: head, length: length)
            update { $0.receive(head, into: destination, part) }
        } catch {
            fail(error)
        }
    }

    private func checkCodings(of head: HTTPResponse.Head, among codings: Set<String>) throws(TransportError) {
        let unknown = head.contentCodings.first { !codings.contains($0) }
        if let unknown {
            throw TransportError(.badResponse, "the body is encoded as \(unknown), which this engine cannot decode")
        }
    }

    /// Where the body of a response goes.
    private func destination(
        for head: HTTPResponse.Head, length: Int?
    ) throws(TransportError) -> ExchangeState.Destination {
        if isReplaced(head) {
            return .beginning(limit: Self.replacedBodyLimit)
        }
        switch call.delivery(of: head, to: request) {
        case .data:
            if let length, length > request.options.effectiveSizeLimit { throw tooLarge }
            return .memory
        case .stream:
            return .stream(newStream())
        case .file:
            // An engine that can pause waits while the caller's task writes the file.
            let canPause = state.withLock { $0.canPause }
            if canPause {
                return .stream(newStream())
            }
            return .file(try TemporaryFile())
        }
    }

    /// Which bytes of the whole content the body has, as far as the head says.
    private func part(of head: HTTPResponse.Head, length: Int?) -> ExchangeState.Part {
        if length == 0 {
            return ExchangeState.Part(total: 0)
        }
        // What is decoded has another length than the one that is announced.
        guard head.contentCodings.isEmpty else { return ExchangeState.Part() }
        if let remainder = remainder(in: head) {
            return remainder
        }
        return ExchangeState.Part(total: length)
    }

    /// The remainder of a download that continues (RFC 9110, section 13.1.5); nil if this response is not one.
    private func remainder(in head: HTTPResponse.Head) -> ExchangeState.Part? {
        guard head.status == 206, request.headers[.ifRange] != nil else { return nil }
        guard case .range(let range, let size)? = ContentRange(head) else { return nil }
        guard request.headers[.range] == "bytes=\(range.lowerBound)-" else { return nil }
        return ExchangeState.Part(offset: range.lowerBound, total: size)
    }

    private func newStream() -> ByteStream {
        ByteStream(readingOnce: ExchangeBytes(of: self)).followed(by: Trailers())
    }

    /// The maximum number of bytes that are kept of a body that a redirect or a second request replaces.
    private static let replacedBodyLimit = 64 << 10

    /// Whether `send` will follow a redirect, or a client will ask again, so that only the beginning of the body is
    /// wanted.
    private func isReplaced(_ head: HTTPResponse.Head) -> Bool {
        // Taken even if it is not asked, since it may keep a client alive.
        let willAskAgain = state.withLock { $0.mayReplace.take() }
        if request.isRedirected(by: head, in: call) {
            return true
        }
        guard let willAskAgain, call.delivery(of: head, to: request) == .data else { return false }
        return willAskAgain(head)
    }

    /// Reports a piece of the body, decoded.
    public func receive(_ piece: Data) {
        switch update({ $0.receive(piece) }) {
        case .stored: break
        case .enough: update { $0.cutOff() }
        case .tooLarge: fail(tooLarge)
        case .tooManyUnread:
            let limit = request.options.effectiveSizeLimit
            let message = "the body is read more slowly than it arrives: more than \(limit) bytes wait to be read"
            fail(TransportError(.bodyTooLarge, message))
        case .write(let file):
            do throws(TransportError) {
                try file.write(piece)
            } catch {
                fail(error)
            }
        }
    }

    /// Reports that the response is complete. Without a head the exchange fails with the code `badResponse`.
    ///
    /// - Parameter trailers: The fields after the body. Those that have a meaning only in a head, such as
    ///   `Content-Length` and `Set-Cookie`, are dropped (RFC 9110, section 6.5.1).
    public func finish(trailers: HTTPHeaders = [:]) {
        let trailers = trailers.allowedAsTrailers
        if !update({ $0.finish(trailers) }) { fail(Self.noHead) }
    }

    private static var noHead: TransportError { TransportError(.badResponse, "the response has no head") }

    /// Reports a response that has arrived as a whole, in one step if it is to be delivered just so.
    ///
    /// - Parameters:
    ///   - head: The head, without content codings. Its length, if it has one, is that of the body.
    ///   - body: The body.
    package func receive(_ head: HTTPResponse.Head, whole body: Data) {
        let isPlain =
            request.delivery == .data && !(300..<400 ~= head.status)
            && body.count <= request.options.effectiveSizeLimit
        if isPlain, let receipt = state.withLock({ $0.receive(head, whole: body) }) {
            receipt.caller?.resume(returning: nil)
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
        update { $0.fail(error, beforeSending: beforeSending) }
    }

    private var tooLarge: TransportError {
        let limit = request.options.effectiveSizeLimit
        return TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request)
    }

    // MARK: - The reader's side

    /// The next piece of a stream, nil at its end.
    func nextPiece() async throws -> Data? {
        try Task.checkCancellation()
        if let result = update({ $0.read() }) { return try result.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                if let result = update({ $0.read(reader) }) { reader.resume(with: result) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }
}

extension Exchange {
    /// The exchange that sends the request again after this one has failed.
    ///
    /// Not inlined, so that a waiting task has no room for what this needs.
    ///
    /// - Throws: The error, if the request is not to be sent again.
    @inline(never)
    func nextAttempt(after error: any Error, in call: Call) throws -> Exchange {
        guard let error = error as? TransportError else { throw error }
        guard mayBeSentAgain(after: error, call.mayResend) else { throw error.withRequest(request) }
        return Exchange(request, in: call, time: state.withLock { $0.time }, isResend: true)
    }

    /// Whether the connection broke before a response, for the first time, and either nothing was sent or sending twice
    /// does no harm and no client refuses it.
    private func mayBeSentAgain(after error: TransportError, _ mayResend: Call.ResendApproval?) -> Bool {
        let (hasHead, isUnsent) = state.withLock { ($0.hasHead, $0.isUnsent) }
        guard error.code == .connectionLost, !hasHead, !isResend else { return false }
        if isUnsent {
            return true
        }
        guard request.isRepeatable else { return false }
        if let mayResend {
            return mayResend(error)
        }
        return true
    }
}
