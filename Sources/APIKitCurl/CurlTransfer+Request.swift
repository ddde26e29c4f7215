#if os(Linux)
import APIKitCore
import CAPIKitCurl

// Sending the request.
extension CurlTransfer {
    func setMethodHeadersAndBody(of handle: CurlHandle) {
        let hasBody = request.body != nil || Self.needsBody(request.method)
        let headers = loop.headerLists.list(for: request.headers, cookies: cookies.header, hasBody: hasBody)
        handle.setHeaders(headers)
        awaitsContinue = request.body != nil && headers.expectsContinue
        body = body(isNeeded: hasBody)
        switch body {
        case .none:
            let kind: CurlHandle.Kind = request.method == .head ? .head : .get
            handle.setMethod(request.method, kind)
        case .data(let data):
            handle.setMethod(request.method, .post)
            handle.set(CURLOPT_POSTFIELDSIZE, data.count)
            data.withUnsafeBytes { bytes in
                // libcurl reads no bytes of an empty body, but needs a pointer that is not NULL: any will do.
                handle.set(CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(handle.errorText))
            }
        case .pieces(let content):
            handle.setMethod(request.method, .put)
            handle.set(CURLOPT_UPLOAD, true)
            handle.set(CURLOPT_INFILESIZE, content.length ?? -1)
        }
    }

    /// Whether a request with the method has a `Content-Length` even without a body (RFC 9110, section 8.6).
    private static func needsBody(_ method: HTTPMethod) -> Bool {
        method == .post || method == .put || method == .patch
    }

    /// The largest body, in bytes, that libcurl copies, since it sends such a body together with the head. Larger
    /// bodies are read piece by piece, to save memory.
    private static let copiedSize = 64 << 10

    /// Chooses how the body is sent.
    ///
    /// - Parameter isNeeded: Whether a request without a body is sent with an empty one.
    /// - Returns: The body to send.
    private func body(isNeeded: Bool) -> Body {
        guard let content = request.body else { return isNeeded ? .data(Data()) : .none }
        let isSmall = (content.length ?? .max) <= Self.copiedSize
        if isSmall, !awaitsContinue, let data = content.data { return .data(data) }
        return .pieces(content)
    }

    /// Called by libcurl 7.80 and newer before each attempt to send the request.
    ///
    /// - Returns: Whether libcurl may send it. It may not if unrequested bytes have arrived on the connection, which
    ///   would be taken for the response. It may not if the request was sent before: the exchange decides about that.
    func willSend(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from port: Int32) -> Bool {
        guard claimConnection(to: peer, peerPort, from: port) else {
            // Otherwise newer versions of libcurl may choose the same connection again within a second.
            handle?.forbidsReuse = true
            return false
        }
        return updateSending { $0.noteAttempt() }
    }

    /// Notes which connection the request will be sent over.
    ///
    /// - Returns: Whether the request may be sent over it.
    private func claimConnection(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from port: Int32) -> Bool {
        guard let handle, let connections else { return true }
        return acurl_loop_claim(connections, handle.easy, peer, peerPort, port, &socket)
    }

    /// Notes an event in `sending`. If libcurl has now begun to send the head, notifies the loop and the exchange.
    ///
    /// - Returns: Whether the transfer may continue, which is the result of `update`.
    private func updateSending(_ update: (inout SendingGuard) -> Bool) -> Bool {
        let wasConnecting = isConnecting
        let mayContinue = update(&sending)
        if wasConnecting, !isConnecting {
            if let host { loop.didConnect(to: host) }
            reportHeadSent()
        }
        return mayContinue
    }

    /// Called by libcurl after each step of the transfer, unless the handle ignores steps.
    ///
    /// - Returns: Whether the transfer may continue.
    func step() -> Bool {
        guard let easy = handle?.easy else { return true }
        if case .connection = bodyEnd { bodyEnd = .connection(isProper: acurl_has_end_of_tls(easy)) }
        // Newer versions have called `willSend` instead.
        if SendingGuard.isAskedBeforeSending { return true }
        return updateSending { $0.noteStep(of: easy) }
    }

    private func reportHeadSent() {
        // libcurl sends such a body together with the head.
        if case .data(let data) = body { bytesSent = data.count }
        exchange.sent(total: bytesSent)
    }

    /// Copies the next bytes of the body to libcurl's buffer.
    ///
    /// - Returns: The number of bytes, which is 0 at the end of the body; or `CURL_READFUNC_PAUSE` if there are no
    ///   bytes to send yet.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if awaitsContinue {
            startContinueTimer()
            return pauseUpload()
        }
        if pieces.isEmpty {
            if isUploadComplete { return 0 }
            startUpload()
            return pauseUpload()
        }
        let count = takeBytes(into: buffer)
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    private func pauseUpload() -> Int {
        isUploadPaused = true
        return CURL_READFUNC_PAUSE
    }

    /// Moves as much of the first piece as fits to a buffer, and demands another piece once the first is used up.
    private func takeBytes(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = pieces[0]
        let count = min(piece.count, buffer.count)
        piece.copyBytes(to: buffer, count: count)
        if count == piece.count {
            pieces.removeFirst()
            demand?.yield()
        } else {
            pieces[0] = piece.dropFirst(count)
        }
        return count
    }

    /// Limits the wait for a 100 response to a second, since a server may not support `Expect: 100-continue` (RFC 9110,
    /// section 10.1.1).
    private func startContinueTimer() {
        guard continueTimer == nil else { return }
        // Unstructured, since nothing awaits it: `release()` cancels it at the end of the transfer.
        continueTimer = Task { [loop] in
            do {
                try await Task.sleep(for: .seconds(1))
                loop.send(.sendBody(self))
            } catch {
                // The timer was cancelled, so the transfer has ended.
            }
        }
    }

    /// Stops waiting for a 100 response, and sends the body.
    func sendBody() {
        guard awaitsContinue else { return }
        awaitsContinue = false
        if isUploadPaused, let handle { acurl_continue(handle.easy) }
    }

    /// Starts a task that reads the body and passes its pieces to the loop. At most two pieces wait there for libcurl.
    private func startUpload() {
        guard upload == nil, case .pieces(let content) = body else { return }
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        self.demand = demand
        // Unstructured, since nothing awaits it: `release()` cancels it at the end of the transfer.
        upload = Task { [exchange, loop] in
            var demands = demands.makeAsyncIterator()
            do {
                for try await piece in content.bytes {
                    loop.send(.uploadPiece(self, piece))
                    let isCancelled = await demands.next() == nil
                    if isCancelled { return }
                }
                // A cancel may also end the stream early, and the part read so far is not the complete body.
                if !Task.isCancelled { loop.send(.uploadEnd(self)) }
            } catch {
                // After a cancel, the transfer has ended, and the error is only a consequence.
                if !Task.isCancelled { exchange.fail(error) }
            }
        }
        // The first piece is read without a demand. This demand is for the second one, which is read in advance.
        demand.yield()
    }

    /// Adds a piece to the bytes that libcurl is to send.
    func addPiece(_ piece: Data) {
        pieces.append(piece)
        resumeUpload()
    }

    /// Notes that the last piece of the body was added.
    func endUpload() {
        isUploadComplete = true
        resumeUpload()
    }

    private func resumeUpload() {
        guard isUploadPaused, let handle else { return }
        isUploadPaused = false
        acurl_continue(handle.easy)
    }
}
#endif
