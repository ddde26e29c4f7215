#if os(Linux)
import APIKitCore
import CAPIKitCurl

// Receiving the response.
extension CurlTransfer {
    // MARK: - The head

    /// Receives a line of the head or of the trailers from libcurl.
    ///
    /// - Returns: Whether the transfer is to continue.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        do throws(TransportError) {
            // Not nil after the last line of the head.
            let finalHead = try headReader.read(line: line)
            if let finalHead { try receive(finalHead) }
            if awaitsContinue, headReader.endsWaitForContinue { loop.send(.sendBody(self)) }
        } catch {
            exchange.fail(error)
            return false
        }
        // Asking the exchange for each line would be slow. If it is over, a message to stop the transfer follows
        // anyway.
        if !headReader.isComplete { return true }
        return !exchange.isOver
    }

    /// Receives the head of the final response, and keeps it for the next report to the exchange. Prepares for the body
    /// that follows.
    private func receive(_ finalHead: HeadReader.Head) throws(TransportError) {
        let head = HTTPResponse.Head(
            status: finalHead.status, headers: finalHead.headers, lazyURL: request.lazyURL)
        // The host's later transfers may share this connection if it uses HTTP/2.
        if mayShareConnection, let handle { host?.isShared = handle.hasHTTP2 }
        forbidReuseIfUnread()
        reportConnection()
        if let store = cookies.store, !headReader.cookies.isEmpty { store(headReader.cookies) }
        // A body with a simple framing has no coding to decode.
        if !headReader.framing.isSimple { decoder = try Self.decoder(for: head) }
        if isSecure, endsWithConnection(head) { watchEndOfConnection() }
        // The loop reports it after libcurl has returned, together with the part of the body that has arrived by then.
        unreportedHead = head
        scheduleReport()
        // While an older libcurl waits for more of the request's body, it does not notice that the response makes the
        // rest unnecessary. Resuming the transfer makes it look again.
        if isUploadPaused { loop.send(.resume(self)) }
    }

    /// Creates the decoder for the body of a response; nil if the body is not encoded, or in a coding that this system
    /// does not decode.
    ///
    /// - Throws: `TransportError` with the code `badResponse` for several codings, and for any transfer coding other
    ///   than chunked: libcurl would decode that itself, and without a limit of the size (RFC 9112, section 6.1).
    private static func decoder(for head: HTTPResponse.Head) throws(TransportError) -> ContentDecoder? {
        let contentCodings = head.contentCodings
        let hasOtherTransferCoding = head.headers.values(for: .transferEncoding).contains { value in
            let coding = value.lowercased()
            return coding != "chunked" && coding != "identity"
        }
        if contentCodings.count > 1 || hasOtherTransferCoding {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        guard let coding = contentCodings.first else { return nil }
        return ContentDecoder(coding)
    }

    /// Whether only the end of the connection shows where the body ends (RFC 9112, section 6.3): there is a body, but
    /// neither a length, nor chunks, nor the end of an HTTP/2 stream.
    private func endsWithConnection(_ head: HTTPResponse.Head) -> Bool {
        let statesEnd = head.headers[.contentLength] != nil || head.headers[.transferEncoding] != nil
        let isStream = handle?.hasHTTP2 ?? false
        if statesEnd || isStream { return false }
        // The response to HEAD, for example, has no body.
        let hasNoBody = (try? head.bodyLength(for: request.method)) == 0
        return !hasNoBody
    }

    /// Makes libcurl call ``step()``, which checks that the TLS connection ends with an alert. Some versions of libcurl
    /// do not check that, so a truncated body would pass for a complete one.
    private func watchEndOfConnection() {
        bodyEnd = .connection(isProper: true)
        handle?.reportSteps()
    }

    /// Makes libcurl close the connection after the response if more bytes have arrived than libcurl has read. Called
    /// whenever libcurl has read, so that the last call decides.
    ///
    /// Bytes that remain in the TLS library would be taken for the next response. Watching the socket does not detect
    /// them, since they have already been read from it.
    private func forbidReuseIfUnread() {
        guard isSecure, let handle else { return }
        handle.forbidsReuse = acurl_has_unread(handle.easy)
    }

    /// Reports how long each step of connecting took. libcurl measures the end of each step from the start of the
    /// transfer, so a step's duration is a difference.
    private func reportConnection() {
        guard let handle else { return }
        let isReused = handle.info(CURLINFO_NUM_CONNECTS) == 0
        if isReused {
            exchange.connected(isReused: true)
            return
        }
        let nameLookupEnd = handle.info(CURLINFO_NAMELOOKUP_TIME_T)
        let connectEnd = handle.info(CURLINFO_CONNECT_TIME_T)
        // 0 for a connection without TLS.
        let handshakeEnd = handle.info(CURLINFO_APPCONNECT_TIME_T)
        let handshake = Duration.microseconds(max(0, handshakeEnd - connectEnd))
        exchange.connected(
            isReused: false,
            nameLookup: .microseconds(nameLookupEnd),
            connect: .microseconds(max(0, connectEnd - nameLookupEnd)),
            secureHandshake: handshakeEnd > 0 ? handshake : nil)
    }

    // MARK: - The body

    /// Receives bytes of the body from libcurl.
    ///
    /// - Returns: The number of bytes if they were accepted; `CURL_WRITEFUNC_PAUSE` to get the same bytes again after
    ///   the reader has caught up; 0 to abort a transfer that is over.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        // Some versions of libcurl pass the lines of the head here too.
        let isPartOfHead = CurlHandle.writesHeads && !headReader.isComplete
        if isPartOfHead { return receivePart(ofHead: bytes) }
        if exchange.isOver { return 0 }
        forbidReuseIfUnread()
        if exchange.shouldPause || hasMuchToDecode {
            needsResume = true
            return CURL_WRITEFUNC_PAUSE
        }
        if let decoder {
            decoder.add(bytes)
            loop.scheduleDecoding(of: self)
        } else {
            scheduleReport()
            append(bytes)
        }
        return bytes.count
    }

    /// Checks bytes of the head before libcurl parses them; see ``CurlHandle/writesHeads``.
    ///
    /// - Returns: The number of bytes, or 0 to abort the transfer.
    private func receivePart(ofHead bytes: UnsafeRawBufferPointer) -> Int {
        if headReader.noteUnparsed(bytes) { return bytes.count }
        exchange.fail(HeadReader.foldedFirstLine)
        return 0
    }

    /// The number of bytes that may wait to be decoded. Above it, libcurl pauses, so that a slow reader slows the
    /// server down.
    private static let encodedLimit = 64 << 10

    private var hasMuchToDecode: Bool {
        guard let decoder else { return false }
        return decoder.input.count >= Self.encodedLimit
    }

    // MARK: - Reports

    /// The sizes by which received bytes are collected. Each report may wake a reader, so small pieces are joined.
    private enum PieceSize {
        /// The largest piece that libcurl delivers. After such a piece, more is likely to follow at once.
        static let largest = 16 << 10
        /// The number of collected bytes from which on they are reported at once.
        static let reported = 256 << 10
        /// The most memory to reserve after a smaller first piece, and only if the rest of the body fits into it.
        static let small = 64 << 10
    }

    /// Adds bytes of the body to those of the next report. Reports at once if they are many.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if unreported.isEmpty { reserveRoom(forFirst: bytes.count) }
        unreported.append(contentsOf: bytes)
        if unreported.count >= PieceSize.reported { report() }
    }

    /// Reserves memory for the bytes that are likely to be collected before the next report, so that `unreported` need
    /// not grow for each piece.
    ///
    /// - Parameter count: The size of the first piece.
    private func reserveRoom(forFirst count: Int) {
        var restOfBody = Int.max
        // The length of a body with a content coding is not that of the decoded bytes collected here.
        if decoder == nil, let length = headReader.framing.length { restOfBody = length - reportedCount }
        let isWorthwhile: Bool
        if count >= PieceSize.largest {
            // Bytes are reported after the piece that exceeds the limit, so there is room for one piece more.
            expectedCount = min(restOfBody, PieceSize.reported + PieceSize.largest)
            isWorthwhile = true
        } else {
            // The server may send slowly, so memory is reserved only for bytes that are certain to come.
            expectedCount = min(restOfBody, PieceSize.small)
            isWorthwhile = restOfBody <= PieceSize.small
        }
        if isWorthwhile, count < expectedCount { unreported.reserveCapacity(expectedCount) }
    }

    /// Makes the loop call ``report()`` after libcurl has returned.
    private func scheduleReport() {
        guard !isReportScheduled else { return }
        isReportScheduled = true
        loop.scheduleReport(of: self)
    }

    /// Reports everything that was received to the exchange.
    func report() {
        isReportScheduled = false
        if let head = unreportedHead.take() { exchange.receive(head, decoding: ContentDecoder.codings) }
        guard !unreported.isEmpty else { return }
        exchange.receive(takeUnreported())
    }

    /// Reports the head, the body and the end of a response that libcurl has ended successfully in one step, if none of
    /// them was reported before. This is the case for most small responses.
    ///
    /// - Returns: Whether the response was reported.
    func reportWholeResponse() -> Bool {
        guard let head = unreportedHead, hasWholeBody else { return false }
        unreportedHead = nil
        isReportScheduled = false
        hasEnded = true
        exchange.receive(head, whole: takeUnreported())
        return true
    }

    /// Whether `unreported` holds the complete body, of a response that has no trailers and needs no further checks.
    private var hasWholeBody: Bool {
        guard decoder == nil, headReader.framing.isSimple, !headReader.hasTrailers else { return false }
        guard case .known = bodyEnd else { return false }
        guard let length = headReader.framing.length else { return true }
        return length == unreported.count
    }

    /// Removes and returns the collected bytes.
    private func takeUnreported() -> Data {
        let bytes = unreported
        unreported = Data()
        reportedCount.addClamping(bytes.count)
        if isBufferOversized(for: bytes.count) {
            // A caller that keeps the bytes must not keep a much larger buffer alive, so they are copied.
            return bytes.withUnsafeBytes { Data($0) }
        }
        return bytes
    }

    /// Whether ``reserveRoom(forFirst:)`` may have reserved much more memory than the received bytes need.
    private func isBufferOversized(for count: Int) -> Bool {
        // The first piece was small too, after which little is reserved.
        if count < PieceSize.largest { return false }
        return count < PieceSize.reported && count != expectedCount
    }

    // MARK: - Continuing and ending

    /// Resumes libcurl, or the decoding of what it has delivered. Called when the reader has caught up, or when an
    /// upload is paused although the response has begun.
    func resume() {
        // Set for the second case, in which libcurl has not paused receiving, but has to be resumed all the same.
        needsResume = true
        if isDrained {
            receiveMore()
        } else {
            loop.scheduleDecoding(of: self)
        }
    }

    /// Whether no bytes wait to be decoded.
    private var isDrained: Bool { decoder?.isDrained ?? true }

    /// Resumes libcurl once everything that it delivered is decoded. If libcurl has ended the transfer, ends the
    /// exchange instead.
    func receiveMore() {
        // If the reader is behind again by now, the exchange will call `resume()` again.
        guard isDrained, !exchange.isOver, !exchange.shouldPause else { return }
        if hasEnded {
            finishIfDecoded()
            return
        }
        guard let handle, needsResume else { return }
        needsResume = false
        acurl_continue(handle.easy)
    }

    /// Ends the exchange, successfully or with the failure that libcurl has ended the transfer with. Does nothing if
    /// bytes wait to be decoded: ``receiveMore()`` then calls this again.
    func finishIfDecoded() {
        guard isDrained else { return }
        if let failure {
            exchange.fail(failure.error, beforeSending: failure.isBeforeSending)
        } else if decoder?.isComplete == false {
            exchange.fail(TransportError(.badResponse, "the body ends before its Content-Encoding says so"))
        } else {
            exchange.finish(trailers: headReader.trailers)
        }
    }
}
#endif
