public import APIKitCore
import APIKitTesting

extension APIClient {
    /// Returns a client that appends every attempt to a HAR, with secrets masked, for tests and debugging.
    ///
    /// ```swift
    /// let client = URLSession.api.recording(to: HARFile(URL(fileURLWithPath: "Fixtures/users.har")))
    /// ```
    ///
    /// What counts as one attempt is described at ``APIClient/observed(_:)``: place this client next to the
    /// engine to record each hop of a redirect and each attempt as it is sent. ``HARFile`` says what is masked.
    ///
    /// - A failed request is recorded with the status 0, as browsers do, and replayed as the same
    ///   ``TransportError``. A request that is cancelled, or that cannot be sent, is not recorded.
    /// - A stream is passed on as it arrives, and recorded when it has ended or was released, with the time at which
    ///   each piece came. If it was not read to its end, or fails, replaying it fails at the same place.
    /// - Files are read for the recording. Bodies above the limit of the ``HARFile``, and typed answers of a stub, are
    ///   not recorded, and the entry says so.
    /// - The stream of a request's body is opened once more for the recording.
    ///
    /// A file that cannot be written, or that is not a HAR, fails each request with a ``TransportError``
    /// with the code `fileFailed`, before anything is sent if possible; for a stream that is released early, the next
    /// request.
    ///
    /// - Parameter har: The file to append to, which is created if it does not exist.
    /// - Returns: The client.
    public func recording(to har: HARFile) -> some APIClient {
        RecordingClient(base: self, har: har)
    }
}

private struct RecordingClient: WrappingClient {
    let base: any APIClient
    let har: HARFile

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let sent = try request.prepared(in: call)
        try har.prepare()
        var exchange = RecordedExchange(sent)
        let response: HTTPResponse
        do {
            response = try await base.perform(request, in: call)
        } catch {
            let isCancelled = Task.isCancelled || error is CancellationError
            let wasSent = !(error is RequestError)
            guard wasSent, !isCancelled else { throw error }
            exchange.failure = error
            try await exchange.readRequestBody(upTo: har.bodyLimit)
            try har.append(exchange.entry(har.vocabulary))
            throw error
        }
        exchange.response = response
        try await exchange.readRequestBody(upTo: har.bodyLimit)
        if response.body.isStream { return recordingStream(of: response, exchange, clock: call.clock) }
        exchange.responseBody = try await body(of: response)
        try har.append(exchange.entry(har.vocabulary))
        return response
    }

    /// The response, whose stream is recorded as it is read.
    private func recordingStream(
        of response: HTTPResponse, _ exchange: RecordedExchange, clock: any Clock<Duration>
    ) -> HTTPResponse {
        var response = response
        let stream = RecordedStream(exchange, har, clock: clock)
        response.body = response.body.readingStream { next in try await stream.read(next) }
        return response
    }

    private func body(of response: HTTPResponse) async throws -> RecordedExchange.Body {
        guard response.body.finished == nil else {
            return RecordedExchange.Body(comment: "a stub's typed answer has no bytes")
        }
        return try await RecordedExchange.Body(reading: response.body.bytes, upTo: har.bodyLimit)
    }
}

/// A stream that is recorded once: at its end, or when it is released.
private final class RecordedStream: Sendable {
    private struct State: Sendable {
        /// Nil once it is recorded.
        var exchange: RecordedExchange?
        /// Nil once it is too large.
        var data: Data? = Data()
        var pieces: [RecordedExchange.Piece] = []

        mutating func append(_ piece: Data, at time: Duration, upTo limit: Int) {
            data?.append(piece)
            if let count = data?.count, count <= limit {
                pieces.append(RecordedExchange.Piece(time: time, end: count))
            } else {
                data = nil
                pieces = []
            }
        }
    }

    private let har: HARFile
    private let timeSinceHead: Stopwatch
    private let state: Locked<State>

    init(_ exchange: RecordedExchange, _ har: HARFile, clock: any Clock<Duration>) {
        var exchange = exchange
        // Only the head is needed, and the body would keep the transfer.
        exchange.response?.body = ResponseBody()
        self.har = har
        timeSinceHead = Stopwatch(clock)
        state = Locked(State(exchange: exchange))
    }

    deinit {
        let problem = "the recording of this body ends here, since it was not read to its end"
        if let entry = takeEntry(failure: TransportError(.unsupported, problem)) { har.appendUnattended(entry) }
    }

    func read(_ next: ResponseBody.Step) async throws -> Data? {
        let piece: Data?
        do {
            piece = try await next()
        } catch {
            // A cancelled reader has left, which is recorded as such once it releases the stream.
            if !(error is CancellationError) { try append(failure: error) }
            throw error
        }
        if let piece {
            let time = timeSinceHead.elapsed
            state.withLock { [limit = har.bodyLimit] state in state.append(piece, at: time, upTo: limit) }
        } else {
            try append(failure: nil)
        }
        return piece
    }

    private func append(failure: (any Error)?) throws {
        if let entry = takeEntry(failure: failure) { try har.append(entry) }
    }

    /// The entry of the stream; nil if it was taken before.
    private func takeEntry(failure: (any Error)?) -> JSONValue? {
        let ended = state.withLock { state in
            let current = state
            state.exchange = nil
            return current
        }
        guard var exchange = ended.exchange else { return nil }
        exchange.failure = failure
        exchange.responseBody = RecordedExchange.Body(data: ended.data, pieces: ended.pieces)
        if ended.data == nil {
            exchange.responseBody.comment =
                "the body was not recorded: the body is larger than the limit of \(har.bodyLimit) bytes"
        }
        return exchange.entry(har.vocabulary)
    }
}
