public import APIKitCore
import APIKitSupport
import APIKitTesting

extension APIClient {
    /// Returns a client that appends every attempt to a HAR, with secrets masked, for tests and debugging.
    ///
    /// ```swift
    /// let har = HARFile(URL(fileURLWithPath: "Fixtures/users.har"))
    /// let client = URLSession.api.recording(to: har)
    /// ```
    ///
    /// What counts as one attempt is described at ``APIClient/observed(_:)``: place this client next to the
    /// engine to record each hop of a redirect and each attempt as it is sent. ``HARFile`` says what is masked.
    ///
    /// - A failed request is recorded with the status 0, as browsers do, and replayed as the same
    ///   ``TransportError``. A request that is cancelled, or that cannot be sent, is not recorded.
    /// - A stream is passed on as it arrives, and recorded when it has ended or was released, with the time at which
    ///   each piece came. If it was not read to its end, or fails, replaying it fails at the same place.
    /// - A file in a body is read into the recording. A body above the limit of the ``HARFile`` and a typed answer of a
    ///   stub are not recorded; a comment in the entry says why.
    /// - The body stream of a request is opened a second time to record its bytes.
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

    /// Performs a request, and appends it to the file with its response, or with the error that was thrown. If the
    /// response is a stream, its entry is appended when the stream ends: see ``RecordedStream``.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        let sent = try request.prepared(in: call)
        // Throws before the request is sent if no entry can be written.
        try har.prepare()
        var exchange = RecordedExchange(sent)
        let response: HTTPResponse
        do {
            // The base client prepares the request itself.
            response = try await base.perform(request, in: call)
        } catch {
            try await record(failure: error, of: exchange)
            throw error
        }
        exchange.response = response
        try await exchange.readRequestBody(upTo: har.bodyLimit)
        if response.body.isStream { return recordingStream(of: response, exchange, clock: call.clock) }
        exchange.responseBody = try await recordedBody(of: response)
        try har.append(exchange.entry(har.vocabulary))
        return response
    }

    /// Appends the entry of a request that has failed, unless it was cancelled or not sent.
    private func record(failure: any Error, of failedExchange: RecordedExchange) async throws {
        let isCancelled = Task.isCancelled || failure is CancellationError
        // A `RequestError` means that the request is not valid, so that nothing was sent.
        let wasSent = !(failure is RequestError)
        guard wasSent, !isCancelled else { return }
        var exchange = failedExchange
        exchange.failure = failure
        try await exchange.readRequestBody(upTo: har.bodyLimit)
        try har.append(exchange.entry(har.vocabulary))
    }

    /// Returns the response with a body stream that records each piece when the caller reads it.
    private func recordingStream(
        of response: HTTPResponse, _ exchange: RecordedExchange, clock: any Clock<Duration>
    ) -> HTTPResponse {
        var response = response
        let stream = RecordedStream(exchange, har, clock: clock)
        response.body = response.body.readingStream { next in try await stream.read(next) }
        return response
    }

    /// Reads the body of a response for its entry. The body of an engine stays readable for the caller.
    private func recordedBody(of response: HTTPResponse) async throws -> RecordedExchange.Body {
        guard response.body.typedAnswer == nil else {
            return RecordedExchange.Body(comment: "a stub's typed answer has no bytes")
        }
        return try await RecordedExchange.Body(reading: response.body.bytes, upTo: har.bodyLimit)
    }
}

/// Collects the pieces of a body stream, and appends one entry to the file.
///
/// The entry is written when the stream ends or fails, or when it is released before that.
private final class RecordedStream: Sendable {
    private struct State: Sendable {
        /// The exchange without its response body; nil after its entry was taken, so that there is only one.
        var exchange: RecordedExchange?
        /// The bytes so far; empty if they are more than the limit.
        var data = Data()
        var pieces: [RecordedExchange.Piece] = []
        /// Whether the body is larger than the limit, so that none of it is recorded.
        var isTooLarge = false

        /// Appends a piece to the recorded body. Beyond the limit, discards all pieces, and ignores those that follow.
        mutating func append(_ piece: Data, at time: Duration, upTo limit: Int) {
            if isTooLarge { return }
            data.append(piece)
            if data.count <= limit {
                pieces.append(RecordedExchange.Piece(time: time, end: data.count))
            } else {
                isTooLarge = true
                data = Data()
                pieces = []
            }
        }
    }

    private let har: HARFile
    private let timeSinceHead: Stopwatch
    private let state: Locked<State>

    /// Begins to record the body of an exchange whose response has just arrived.
    init(_ exchange: RecordedExchange, _ har: HARFile, clock: any Clock<Duration>) {
        var exchange = exchange
        // The entry needs only the head of the response. The body would keep the transfer alive.
        exchange.response?.body = ResponseBody()
        self.har = har
        timeSinceHead = Stopwatch(clock)
        state = Locked(State(exchange: exchange))
    }

    deinit {
        let problem = "the recording of this body ends here, since it was not read to its end"
        if let entry = takeEntry(failure: TransportError(.unsupported, problem)) { har.appendUnattended(entry) }
    }

    /// Reads the next piece for the caller, and records it. At the end of the stream, or if it fails, appends the
    /// entry.
    func read(_ next: ResponseBody.Step) async throws -> Data? {
        let piece: Data?
        do {
            piece = try await next()
        } catch {
            // A cancelled reader releases the stream, and `deinit` then records that it was not read to its end.
            if !(error is CancellationError) { try appendEntry(failure: error) }
            throw error
        }
        if let piece {
            let time = timeSinceHead.elapsed
            state.withLock { [limit = har.bodyLimit] state in state.append(piece, at: time, upTo: limit) }
        } else {
            try appendEntry(failure: nil)
        }
        return piece
    }

    private func appendEntry(failure: (any Error)?) throws {
        if let entry = takeEntry(failure: failure) { try har.append(entry) }
    }

    /// Removes the exchange from the state and returns its entry; nil if it was taken before.
    private func takeEntry(failure: (any Error)?) -> JSONValue? {
        let taken = state.withLock { state in
            let stateBefore = state
            state.exchange = nil
            return stateBefore
        }
        guard var exchange = taken.exchange else { return nil }
        exchange.failure = failure
        if taken.isTooLarge {
            let comment = "the body was not recorded: the body is larger than the limit of \(har.bodyLimit) bytes"
            exchange.responseBody = RecordedExchange.Body(comment: comment)
        } else {
            exchange.responseBody = RecordedExchange.Body(data: taken.data, pieces: taken.pieces)
        }
        return exchange.entry(har.vocabulary)
    }
}
