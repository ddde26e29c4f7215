#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One request on its way through an engine that is called back: it is told what happens, and delivers the answer as the
/// request wants it, within its limits, with progress and timing, and once.
///
/// It is a value without a lock. An engine keeps it where one thread at a time comes, such as an event loop or a lock,
/// and looks after each step whether the exchange ``isOver``: then the transfer is to be ended, if it has not.
public struct Exchange: Sendable {
    /// The request.
    public let request: HTTPRequest
    /// Whether the caller has all that it is going to get. What is told from then on means nothing.
    public private(set) var isOver = false
    /// Whether the reader of a stream has yet to take what was received last: until it does, the server should wait.
    public private(set) var isAheadOfReader = false
    /// Whether something of the answer has arrived.
    public var hasAnswer: Bool { head != nil }

    private let reports: Reports?
    private var caller: CheckedContinuation<HTTPResponse, any Error>?
    private var reader: AsyncThrowingStream<Data, any Error>.Continuation?
    private var head: HTTPResponse.Head?
    private var data = Data()
    private var progress: TransferProgress
    private var timing: Timing
    private var lastMove = ContinuousClock.now

    /// Makes an exchange that has not begun.
    public init(of request: HTTPRequest) {
        self.request = request
        timing = Timing(queued: lastMove)
        reports = request.progress.map(Reports.init)
        progress = TransferProgress(totalBytesToSend: request.body.map(\.length) ?? 0)
    }

    /// Takes who waits for the answer: all of it or, of a body that is read as it arrives, its head.
    public mutating func begin(_ caller: CheckedContinuation<HTTPResponse, any Error>) {
        guard !isOver else { return caller.resume(throwing: CancellationError()) }
        self.caller = caller
    }

    /// Ends an exchange in which nothing has moved for as long as the request's timeout; a reader that lets the server
    /// wait does not count.
    ///
    /// - Returns: After how long to check again.
    public mutating func checkSilence() -> Duration {
        let timeout = max(.zero, min(request.options.timeout, .seconds(1 << 30)))
        let left = isAheadOfReader ? timeout : timeout - lastMove.duration(to: .now)
        if left <= .zero {
            fail(TransportError(.timedOut, "nothing came for \(request.options.timeout)", request: request))
        }
        return left
    }

    // MARK: - What happens

    /// The request, or so many more bytes of its body, has gone out.
    public mutating func sent(_ count: Int) {
        moved {
            $0.timing.sent = $0.lastMove
            $0.progress.bytesSent += count
        }
    }

    /// The request is sent once more.
    public mutating func sendAgain() {
        moved { $0.progress.bytesSent = 0 }
    }

    /// The head of the answer has arrived.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - onDemand: Called on any thread when the reader of a stream has taken a piece: tell it ``readerTookPiece()``.
    ///   - onAbandon: Called on any thread when the reader of a stream stops before its end: tell it a
    ///     `CancellationError`.
    public mutating func receive(
        _ head: HTTPResponse.Head, onDemand: @escaping @Sendable () -> Void, onAbandon: @escaping @Sendable () -> Void
    ) {
        // A HEAD and a 304 tell the length of a body that does not come (RFC 9110, section 8.6).
        let hasBody = request.method != .head && head.status != 304
        let length = hasBody ? head.headers[.contentLength].flatMap { Int($0) } : 0
        self.head = head
        moved {
            $0.timing.firstByte = $0.lastMove
            // What is decompressed has another length than was told.
            $0.progress.totalBytesToReceive = head.headers[.contentEncoding] == nil ? length : nil
        }
        guard request.delivery(of: head) != .data else { return checkLimit(length ?? 0) }
        let (pieces, reader) = AsyncThrowingStream.makeStream(of: Data.self)
        reader.onTermination = { if case .cancelled = $0 { onAbandon() } }
        self.reader = reader
        let bytes = pieces.map { piece in
            onDemand()
            return piece
        }
        let body = ResponseBody(ByteStream(readingOnce: bytes))
        caller.take()?.resume(returning: HTTPResponse(head: head, body: body, timing: timing))
    }

    /// A piece of the body has arrived.
    public mutating func receive(_ piece: Data) {
        moved { $0.progress.bytesReceived += piece.count }
        if let reader {
            isAheadOfReader = true
            reader.yield(piece)
        } else {
            checkLimit(progress.bytesReceived)
            data.append(piece)
        }
    }

    /// The reader of a stream has taken the piece it was given.
    public mutating func readerTookPiece() {
        isAheadOfReader = false
        moved { _ in }
    }

    /// The answer is complete.
    public mutating func finish() {
        moved {
            $0.timing.finished = $0.lastMove
            $0.progress.totalBytesToReceive = $0.progress.bytesReceived
        }
        guard let head else { return fail(TransportError(.badResponse, request: request)) }
        end(.success(HTTPResponse(head: head, body: ResponseBody(data), timing: timing)))
    }

    /// It has failed: with a ``TransportError``, a ``RequestError`` or a `CancellationError`.
    public mutating func fail(_ error: any Error) {
        end(.failure(error))
    }

    // MARK: - What comes of it

    private mutating func moved(_ change: (inout Exchange) -> Void) {
        guard !isOver else { return }
        lastMove = .now
        change(&self)
        reports?.report(progress)
    }

    private mutating func checkLimit(_ count: Int) {
        guard let limit = request.options.sizeLimit, count > limit else { return }
        fail(TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request))
    }

    private mutating func end(_ result: Result<HTTPResponse, any Error>) {
        guard !isOver else { return }
        isOver = true
        data = Data()
        let (caller, reader) = (caller.take(), reader.take())
        // Behind the last report, but for a failure, which nothing may delay.
        if let reports, case .success = result {
            return reports.finish(progress) { Self.tell(caller, reader, result) }
        }
        reports?.cancel()
        Self.tell(caller, reader, result)
    }

    private static func tell(
        _ caller: CheckedContinuation<HTTPResponse, any Error>?,
        _ reader: AsyncThrowingStream<Data, any Error>.Continuation?,
        _ result: Result<HTTPResponse, any Error>
    ) {
        caller?.resume(with: result)
        if case .failure(let error) = result { reader?.finish(throwing: error) } else { reader?.finish() }
    }
}

/// Tells a caller how far a transfer has come: one report at a time, and not where the transfer happens, which nothing
/// that a caller does may hold up. Of reports that come faster than they are taken, it tells the last.
private struct Reports: Sendable {
    private let source: AsyncStream<(TransferProgress, then: (@Sendable () -> Void)?)>.Continuation

    init(_ tell: @escaping @Sendable (TransferProgress) -> Void) {
        let (reports, source) = AsyncStream.makeStream(
            of: (TransferProgress, then: (@Sendable () -> Void)?).self, bufferingPolicy: .bufferingNewest(1))
        self.source = source
        // For as long as the exchange: whoever is told may take any time, and may wait for what the engine is to do.
        Task {
            for await report in reports {
                tell(report.0)
                report.then?()
            }
        }
    }

    func report(_ progress: TransferProgress) {
        source.yield((progress, nil))
    }

    /// Tells the last report, and does something behind it.
    func finish(_ progress: TransferProgress, then work: @escaping @Sendable () -> Void) {
        source.yield((progress, work))
        source.finish()
    }

    func cancel() {
        source.finish()
    }
}
