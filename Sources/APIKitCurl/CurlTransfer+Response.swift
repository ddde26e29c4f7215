#if os(Linux)
import APIKitCore
import CAPIKitCurl

// The way of the response.
extension CurlTransfer {
    /// Takes a line of the head.
    ///
    /// - Returns: Whether the transfer is to continue.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        do throws(TransportError) {
            if let (status, headers) = try head.take(line, loop.recentHeaders) { try receive(status, headers) }
            if awaitsContinue, head.mayContinue { loop.send(.sendBody(self)) }
        } catch {
            exchange.fail(error)
            return false
        }
        return !head.isComplete || !exchange.isOver
    }

    private func receive(_ status: Int, _ headers: HTTPHeaders) throws(TransportError) {
        let head = HTTPResponse.Head(status: status, headers: headers, lazyURL: request.lazyURL)
        if mayShareConnection, let handle { host?.isShared = handle.get(.httpVersion) >= 3 }
        forbidReuseIfUnread()
        reportConnection()
        if let store = cookies.store, !self.head.cookies.isEmpty { store(self.head.cookies) }
        if self.head.framing.isUnusual { decoder = try Self.decoder(for: head) }
        watchEnd(of: head)
        receivedHead = head
        announceReport()
        // An older libcurl does not see that it can stop sending while it waits for more to send.
        if isUploadPaused { loop.send(.resume(self)) }
    }

    private static func decoder(for head: HTTPResponse.Head) throws(TransportError) -> ContentDecoder? {
        let codings = head.contentCodings
        // libcurl would decode other transfer codings, and without a limit (RFC 9112, section 6.1).
        let isChunkedAtMost = head.headers.values(for: .transferEncoding).allSatisfy {
            ["chunked", "identity"].contains($0.lowercased())
        }
        guard codings.count <= 1, isChunkedAtMost else {
            throw TransportError(.badResponse, "the body has codings that this engine cannot decode")
        }
        return codings.first.flatMap(ContentDecoder.init)
    }

    /// Has libcurl call ``step()`` if the body ends with a connection over TLS, since some versions take any end for
    /// proper.
    private func watchEnd(of head: HTTPResponse.Head) {
        let hasEnd = self.head.framing.length != nil || self.head.framing.isChunked
        guard isSecure, !hasEnd, let handle, handle.get(.httpVersion) < 3,
            head.headers[.contentLength] == nil, head.headers[.transferEncoding] == nil,
            (try? head.bodyLength(for: request.method)) != 0
        else { return }
        bodyEnd = .connection(isProper: true)
        handle.reportSteps()
    }

    /// Closes the connection after the response if more has arrived than libcurl reads of it. What remains in the
    /// library for TLS would be taken for the next response, and the socket does not show it.
    private func forbidReuseIfUnread() {
        if isSecure, let handle { handle.forbidsReuse = acurl_has_unread(handle.easy) }
    }

    /// Reports the steps to the connection, from libcurl's times, each of which counts from the start.
    private func reportConnection() {
        func get(_ info: CurlInfo) -> Int64 { handle?.get(info) ?? 0 }
        guard get(.newConnections) > 0 else { return exchange.connected(isReused: true) }
        let (lookup, connect, secure) = (get(.nameLookupTime), get(.connectTime), get(.secureTime))
        exchange.connected(
            isReused: false, nameLookup: .microseconds(lookup), connect: .microseconds(max(0, connect - lookup)),
            secureHandshake: secure > 0 ? .microseconds(max(0, secure - connect)) : nil)
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: How many there were, that libcurl is to give them again later, or 0 if the transfer is over.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        if CurlHandle.writesHeads, !head.isComplete {
            if head.mayTake(bytes) { return bytes.count }
            exchange.fail(HeadReader.foldedStart)
            return 0
        }
        if exchange.isOver { return 0 }
        forbidReuseIfUnread()
        if exchange.shouldPause || decoder.map({ $0.input.count >= 64 << 10 }) ?? false {
            isReceivePaused = true
            return Self.pause
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

    /// Keeps bytes of the body for the next report.
    func append(_ bytes: UnsafeRawBufferPointer) {
        if received.isEmpty {
            // Without a coding, the head says how much follows. Otherwise, more is likely to follow a full piece.
            let rest = decoder == nil ? head.framing.length.map { $0 - reportedCount } : nil
            let isLarge = bytes.count >= 16 << 10
            room = min(rest ?? .max, isLarge ? 272 << 10 : 64 << 10)
            if room > bytes.count, isLarge || room == rest { received.reserveCapacity(room) }
        }
        received.append(contentsOf: bytes)
        if received.count >= 256 << 10 { report() }
    }

    private func announceReport() {
        guard !willReport else { return }
        willReport = true
        loop.willReport(self)
    }

    /// Gives the exchange what has been received.
    func report() {
        willReport = false
        if let head = receivedHead.take() { exchange.receive(head, decoding: ContentDecoder.codings) }
        guard !received.isEmpty else { return }
        exchange.receive(takeReceived())
    }

    /// Gives the exchange a response that has arrived as a whole since the last report, as most small ones do.
    ///
    /// - Returns: Whether it was one.
    func reportWhole() -> Bool {
        guard let head = receivedHead, decoder == nil, !self.head.framing.isUnusual, !self.head.hasTrailers,
            case .known = bodyEnd,
            self.head.framing.length == nil || self.head.framing.length == received.count
        else { return false }
        (receivedHead, willReport, isReceived) = (nil, false, true)
        exchange.receive(head, whole: takeReceived())
        return true
    }

    private func takeReceived() -> Data {
        defer { received = Data() }
        reportedCount.addClamping(received.count)
        // A small body that is kept must not hold the whole buffer.
        let isTight = received.count < 16 << 10 || received.count >= 256 << 10 || received.count == room
        return isTight ? received : received.withUnsafeBytes { Data($0) }
    }

    /// Resumes after a pause of the reader.
    func resume() {
        isReceivePaused = true
        if decoder?.isDrained == false { loop.willDecode(self) } else { receiveMore() }
    }

    /// Lets libcurl go on once everything it gave is decoded, or ends the body.
    func receiveMore() {
        // The exchange may be full again by now, and resumes again.
        guard !exchange.isOver, !exchange.shouldPause, decoder?.isDrained ?? true else { return }
        if isReceived { return finishIfDecoded() }
        guard let handle, isReceivePaused else { return }
        isReceivePaused = false
        acurl_continue(handle.easy)
    }

    func finishIfDecoded() {
        guard decoder?.isDrained ?? true else { return }
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
