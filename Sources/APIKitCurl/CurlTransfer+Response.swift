#if os(Linux)
import APIKitCore
import CAPIKitCurl

// Receiving the response.
extension CurlTransfer {
    /// Receives a line of the head.
    ///
    /// - Returns: Whether the transfer is to continue.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        do throws(TransportError) {
            if let head = try head.take(line, loop.recentHeaders) { try receive(head) }
            if awaitsContinue, head.endsWaitForContinue { loop.send(.sendBody(self)) }
        } catch {
            exchange.fail(error)
            return false
        }
        return !head.isComplete || !exchange.isOver
    }

    private func receive(_ head: HeadReader.Head) throws(TransportError) {
        let head = HTTPResponse.Head(status: head.status, headers: head.headers, lazyURL: request.lazyURL)
        if mayShareConnection, let handle { host?.isShared = handle.hasHTTP2 }
        forbidReuseIfUnread()
        reportConnection()
        if let store = cookies.store, !self.head.cookies.isEmpty { store(self.head.cookies) }
        if self.head.framing.isUnusual { decoder = try Self.decoder(for: head) }
        if isSecure, endsWithConnection(head) { watchEndOfConnection() }
        receivedHead = head
        scheduleReport()
        // While an older libcurl waits for more of the request's body, it does not notice that the response makes the
        // rest unnecessary. Resuming the transfer makes it look again.
        if isUploadPaused { loop.send(.resume(self)) }
    }

    private static func decoder(for head: HTTPResponse.Head) throws(TransportError) -> ContentDecoder? {
        let codings = head.contentCodings
        // Other transfer codings are refused, since libcurl would decode them itself and without a limit of the size
        // (RFC 9112, section 6.1).
        let transferCodings = head.headers.values(for: .transferEncoding).map { $0.lowercased() }
        let isChunkedAtMost = transferCodings.allSatisfy { $0 == "chunked" || $0 == "identity" }
        guard codings.count <= 1, isChunkedAtMost else {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        guard let coding = codings.first else { return nil }
        return ContentDecoder(coding)
    }

    /// Whether only the end of the connection shows where the body ends.
    private func endsWithConnection(_ head: HTTPResponse.Head) -> Bool {
        if self.head.framing.length != nil || self.head.framing.isChunked { return false }
        if head.headers[.contentLength] != nil || head.headers[.transferEncoding] != nil { return false }
        let hasNoBody = (try? head.bodyLength(for: request.method)) == 0
        let isStream = handle?.hasHTTP2 ?? false
        return !hasNoBody && !isStream
    }

    /// Makes libcurl call ``step()``, which checks that the TLS connection ends with an alert. Some versions of libcurl
    /// do not check that, so a truncated body would pass for a complete one.
    private func watchEndOfConnection() {
        bodyEnd = .connection(isProper: true)
        handle?.reportSteps()
    }

    /// Makes libcurl close the connection after the response if more bytes have arrived than libcurl has read.
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
        let lookup = handle.info(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = handle.info(CURLINFO_CONNECT_TIME_T)
        let secure = handle.info(CURLINFO_APPCONNECT_TIME_T)
        let handshake = Duration.microseconds(max(0, secure - connect))
        exchange.connected(
            isReused: false,
            nameLookup: .microseconds(lookup),
            connect: .microseconds(max(0, connect - lookup)),
            secureHandshake: secure > 0 ? handshake : nil)
    }

    /// Receives bytes of the body.
    ///
    /// - Returns: The number of bytes if they were accepted; `CURL_WRITEFUNC_PAUSE` to get the same bytes again after
    ///   the reader has caught up; 0 to abort a transfer that is over.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        let isPartOfHead = CurlHandle.writesHeads && !head.isComplete
        if isPartOfHead { return receivePart(ofHead: bytes) }
        if exchange.isOver { return 0 }
        forbidReuseIfUnread()
        if exchange.shouldPause || hasMuchToDecode {
            isReceivePaused = true
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
        if head.noteUnparsed(bytes) { return bytes.count }
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

    /// The sizes by which received bytes are collected. Each report may wake a reader, so small pieces are joined.
    private enum PieceSize {
        /// The largest piece that libcurl delivers. After such a piece, more is likely to follow at once.
        static let large = 16 << 10
        /// The number of collected bytes from which on they are reported at once.
        static let reported = 256 << 10
        /// The memory to reserve after a smaller first piece, if the length of the body is known to fit into it.
        static let small = 64 << 10
    }

    /// Keeps bytes of the body for the next report.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if received.isEmpty { reserveRoom(for: bytes.count) }
        received.append(contentsOf: bytes)
        if received.count >= PieceSize.reported { report() }
    }

    /// Reserves memory for a first piece and for the bytes that are likely to follow before the next report.
    ///
    /// - Parameter count: The size of the first piece.
    private func reserveRoom(for count: Int) {
        // The length of a body with a content coding is not that of the decoded bytes collected here.
        var bytesLeft = Int.max
        if decoder == nil, let length = head.framing.length { bytesLeft = length - reportedCount }
        let isLarge = count >= PieceSize.large
        // Bytes are reported after the piece that exceeds the limit, so there is room for one piece more.
        let expected = isLarge ? PieceSize.reported + PieceSize.large : PieceSize.small
        room = min(bytesLeft, expected)
        // After a small piece, a reservation is only worthwhile if it is certain that the bytes will come.
        let isWorthwhile = isLarge || room == bytesLeft
        if room > count, isWorthwhile { received.reserveCapacity(room) }
    }

    private func scheduleReport() {
        guard !isReportScheduled else { return }
        isReportScheduled = true
        loop.scheduleReport(of: self)
    }

    /// Reports everything that was received to the exchange.
    func report() {
        isReportScheduled = false
        if let head = receivedHead.take() { exchange.receive(head, decoding: ContentDecoder.codings) }
        guard !received.isEmpty else { return }
        exchange.receive(takeReceived())
    }

    /// Reports the head, the body and the end of the response in one step, if none of them was reported before. This is
    /// the case for most small responses.
    ///
    /// - Returns: Whether the response was reported.
    func reportWhole() -> Bool {
        guard let head = receivedHead, isWhole else { return false }
        receivedHead = nil
        isReportScheduled = false
        isReceived = true
        exchange.receive(head, whole: takeReceived())
        return true
    }

    /// Whether `received` holds the complete body, and the end of the response needs no further checks.
    private var isWhole: Bool {
        guard decoder == nil, !head.framing.isUnusual, !head.hasTrailers else { return false }
        guard case .known = bodyEnd else { return false }
        guard let length = head.framing.length else { return true }
        return length == received.count
    }

    private func takeReceived() -> Data {
        let bytes = received
        received = Data()
        reportedCount.addClamping(bytes.count)
        if isBufferOversized(for: bytes.count) {
            // A caller that keeps the bytes must not keep a much larger buffer alive, so they are copied.
            return bytes.withUnsafeBytes { Data($0) }
        }
        return bytes
    }

    /// Whether ``reserveRoom(for:)`` may have reserved much more memory than the received bytes need.
    private func isBufferOversized(for count: Int) -> Bool {
        // The first piece was small too, after which little is reserved.
        if count < PieceSize.large { return false }
        return count < PieceSize.reported && count != room
    }

    /// Resumes libcurl, or the decoding of what it has delivered. Called when the reader has caught up, or when an
    /// upload is paused although the response has begun.
    func resume() {
        // In the second case, libcurl has not paused receiving, but `receiveMore()` is to resume it all the same.
        isReceivePaused = true
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
        if isReceived {
            finishIfDecoded()
            return
        }
        guard let handle, isReceivePaused else { return }
        isReceivePaused = false
        acurl_continue(handle.easy)
    }

    /// Ends the exchange, unless bytes wait to be decoded.
    func finishIfDecoded() {
        guard isDrained else { return }
        if let failure {
            exchange.fail(failure.error, beforeSending: failure.isUnprocessed)
        } else if decoder?.isComplete == false {
            exchange.fail(TransportError(.badResponse, "the body ends before its Content-Encoding says so"))
        } else {
            exchange.finish(trailers: head.trailers)
        }
    }
}
#endif
