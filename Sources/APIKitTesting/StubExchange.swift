import APIKitCore

/// One request that a stub answers: what an engine does with time, progress and the delivery of the body.
struct StubExchange: Sendable {
    let request: HTTPRequest
    let clock: any Clock<Duration>

    /// Waits on the clock.
    ///
    /// - Throws: ``TransportError`` with the code `timedOut`, after the request's timeout, if that is not longer;
    ///   `CancellationError`.
    func wait(for duration: Duration) async throws {
        guard duration > .zero else { return }
        let timeout = request.options.timeout
        try await clock.sleep(for: min(duration, timeout).clampedForSleep)
        guard duration < timeout else {
            throw TransportError(.timedOut, "no data received for \(timeout)", request: request)
        }
    }

    /// Reads the body of the request as an engine does that sends it, and reports how many bytes were sent.
    ///
    /// - Returns: The progress so far.
    func reportSending() async throws -> TransferProgress {
        var progress = TransferProgress(totalBytesToSend: request.body.map(\.length) ?? 0)
        request.progress?(progress)
        guard let body = request.body else { return progress }
        for try await piece in body.bytes {
            progress.bytesSent += piece.count
            request.progress?(progress)
        }
        return progress
    }

    /// Delivers a canned response as the request says.
    func deliver(_ response: HTTPResponse, _ progress: TransferProgress?) async throws -> HTTPResponse {
        guard response.body.finished == nil else { return response }
        // The fast path of most answers: the bytes are in memory, and no progress is reported.
        if progress == nil, request.delivery(of: response.head) == .data, let data = response.body.data,
            data.count <= sizeLimit
        {
            return response
        }
        var progress = progress
        progress?.totalBytesToReceive = response.body.data?.count
        let bytes = PlayedBytes(response.body.bytes, in: self)
        var delivered = try await deliver(bytes, response.head, progress)
        (delivered.timing, delivered.source) = (response.timing, response.source)
        return delivered
    }

    /// Delivers bytes as the request says: a stream as they are read, otherwise once all have arrived.
    func deliver(
        _ bytes: PlayedBytes, _ head: HTTPResponse.Head, _ progress: TransferProgress?
    ) async throws -> HTTPResponse {
        var bytes = bytes
        bytes.progress = progress
        bytes.progress?.totalBytesToReceive =
            try head.bodyLength(for: request.method) ?? progress?.totalBytesToReceive
        if let progress = bytes.progress { request.progress?(progress) }
        let stream = ByteStream(readingOnce: bytes)
        let body =
            switch request.delivery(of: head) {
            case .data: ResponseBody(try await stream.data(upTo: sizeLimit))
            case .stream: ResponseBody(stream)
            case .file: ResponseBody(try await TemporaryFile(of: stream).removal)
            }
        return HTTPResponse(head: head, body: body)
    }

    private var sizeLimit: Int { request.options.sizeLimit }
}

/// The body of an answer as it arrives: with the time between its pieces, progress, and a failure at the end.
struct PlayedBytes: AsyncSequence, Sendable {
    typealias Element = Data

    private let base: ByteStream
    private let exchange: StubExchange
    private let interval: Duration
    private let failure: (any Error)?
    /// The progress before the first piece; nil if nobody wants reports.
    var progress: TransferProgress?

    init(_ base: ByteStream, in exchange: StubExchange, every interval: Duration = .zero, failure: (any Error)? = nil) {
        self.base = base
        self.exchange = exchange
        self.interval = interval
        self.failure = failure
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), source: self, progress: progress)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: ByteStream.Iterator
        fileprivate let source: PlayedBytes
        fileprivate var progress: TransferProgress?
        private var isFirst = true

        fileprivate init(base: ByteStream.Iterator, source: PlayedBytes, progress: TransferProgress?) {
            self.base = base
            self.source = source
            self.progress = progress
        }

        @concurrent
        mutating func next() async throws -> Data? {
            let piece = try await base.next()
            if !isFirst, piece != nil || source.failure != nil { try await source.exchange.wait(for: source.interval) }
            isFirst = false
            if piece == nil, let failure = source.failure { throw failure }
            report(piece)
            return piece
        }

        /// Reports a piece, or the end, where the total is known.
        private mutating func report(_ piece: Data?) {
            guard var progress else { return }
            progress.bytesReceived += piece?.count ?? 0
            if piece == nil { progress.totalBytesToReceive = progress.bytesReceived }
            if progress != self.progress { source.exchange.request.progress?(progress) }
            self.progress = progress
        }
    }
}
