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
                // libcurl reads nothing of an empty body, but wants a pointer.
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

    /// The most bytes of a body that libcurl copies, to send them together with the head.
    private static let copiedSize = 64 << 10

    /// How the body is sent; an empty one if the request needs a body and has none.
    private func body(isNeeded: Bool) -> Body {
        guard let content = request.body else { return isNeeded ? .data(Data()) : .none }
        let isSmall = (content.length ?? .max) <= Self.copiedSize
        if isSmall, !awaitsContinue, let data = content.data { return .data(data) }
        return .pieces(content)
    }

    /// Called before the request is sent, from 7.80 on.
    ///
    /// - Returns: Whether it may be: neither on a connection on which something has arrived that nobody asked for, nor
    ///   a second time; the exchange decides whether to send it over another one.
    func willSend(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from port: Int32) -> Bool {
        guard mayUseConnection(to: peer, peerPort, from: port) else {
            // Newer versions of libcurl may choose the same one again for a second.
            handle?.forbidsReuse = true
            return false
        }
        return mayContinue { $0.willSend() }
    }

    private func mayUseConnection(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from port: Int32) -> Bool {
        guard let handle, let connections else { return true }
        return acurl_loop_claim(connections, handle.easy, peer, peerPort, port, &socket)
    }

    /// Runs a check of `sending`, and reports the head once it is sent.
    private func mayContinue(_ check: (inout SendingGuard) -> Bool) -> Bool {
        let wasConnecting = isConnecting
        let mayContinue = check(&sending)
        let isSentNow = wasConnecting && !isConnecting
        if isSentNow {
            if let host { loop.didConnect(to: host) }
            reportHeadSent()
        }
        return mayContinue
    }

    /// Called after each step, if libcurl is asked for that.
    func step() -> Bool {
        guard let easy = handle?.easy else { return true }
        if case .connection = bodyEnd { bodyEnd = .connection(isProper: acurl_has_end_of_tls(easy)) }
        // Newer versions ask before they send; see `willSend`.
        if SendingGuard.isAsked { return true }
        return mayContinue { $0.mayContinue(easy) }
    }

    private func reportHeadSent() {
        if case .data(let data) = body { bytesSent = data.count }
        exchange.sent(total: bytesSent)
    }

    /// Copies the next bytes of the body to libcurl's buffer.
    ///
    /// - Returns: How many there are, 0 at the end of the body, or that libcurl is to wait.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if awaitsContinue {
            limitWait()
            return pauseUpload()
        }
        if pieces.isEmpty {
            if isUploadComplete { return 0 }
            startUpload()
            return pauseUpload()
        }
        let count = takePiece(into: buffer)
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    private func pauseUpload() -> Int {
        isUploadPaused = true
        return CURL_READFUNC_PAUSE
    }

    /// Copies as much of the first piece as fits, and asks for another one once it is used up.
    private func takePiece(into buffer: UnsafeMutableRawBufferPointer) -> Int {
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

    /// Ends the wait for a 100 after a second, since servers may not know it (RFC 9110, section 10.1.1).
    private func limitWait() {
        guard continueTimer == nil else { return }
        continueTimer = Task { [loop] in
            do {
                try await Task.sleep(for: .seconds(1))
                loop.send(.sendBody(self))
            } catch {
                // The transfer has ended.
            }
        }
    }

    /// Ends the wait for a 100, and sends the body.
    func sendBody() {
        guard awaitsContinue else { return }
        awaitsContinue = false
        if isUploadPaused, let handle { acurl_continue(handle.easy) }
    }

    /// Reads the body in a task, two pieces ahead of what is sent.
    private func startUpload() {
        guard case .pieces(let content) = body, upload == nil else { return }
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        self.demand = demand
        // It is the transfer's, and ends with it.
        upload = Task { [exchange, loop] in
            var demands = demands.makeAsyncIterator()
            do {
                for try await piece in content.bytes {
                    loop.send(.upload(self, piece))
                    guard await demands.next() != nil else { return }
                }
                // A stream that ends because of a cancel must not pass for a whole one.
                if !Task.isCancelled { loop.send(.upload(self, nil)) }
            } catch {
                // A cancel comes after the end of the transfer.
                if !Task.isCancelled { exchange.fail(error) }
            }
        }
        demand.yield()
    }

    /// Adds a piece of the body, or ends the body if it is nil.
    func upload(_ piece: Data?) {
        if let piece {
            pieces.append(piece)
        } else {
            isUploadComplete = true
        }
        guard isUploadPaused, let handle else { return }
        isUploadPaused = false
        acurl_continue(handle.easy)
    }
}
#endif
