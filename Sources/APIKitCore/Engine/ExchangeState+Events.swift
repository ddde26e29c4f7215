import APIKitSupport

// What the events of an engine change.
extension ExchangeState {
    // MARK: - Sending

    /// Registers the engine's side.
    ///
    /// - Returns: Whether the engine is to send the request; false if the exchange is over, for example because it was
    ///   cancelled first.
    mutating func begin(_ transport: Exchange.Transport) -> Bool {
        switch phase {
        case .waiting(let sending):
            phase = .waiting(Sending(transport: transport, mayReplace: sending.mayReplace))
            return true
        case .receiving(let response, _):
            // The head was reported first. The transfer of the body can still be stopped and paused.
            phase = .receiving(response, from: transport)
            return true
        case .complete, .ended:
            return false
        }
    }

    /// Notes how many bytes of the request's body have been sent so far.
    mutating func sent(total: Int) {
        guard !isOver else { return }
        let now = time.elapsed
        timeout.restart(at: now)
        timing.sent = now
        progress.bytesSent = min(total, progress.totalBytesToSend ?? .max)
        report()
    }

    // MARK: - Receiving

    /// Returns what exists until the head arrives: the engine's side, and the closure that says whether a client
    /// replaces the response. Nil if another head has arrived before or the exchange is over.
    ///
    /// The closure is removed from the state even if it is not called, since it may keep a client alive.
    mutating func takeSending() -> Sending? {
        guard case .waiting(let sending) = phase else { return nil }
        if sending.mayReplace != nil { phase = .waiting(Sending(transport: sending.transport, mayReplace: nil)) }
        return sending
    }

    /// Begins to receive the body of a response whose head has arrived. A stream is delivered now; any other body when
    /// it is complete. A second head is ignored.
    mutating func receive(_ response: Response) {
        receive(response, at: time.elapsed)
    }

    private mutating func receive(_ response: Response, at now: Duration) {
        guard case .waiting(let sending) = phase else { return }
        timeout.restart(at: now)
        timing.firstByte = now
        // If a download continues, earlier requests have received the bytes before this part.
        progress.bytesReceived = response.part.offset
        progress.totalBytesToReceive = response.part.total
        report()
        phase = .receiving(response, from: sending.transport)
        resumeCallerWithResult()
    }

    /// Receives a piece of the body. If the piece is accepted, it restarts the timeout and is counted. If it exceeds a
    /// limit, the exchange fails. An empty piece, and one before the head or after the end, is ignored.
    ///
    /// - Returns: The file that the piece is to be written to; nil if the exchange has nothing to do with the piece.
    mutating func receive(_ piece: Data) -> TemporaryFile? {
        receive(piece, at: time.elapsed)
    }

    private mutating func receive(_ piece: Data, at now: Duration) -> TemporaryFile? {
        // A compressed piece may decode to nothing. It does not count as an event that restarts the timeout: a server
        // that sends only such pieces makes no progress.
        if piece.isEmpty { return nil }
        guard case .receiving(let response, let transport) = phase else { return nil }
        let canPause = transport?.canPause ?? false
        switch response.body.add(piece, announced: progress.totalBytesToReceive, canPause: canPause) {
        case .stored:
            count(piece, at: now)
        case .writes(let file):
            count(piece, at: now)
            return file
        case .resumes(let reader):
            effects.append(.resumeReader(reader, .success(piece)))
            count(piece, at: now)
        case .completesBeginning:
            count(piece, at: now)
            stopAfterBeginning(at: now)
        case .exceedsSizeLimit:
            fail(TransportError.bodyTooLarge(for: request), isUnsent: false)
        case .exceedsUnreadLimit:
            fail(TransportError.tooManyUnreadBytes(for: request), isUnsent: false)
        }
        return nil
    }

    /// Receives a response that has arrived as a whole: its head, its body and its end, which have happened at the same
    /// time. Without a response, because a head has arrived before, receives only the body and the end.
    ///
    /// - Returns: The file that the body is to be written to, before the end is reported; nil if the end was received.
    mutating func receive(_ response: Response?, whole body: Data, _ trailers: HTTPHeaders) -> TemporaryFile? {
        let now = time.elapsed
        if let response { receive(response, at: now) }
        if let file = receive(body, at: now) { return file }
        finish(trailers, at: now)
        return nil
    }

    /// Notes that a piece of the body was accepted.
    private mutating func count(_ piece: Data, at now: Duration) {
        timeout.restart(at: now)
        // If a download continues, the count includes what earlier requests have received. On 32-bit platforms it may
        // pass `Int.max`, which is 2 GB.
        progress.bytesReceived.addClamping(piece.count)
        report()
    }

