import APIKitSupport

// The engine's side: the events that an engine reports.
extension Exchange {
    /// Whether the response is complete, or the exchange has failed. An engine then sends nothing more, and its reports
    /// are ignored.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Whether the head of the response has been reported.
    public var hasHead: Bool { state.withLock { $0.hasHead } }

    /// Whether the engine should make the server wait, because enough bytes wait for the reader of a stream.
    ///
    /// The reader may catch up before the engine has paused. Check this again after pausing, or pause and resume on one
    /// thread, such as an event loop's thread.
    public var shouldPause: Bool { state.withLock { $0.isPaused } }

    /// Registers the engine's side. An engine calls this right before it sends.
    ///
    /// - Parameters:
    ///   - stop: Stops the transfer. Called at most once, on any thread: if the exchange fails, because it was
    ///     cancelled, met a limit, or the engine reported a failure; or if the rest of the body is not needed, such as
    ///     that of a redirect.
    ///   - resume: Ends a pause. Called on any thread once the reader has taken the bytes that waited, and possibly
    ///     after `stop`. Nil if the engine cannot make the server wait.
    /// - Returns: False if the exchange is over already; the engine then sends nothing.
    public func begin(stop: @escaping @Sendable () -> Void, resume: (@Sendable () -> Void)? = nil) -> Bool {
        update { $0.begin(Transport(stop: stop, resume: resume)) }
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
    ///
    /// Each engine calls this when it has sent something, whether anybody observes the progress or not: a request of
    /// which nothing was sent may be sent again although the clients of its call forbid it.
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
        guard let response = expectedResponse(with: head, decoding: codings) else { return }
        update { $0.receive(response) }
    }

    /// Reports a piece of the body, whose content codings the engine has decoded.
    public func receive(_ piece: Data) {
        // A reader may expect that the bytes begin at index 0, which they do not in a part of an engine's buffer.
        let piece = piece.startIndex == 0 ? piece : Data(piece)
        if let file = update({ $0.receive(piece) }) { write(piece, to: file) }
    }

    /// Writes a piece of the body to the file that the response is delivered in. If that is impossible, the exchange
    /// fails.
    private func write(_ piece: Data, to file: TemporaryFile) {
        do throws(TransportError) {
            try file.write(piece)
        } catch {
            fail(error)
        }
    }

    /// Reports that the response is complete. Without a head the exchange fails with the code `badResponse`.
    ///
    /// - Parameter trailers: The fields after the body. Those that have a meaning only in a head, such as
    ///   `Content-Length` and `Set-Cookie`, are dropped (RFC 9110, section 6.5.1).
    public func finish(trailers: HTTPHeaders = [:]) {
        let trailers = trailers.allowedAsTrailers
        update { $0.finish(trailers) }
    }

    /// Reports a response that has arrived as a whole. This is the same as ``receive(_:decoding:)``, ``receive(_:)``
    /// and ``finish(trailers:)`` one after another, and costs less. The `Content-Length` is not looked at, since the
    /// engine knows where the body has ended.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - body: The whole body, whose content codings the engine has decoded.
    ///   - trailers: The fields after the body.
    ///   - codings: The content codings that the engine decodes; nil if they are not to be checked.
    public func finish(
        with head: HTTPResponse.Head, body: Data, trailers: HTTPHeaders = [:], decoding codings: Set<String>? = nil
    ) {
        let trailers = trailers.allowedAsTrailers
        let response = expectedResponse(with: head, bodyLength: body.count, decoding: codings)
        if let file = update({ $0.receive(response, whole: body, trailers) }) {
            write(body, to: file)
            update { $0.finish(trailers) }
        }
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
}
