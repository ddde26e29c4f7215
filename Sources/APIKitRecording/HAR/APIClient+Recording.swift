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
        var response: HTTPResponse
        do {
            response = try await base.perform(request, in: call)
        } catch {
            guard !Task.isCancelled, !(error is CancellationError), !(error is RequestError) else { throw error }
            exchange.failure = error
            try await exchange.readRequestBody(upTo: har.bodyLimit)
            try har.append(exchange.entry(har.vocabulary))
            throw error
        }
        exchange.response = response
        try await exchange.readRequestBody(upTo: har.bodyLimit)
        if response.body.isStream {
            let stream = RecordedStream(exchange, har, clock: call.clock)
            response.body = response.body.readingStream { next in try await stream.read(next) }
            return response
        }
        exchange.responseBody =
            response.body.finished == nil
            ? try await RecordedExchange.Body(reading: response.body.bytes, upTo: har.bodyLimit)
            : RecordedExchange.Body(comment: "a stub's typed answer has no bytes")
        try har.append(exchange.entry(har.vocabulary))
        return response
    }
}

/// A stream that is recorded once: at its end, or when it is released.
private final class RecordedStream: Sendable {
    private struct State: Sendable {
        /// Nil once it is recorded.
        var exchange: RecordedExchange?
        /// Nil once it is too large.
        var data: Data? = Data()
        var pieces: [(time: Duration, end: Int)] = []
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
        if let entry = end(TransportError(.unsupported, problem)) { har.appendUnattended(entry) }
    }

    func read(_ next: ResponseBody.Step) async throws -> Data? {
        do {
            if let piece = try await next() {
                state.withLock { [limit = har.bodyLimit, time = timeSinceHead.elapsed] state in
                    state.data?.append(piece)
                    if let count = state.data?.count, count <= limit {
                        state.pieces.append((time, count))
                    } else {
                        (state.data, state.pieces) = (nil, [])
                    }
                }
                return piece
            }
        } catch {
            // A cancelled reader has left, which is recorded as such once it releases the stream.
            if !(error is CancellationError), let entry = end(error) { try har.append(entry) }
            throw error
        }
        if let entry = end(nil) { try har.append(entry) }
        return nil
    }

    /// The entry, the first time.
    private func end(_ error: (any Error)?) -> JSONValue? {
        let (exchange, data, pieces) = state.withLock { ($0.exchange.take(), $0.data, $0.pieces) }
        guard var exchange else { return nil }
        let tooLarge = "the body was not recorded: the body is larger than the limit of \(har.bodyLimit) bytes"
        exchange.failure = error
        exchange.responseBody = RecordedExchange.Body(
            data: data, comment: data == nil ? tooLarge : nil, pieces: pieces)
        return exchange.entry(har.vocabulary)
    }
}
