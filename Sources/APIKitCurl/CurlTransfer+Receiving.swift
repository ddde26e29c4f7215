#if os(Linux)
import APIKitCore
import CAPIKitCurl

// What libcurl's callbacks deliver of the response, and its way to the exchange.
extension CurlTransfer {
    // MARK: - The head

    /// Receives a line of the head or of the trailers from libcurl.
    ///
    /// - Returns: Whether the transfer is to continue.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        do throws(TransportError) {
            // Not nil after the last line of the head.
            let finalHead = try response.read(line: line)
            if let finalHead { try receive(finalHead) }
            continueUploadIfAllowed()
        } catch {
            exchange.fail(error)
            return false
        }
        // Within the head, the exchange is not asked after each line, since that would be slow. If it is over, a
        // message to stop the transfer follows anyway.
        if !response.hasHead { return true }
        return !exchange.isOver
    }

    /// Receives the head of the final response, and prepares for the body that follows.
    private func receive(_ finalHead: HeadReader.Head) throws(TransportError) {
        guard let handle else { return }
        let head = HTTPResponse.Head(
            status: finalHead.status, headers: finalHead.headers, lazyURL: request.lazyURL)
        // The host's later transfers may share this connection if it uses HTTP/2.
        if host.mayUseHTTP2 { handle.thread.didRespond(from: host, overHTTP2: handle.hasHTTP2) }
        forbidReuseIfUnread(of: handle)
        reportConnection(of: handle)
        let setCookies = response.headReader.cookies
        if let store = cookies.store, !setCookies.isEmpty { store(setCookies) }
        try response.begin(with: head)
        // Only the alert at the end of a TLS connection then shows that the body is complete.
        if host.isSecure, endsWithConnection(head, handle) { watchEndOfConnection(of: handle) }
        // The head is reported after libcurl has returned, together with the part of the body that has arrived by then.
        handle.thread.postponed.receivers.append(self)
        continueUploadIfPaused()
        limitUploadIfComplete(on: handle.thread)
    }

    /// Ends the wait of the request's body for a 100 response if that or the final response has arrived.
    private func continueUploadIfAllowed() {
        guard case .inPieces(let upload) = upload, upload.awaitsContinue else { return }
        if response.headReader.endsWaitForContinue { loop.send(.continueUpload(upload)) }
    }

    /// Makes libcurl notice that the response may make the rest of the request's body unnecessary. An older one does
    /// not look while it waits for more of the body.
    private func continueUploadIfPaused() {
        guard case .inPieces(let upload) = upload, upload.isPaused else { return }
        loop.send(.continueUpload(upload))
    }

    /// Whether only the end of the connection shows where the body ends (RFC 9112, section 6.3): there is a body, but
    /// neither a length, nor chunks, nor the end of an HTTP/2 stream.
    private func endsWithConnection(_ head: HTTPResponse.Head, _ handle: CurlHandle) -> Bool {
        let statesEnd = head.headers[.contentLength] != nil || head.headers[.transferEncoding] != nil
        if statesEnd || handle.hasHTTP2 { return false }
        // The response to HEAD, for example, has no body.
        let hasNoBody = (try? head.bodyLength(for: request.method)) == 0
        return !hasNoBody
    }

    /// Makes libcurl call ``step()``, which checks that the TLS connection ends with an alert. Some versions of libcurl
    /// do not check that, so a truncated body would pass for a complete one.
    private func watchEndOfConnection(of handle: CurlHandle) {
        response.expectEndOfConnection()
        handle.reportSteps()
    }

    /// Makes libcurl close the connection after the response if more bytes have arrived than libcurl has read. Called
    /// whenever libcurl has read, so that the last call decides.
    ///
    /// Bytes that remain in the TLS library would be taken for the next response. Watching the socket does not detect
    /// them, since they have already been read from it.
    private func forbidReuseIfUnread(of handle: CurlHandle) {
        if host.isSecure { handle.forbidsReuse = acurl_has_unread(handle.easy) }
    }

    /// Reports whether the connection is new, and how long each step of connecting took.
    private func reportConnection(of handle: CurlHandle) {
        if let times = handle.timesOfNewConnection {
            exchange.connected(
                isReused: false, nameLookup: times.nameLookup, connect: times.connect,
                secureHandshake: times.secureHandshake)
        } else {
            exchange.connected(isReused: true)
        }
    }

    // MARK: - The body

    /// Receives bytes of the body from libcurl.
    ///
    /// - Returns: The number of bytes if they were accepted; `CURL_WRITEFUNC_PAUSE` to get the same bytes again after
    ///   the reader has caught up; 0 to abort a transfer that is over.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        let isPartOfHead = CurlVersion.installed.hasDanglingHeader && !response.hasHead
        if isPartOfHead { return receivePart(ofHead: bytes) }
        guard let handle, !exchange.isOver else { return 0 }
        forbidReuseIfUnread(of: handle)
        switch response.receive(bytes, isReaderBehind: exchange.shouldPause) {
        case .pause: return CURL_WRITEFUNC_PAUSE
        case .decode: handle.thread.decoding.add(self)
        case .reportSoon: handle.thread.postponed.receivers.append(self)
        case .reportNow: report()
        case .none: break
        }
        limitUploadIfComplete(on: handle.thread)
        return bytes.count
    }

    /// Checks bytes of the head before libcurl parses them; see ``CurlVersion/hasDanglingHeader``.
    ///
    /// - Returns: The number of bytes, or 0 to abort the transfer.
    private func receivePart(ofHead bytes: UnsafeRawBufferPointer) -> Int {
        if response.mayParse(bytes) { return bytes.count }
        exchange.fail(HeadReader.foldedFirstLine)
        return 0
    }

    /// Reports everything that was received to the exchange.
    @inline(never)
    func report() {
        if let head = response.unreported.takeHead() { exchange.receive(head, decoding: ContentDecoder.codings) }
        let bytes = response.unreported.takeBytes()
        if !bytes.isEmpty { exchange.receive(bytes) }
    }

    // MARK: - Decoding

    /// How many steps of ``ContentDecoder/stepSize`` one transfer decodes before it is the next transfer's turn: at
    /// most 1 MiB of decoded bytes.
    private static let stepsPerTurn = (1 << 20) / ContentDecoder.stepSize

    /// Decodes received bytes and reports the result, until the turn is over or the reader does not want more. A
    /// transfer that needs another turn joins the queue again.
    ///
    /// - Parameters:
    ///   - end: When the turn is over. A turn has at least one step.
    ///   - buffer: The memory to decode into.
    ///   - thread: The thread, which may be another one than libcurl has received the bytes on.
    func decodeForOneTurn(
        until end: ContinuousClock.Instant, into buffer: UnsafeMutableBufferPointer<UInt8>, on thread: CurlThread
    ) {
        var hasDecoded = false
        do throws(TransportError) {
            for _ in 0..<Self.stepsPerTurn {
                guard response.hasBytesToDecode, readerWantsMore else { break }
                let step = try response.decodeStep(into: buffer)
                if step.hasDecoded { hasDecoded = true }
                if step.needsReport { report() }
                if ContinuousClock.now >= end { break }
            }
        } catch {
            exchange.fail(error)
        }
        report()
        if !hasDecoded { failIfTimedOut() }
        proceed(on: thread)
    }

    /// Fails the exchange if its timeout has run out. Called after a turn that has decoded nothing, since only decoded
    /// bytes restart the timeout, by their report. Otherwise a server could keep a request alive with empty gzip
    /// members.
    private func failIfTimedOut() {
        // The next scheduled check takes place in any case, so the time until then does not matter.
        _ = exchange.checkTimeout()
    }

    /// Fails the exchange if its timeout has run out. Bytes that wait to be decoded are decoded first, since they may
    /// show that the response arrives in time. A response that is complete ends the exchange before that.
    ///
    /// - Returns: When to check again.
    @inline(never)
    func checkTimeout() -> Duration {
        if isQueuedToDecode { return .milliseconds(100) }
        guard let handle, case .inPieces(let upload) = upload, let uploadTimeLeft = upload.timeLeft else {
            return exchange.checkTimeout()
        }
        if uploadTimeLeft > .zero { return min(uploadTimeLeft, exchange.checkTimeout()) }
        giveUp(upload, on: handle.thread)
        // The next check need not be soon: the message that was just sent stops the transfer before.
        return .seconds(1)
    }

    // MARK: - A response that is complete before its request

    /// Limits how long the body of the request is still sent, if the response is complete.
    private func limitUploadIfComplete(on thread: CurlThread) {
        guard case .inPieces(let upload) = upload, !upload.isLimited, response.isComplete else { return }
        let limit = upload.beginLimit(timeout: request.options.effectiveTimeout)
        thread.checks.add(.now + limit)
    }

    /// Ends the exchange with the response, which is complete, and stops sending the body. libcurl then closes the
    /// connection or, over HTTP/2, resets the stream.
    private func giveUp(_ upload: CurlUpload, on thread: CurlThread) {
        upload.endLimit()
        perform(response.end(nil), on: thread)
        loop.send(.stop(self))
    }

    // MARK: - What comes next

    private var readerWantsMore: Bool { !exchange.isOver && !exchange.shouldPause }

    /// Continues to receive or to decode, or ends the exchange. Does nothing while the reader is behind; the exchange
    /// has this called again when the reader has caught up. By then, the thread that has received the bytes may have
    /// ended, and another one may have been started to decode the last of them.
    func proceed(on thread: CurlThread) {
        if readerWantsMore { perform(response.nextStep(), on: thread) }
    }

    /// Does what the response has decided.
    @inline(never)
    func perform(_ step: CurlResponse.Step, on thread: CurlThread) {
        switch step {
        case .wait: break
        case .decode: thread.decoding.add(self)
        case .resumeLibcurl: handle?.resume()
        case .finish(let trailers): exchange.finish(trailers: trailers)
        case .fail(let failure): exchange.fail(failure.error, beforeSending: failure.isBeforeSending)
        }
    }
}
#endif