    /// Stops the transfer, and completes the response with the bytes that have arrived.
    private mutating func stopAfterBeginning(at now: Duration) {
        if case .receiving(_, let transport?) = phase { effects.append(.stop(transport)) }
        finish([:], at: now)
    }

    private mutating func report() {
        if let reporter { effects.append(.report(progress, to: reporter)) }
    }

    // MARK: - The end

    /// Completes the body, and ends the exchange: after the last report if progress is reported, and otherwise now.
    /// Without a head there is no response, and the exchange fails.
    mutating func finish(_ trailers: HTTPHeaders = [:]) {
        finish(trailers, at: time.elapsed)
    }

    private mutating func finish(_ trailers: HTTPHeaders, at now: Duration) {
        switch phase {
        case .waiting:
            fail(TransportError.noHead(for: request), isUnsent: false)
        case .receiving(let response, let transport):
            timing.finished = now
            // The last report states the length of the body, even if the head did not announce it.
            progress.totalBytesToReceive = progress.bytesReceived
            response.end(with: trailers)
            // Most exchanges have two effects at their end, for which the array then grows once.
            effects.reserveCapacity(2)
            if let transport { effects.append(.releaseTransport(transport)) }
            phase = .complete(response)
            if let reporter = reporter.take() {
                effects.append(.reportLast(progress, to: reporter))
            } else {
                complete()
            }
        case .complete, .ended:
            break
        }
    }

    /// Ends the exchange with the response after the last progress report, unless a cancel came first.
    mutating func complete() {
        guard case .complete(let response) = phase else { return }
        if case .stream(let stream) = response.body { end(stream, with: .success(nil)) }
        phase = .ended(.response(response))
        resumeCallerWithResult()
    }

    /// Ends the exchange with an error, and stops the transfer. An exchange that has ended ignores this, and one whose
    /// body is complete ignores any error but a cancel.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - isUnsent: Whether the server cannot have begun to process the request.
    mutating func fail(_ error: any Error, isUnsent: Bool) {
        switch phase {
        case .waiting(let sending):
            stop(sending.transport)
            if let mayReplace = sending.mayReplace { effects.append(.release(mayReplace)) }
            releaseReporter()
            phase = .ended(.unanswered(error, isUnsent: isUnsent))
        case .receiving(let response, let transport):
            stop(transport)
            releaseReporter()
            phase = .ended(ending(of: response, with: error))
        case .complete(let response):
            // The response is complete and only waits for the last report. A cancel does not wait for that, since the
            // caller's progress handler may take any time.
            guard error is CancellationError else { return }
            phase = .ended(ending(of: response, with: error))
        case .ended:
            return
        }
        resumeCallerWithResult()
    }

    /// Stops the transfer, and releases the engine's closures.
    private mutating func stop(_ transport: Exchange.Transport?) {
        guard let transport else { return }
        effects.append(.stop(transport))
        effects.append(.releaseTransport(transport))
    }

    /// Releases the progress reporter, which a failed exchange does not need. This happens outside of the lock, since
    /// the reporter's closure may hold the last references to objects of the caller.
    private mutating func releaseReporter() {
        if let reporter = reporter.take() { effects.append(.release(reporter)) }
    }

    /// Returns how a response ends that an error cuts off.
    ///
    /// The exchange of a stream has two results: first the response, and later how the stream ended. The error is the
    /// second one, which the reader gets after the unread bytes. The caller gets the response even if it has not waited
    /// for it yet, unless it was cancelled meanwhile: a stream that is never read would keep the exchange alive.
    private mutating func ending(of response: Response, with error: any Error) -> Ending {
        switch response.body {
        case .memory:
            return .incomplete(error)
        case .file(let file):
            // Released outside of the lock, since a released file is deleted.
            effects.append(.release(file))
            return .incomplete(error)
        case .stream(let stream):
            end(stream, with: .failure(error))
            if case .notWaiting = caller, error is CancellationError { return .incomplete(error) }
            return .response(response)
        }
    }

    /// Ends a stream, and resumes the task that waits for it: the reader, or the feeder (the task of a client that
    /// produces the body and waits until a reader wants the next piece).
    private mutating func end(_ stream: StreamedBody, with result: StreamedBody.ReadResult) {
        switch stream.end(with: result) {
        case .nobody: break
        case .reader(let reader): effects.append(.resumeReader(reader, result))
        case .feeder(let feeder): effects.append(.resumeFeeder(feeder))
        }
    }
}
