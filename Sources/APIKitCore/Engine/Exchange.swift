/// One request on its way, for an engine that is called back: it is told what happens, and gives the answer once, as the
/// request wants it, within its limits, with progress and timing. <doc:WritingAnEngine> shows how.
///
/// It is a value without a lock. An engine keeps it where one thread at a time comes, such as an event loop. It checks
/// ``isOver`` after each event, and then ends the transfer.
public struct Exchange: Sendable {
    /// Has an engine change the exchange where it keeps it; called on any thread. What is told first happens first:
    /// later, or under a lock, and never within another event.
    public typealias Teller = @Sendable (_ event: @escaping @Sendable (inout Exchange) -> Void) -> Void

    /// The request.
    public let request: HTTPRequest
    /// Whether the caller has all that it is going to get. What happens from then on means nothing.
    public private(set) var isOver = false
    /// Whether the reader of a stream has yet to take what was received last: until then the server should wait.
    public var isAheadOfReader: Bool { unreadPieces > 0 }
    /// Whether the request is on its way for the second time.
    public private(set) var isRepeat = false
    /// Whether the request may be sent once more when its connection breaks: for the first time, before an answer, and
    /// with a method that is idempotent (RFC 9110, section 9.2.2).
    public var mayRepeat: Bool { !isOver && !isRepeat && head == nil && request.method.isIdempotent }
    /// How long the body is that the head of the answer tells of, once it is there: nil where that is not told, and 0 of
    /// a 204, and of a HEAD and a 304, which tell the length of one that does not come (RFC 9110, section 8.6).
    public private(set) var bodyLength: Int?

    private var unreadPieces = 0
    private var unreadBytes = 0
    private var reports: ProgressReports?
    /// Delivers a result by an event of its own; there if there are reports.
    private var deliverLater: (@Sendable (Result<HTTPResponse, any Error>) -> Void)?
    private var caller: CheckedContinuation<HTTPResponse, any Error>?
    private var reader: AsyncThrowingStream<Data, any Error>.Continuation?
    private var head: HTTPResponse.Head?
    private var failure: (any Error)?
    private var data = Data()
    private var progress: TransferProgress
    private var timing: HTTPResponse.Timing
    private var lastMove = ContinuousClock.now

    /// Makes an exchange that has not begun.
    public init(of request: HTTPRequest) {
        self.request = request
        timing = HTTPResponse.Timing(queued: lastMove)
        progress = TransferProgress(totalBytesToSend: request.body.map(\.length) ?? 0)
    }

