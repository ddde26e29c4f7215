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
            if awaitsContinue, head.mayContinue { loop.send(.sendBody(self)) }
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
        announceReport()
        // An older libcurl does not see that it can stop sending while it waits for more to send.
        if isUploadPaused { loop.send(.resume(self)) }
    }

    private static func decoder(for head: HTTPResponse.Head) throws(TransportError) -> ContentDecoder? {
        let codings = head.contentCodings
        // libcurl would decode other transfer codings, and without a limit (RFC 9112, section 6.1).
        let transferCodings = head.headers.values(for: .transferEncoding).map { $0.lowercased() }
        let isChunkedAtMost = transferCodings.allSatisfy { $0 == "chunked" || $0 == "identity" }
        guard codings.count <= 1, isChunkedAtMost else {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        guard let coding = codings.first else { return nil }
        return ContentDecoder(coding)
    }

    /// Whether nothing but the end of the connection says where the body ends.
    private func endsWithConnection(_ head: HTTPResponse.Head) -> Bool {
        if self.head.framing.length != nil || self.head.framing.isChunked { return false }
        if head.headers[.contentLength] != nil || head.headers[.transferEncoding] != nil { return false }
        let hasNoBody = (try? head.bodyLength(for: request.method)) == 0
        let isStream = handle?.hasHTTP2 ?? false
        return !hasNoBody && !isStream
    }

    /// Makes libcurl call ``step()``, which checks how a connection over TLS ends: some versions of libcurl accept any
    /// end.
    private func watchEndOfConnection() {
        bodyEnd = .connection(isProper: true)
        handle?.reportSteps()
    }

    /// Closes the connection after the response if more has arrived than libcurl reads of it. What remains in the
    /// library for TLS would be taken for the next response, and the socket does not show it.
    private func forbidReuseIfUnread() {
        guard isSecure, let handle else { return }
        handle.forbidsReuse = acurl_has_unread(handle.easy)
    }

    /// Reports the steps to the connection, from libcurl's times, each of which counts from the start.
    private func reportConnection() {
        guard let handle, handle.info(CURLINFO_NUM_CONNECTS) > 0 else {
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
    /// - Returns: How many there were, that libcurl is to give them again later, or 0 if the transfer is over.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        let isOfHead = CurlHandle.writesHeads && !head.isComplete
        if isOfHead { return receivePart(ofHead: bytes) }
        if exchange.isOver { return 0 }
        forbidReuseIfUnread()
        if exchange.shouldPause || hasMuchToDecode {
            isReceivePaused = true
            return CURL_WRITEFUNC_PAUSE
        }
        if let decoder {
            decoder.add(bytes)
            loop.willDecode(self)
        } else {
            announceReport()
            append(bytes)
        }
        return bytes.count
    }

    /// Looks at bytes of a line of the head before libcurl does; see ``CurlHandle/writesHeads``.
    private func receivePart(ofHead bytes: UnsafeRawBufferPointer) -> Int {
        if head.mayTake(bytes) { return bytes.count }
        exchange.fail(HeadReader.foldedStart)
        return 0
    }

    private var hasMuchToDecode: Bool {
        guard let decoder else { return false }
        return decoder.input.count >= 64 << 10
    }

    /// The sizes by which received bytes are collected. Each report may wake a reader, so small pieces are joined.
    private enum PieceSize {
        /// libcurl's own pieces, if it has much to give.
        static let large = 16 << 10
        /// The number of bytes after which a report is made at once.
        static let reported = 256 << 10
    }

    /// Keeps bytes of the body for the next report.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if received.isEmpty { reserveRoom(for: bytes.count) }
        received.append(contentsOf: bytes)
        if received.count >= PieceSize.reported { report() }
    }

    /// Reserves memory for the bytes that are likely to follow a first piece. Without a coding, the head gives an upper
    /// bound.
    private func reserveRoom(for count: Int) {
        var rest = Int.max
        if decoder == nil, let length = head.framing.length { rest = length - reportedCount }
        let isLarge = count >= PieceSize.large
        let likely = isLarge ? PieceSize.reported + PieceSize.large : 64 << 10
        room = min(rest, likely)
        let isWorthIt = isLarge || room == rest
        if room > count, isWorthIt { received.reserveCapacity(room) }
    }

    private func announceReport() {
        guard !willReport else { return }
        willReport = true
        loop.willReport(self)
    }

    /// Reports everything that was received to the exchange.
    func report() {
        willReport = false
        if let head = receivedHead.take() { exchange.receive(head, decoding: ContentDecoder.codings) }
        guard !received.isEmpty else { return }
        exchange.receive(takeReceived())
    }

    /// Reports a response in one step if all of it has arrived since the last report, as most small ones do.
    ///
    /// - Returns: Whether it was one.
    func reportWhole() -> Bool {
        guard let head = receivedHead, isWhole else { return false }
        receivedHead = nil
        willReport = false
        isReceived = true
        exchange.receive(head, whole: takeReceived())
        return true
    }

    /// Whether everything that was received is the body, and complete.
    private var isWhole: Bool {
        guard decoder == nil, !head.framing.isUnusual, !head.hasTrailers, case .known = bodyEnd else { return false }
        guard let length = head.framing.length else { return true }
        return length == received.count
    }

    private func takeReceived() -> Data {
        let bytes = received
        received = Data()
        reportedCount.addClamping(bytes.count)
        // A small body that is kept must not hold the whole buffer.
        let isMostlyFull =
            bytes.count < PieceSize.large || bytes.count >= PieceSize.reported || bytes.count == room
        return isMostlyFull ? bytes : bytes.withUnsafeBytes { Data($0) }
    }

    /// Resumes after a pause of the reader.
    func resume() {
        isReceivePaused = true
        if isDrained {
            receiveMore()
        } else {
            loop.willDecode(self)
        }
    }

    /// Whether nothing waits to be decoded.
    private var isDrained: Bool { decoder?.isDrained ?? true }

    /// Resumes libcurl if everything that it delivered is decoded, or ends the body.
    func receiveMore() {
        // The exchange may be full again by now, and resumes again.
        guard isDrained, !exchange.isOver, !exchange.shouldPause else { return }
        if isReceived {
            finishIfDecoded()
            return
        }
        guard let handle, isReceivePaused else { return }
        isReceivePaused = false
        acurl_continue(handle.easy)
    }

    /// Ends the exchange, unless something waits to be decoded.
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