    /// Waits for the answer to a request; all of an engine's ``APIClient/perform(_:)`` but the sending.
    ///
    /// - Parameters:
    ///   - request: The request, as ``HTTPRequest/validated()`` returns it.
    ///   - tell: Changes the exchange of this request.
    ///   - send: Sends the request.
    /// - Returns: The answer; of a body that is read as it arrives, the head and the stream.
    /// - Throws: ``TransportError`` with the code `unsupported` for a delivery other than data, stream and file, what the
    ///   exchange fails with, and `CancellationError`.
    public static func answer(
        to request: HTTPRequest, telling tell: @escaping Teller, send: () -> Void
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        var response = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                tell { $0.begin(continuation, telling: tell) }
                send()
            }
        } onCancel: {
            tell { $0.fail(CancellationError()) }
        }
        if request.delivery(of: response.head) == .file {
            response.body = ResponseBody(try await TemporaryFile(of: response.body.bytes))
            response.timing.finished = .now
        }
        return response
    }

    // MARK: - What happens

    /// So many more bytes of the request's body have gone out; 0 for its head.
    public mutating func sent(_ count: Int) {
        moved {
            $0.timing.sent = $0.lastMove
            $0.progress.bytesSent = min($0.progress.bytesSent + count, $0.progress.totalBytesToSend ?? .max)
        }
    }

    /// The request is sent once more, from its start.
    public mutating func sendAgain() {
        isRepeat = true
        moved { $0.progress.bytesSent = 0 }
    }

    /// The head of the answer has arrived; informational ones (RFC 9110, section 15.2) are not told.
    ///
    /// A `Content-Length` that is not a number, or past the largest, is a ``TransportError`` with the code `badResponse`,
    /// unless a `Transfer-Encoding` overrides it (RFC 9112, section 6.3).
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - tell: With what the reader of a stream says that it took a piece, or leaves.
    public mutating func receive(_ head: HTTPResponse.Head, telling tell: @escaping Teller) {
        guard !isOver, self.head == nil else { return }
        let hasBody = request.method != .head && ![204, 304].contains(head.status)
        let length: Int?
        do throws(TransportError) {
            length = hasBody ? try Self.claimedLength(of: head) : 0
        } catch {
            return fail(error)
        }
        self.head = head
        bodyLength = length
        moved {
            $0.timing.firstByte = $0.lastMove
            // What is decompressed has another length than was told.
            let isPlain = head.headers[.contentEncoding].map { $0.lowercased() == "identity" } ?? true
            $0.progress.totalBytesToReceive = length == 0 || isPlain ? length : nil
        }
        guard request.delivery(of: head) != .data else { return checkLimit(length ?? 0) }
        let body = ResponseBody(startStream(telling: tell))
        caller.take()?.resume(returning: HTTPResponse(head: head, body: body, timing: timing))
    }

    /// A piece of the body has arrived.
    ///
    /// What a stream's reader has yet to take may be as large as ``RequestOptions/sizeLimit``, but for one piece; past it,
    /// the exchange fails with the code `bodyTooLarge`. An engine that waits while ``isAheadOfReader`` stays within it. For a
    /// file it is 64 MiB at least.
    public mutating func receive(_ piece: Data) {
        guard !isOver else { return }
        moved { $0.progress.bytesReceived += piece.count }
        if let reader {
            // One piece may always wait: an engine that has the server wait never meets the limit.
            if isAheadOfReader { checkLimit(ofUnread: unreadBytes + piece.count) }
            guard !isOver else { return }
            unreadPieces += 1
            unreadBytes += piece.count
            reader.yield(piece)
        } else {
            data.append(piece)
            checkLimit(data.count)
        }
    }

    /// The answer is complete; without a head it is a ``TransportError`` with the code `badResponse`.
    public mutating func finish() {
        guard let head else { return fail(TransportError(.badResponse, request: request)) }
        timing.finished = .now
        progress.totalBytesToReceive = progress.bytesReceived
        end(.success(HTTPResponse(head: head, body: ResponseBody(data), timing: timing)))
    }

    /// It has failed, with a ``TransportError``, a ``RequestError`` or a `CancellationError`; only the first end counts. A
    /// ``TransportError`` that names no request names this one.
    public mutating func fail(_ error: any Error) {
        end(.failure((error as? TransportError)?.withRequest(request) ?? error))
        // A result may be waiting for the last report to return, which can take any time.
        if error is CancellationError { deliver(.failure(error)) }
    }

    /// Ends an exchange in which nothing has moved for as long as the request's timeout; a reader that lets the server
    /// wait does not count.
    ///
    /// - Returns: After how long to check again; zero or less once it is over.
    public mutating func checkSilence() -> Duration {
        let timeout = max(.zero, min(request.options.timeout, .seconds(1 << 30)))
        if isAheadOfReader { return max(timeout, .milliseconds(1)) }
        let left = timeout - lastMove.duration(to: .now)
        if left <= .zero {
            fail(TransportError(.timedOut, "no data received for \(request.options.timeout)", request: request))
        }
        return left
    }

    // MARK: - What comes of it

    private mutating func begin(
        _ caller: CheckedContinuation<HTTPResponse, any Error>, telling tell: @escaping Teller
    ) {
        if let failure { return caller.resume(throwing: failure) }
        self.caller = caller
        guard let progress = request.progress else { return }
        reports = ProgressReports(progress) { tell { $0.reports?.tellNext() } }
        deliverLater = { result in tell { $0.deliver(result) } }
    }

    private mutating func startStream(telling tell: @escaping Teller) -> ByteStream {
        let (pieces, reader) = AsyncThrowingStream.makeStream(of: Data.self)
        self.reader = reader
        reader.onTermination = { end in
            if case .cancelled = end { tell { $0.fail(CancellationError()) } }
        }
        let taken = pieces.map { piece in
            let count = piece.count
            tell { $0.readerTookPiece(of: count) }
            return piece
        }
        return ByteStream(readingOnce: taken)
    }

    private mutating func readerTookPiece(of count: Int) {
        guard !isOver else { return }
        unreadPieces -= 1
        unreadBytes -= count
        lastMove = .now
    }

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

    private mutating func checkLimit(ofUnread count: Int) {
        guard var limit = request.options.sizeLimit else { return }
        // A file may be larger than any limit, and its disk slower than the server.
        if request.delivery == .file { limit = max(limit, 64 << 20) }
        guard count > limit else { return }
        let message = "the body is read more slowly than it arrives: more than \(limit) bytes wait to be read"
        fail(TransportError(.bodyTooLarge, message, request: request))
    }

    /// The length that a head claims for its body (RFC 9110, section 8.6): nil without a claim, and if the body has a
    /// `Transfer-Encoding`, which overrides a `Content-Length` (RFC 9112, section 6.3).
    private static func claimedLength(of head: HTTPResponse.Head) throws(TransportError) -> Int? {
        guard head.headers[.transferEncoding] == nil else { return nil }
        let values = head.headers.values(for: .contentLength).flatMap { $0.split(separator: ",") }
        let claims = Set(values.map { String($0.trimmingSpaces()) })
        guard let claim = claims.first else { return nil }
        let isNumber = claim.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard claims.count == 1, isNumber, let length = Int(claim) else {
            throw TransportError(.badResponse, "invalid Content-Length")
        }
        return length
    }

    private mutating func end(_ result: Result<HTTPResponse, any Error>) {
        guard !isOver else { return }
        isOver = true
        if case .failure(let error) = result { failure = error }
        (unreadPieces, unreadBytes) = (0, 0)
        data = Data()
        let (reports, deliverLater) = (reports.take(), deliverLater.take())
        // After the last report; failures are delivered immediately.
        if let reports, let deliverLater, case .success = result {
            return reports.finish(progress) { deliverLater(result) }
        }
        deliver(result)
    }

    /// Delivers the result to the caller or the reader of a stream, if either still waits.
    private mutating func deliver(_ result: Result<HTTPResponse, any Error>) {
        caller.take()?.resume(with: result)
        if case .failure(let error) = result { reader?.finish(throwing: error) } else { reader?.finish() }
        reader = nil
    }
}
