#if os(Linux)
import APIKitCore
import CAPIKitCurl

// The way of the request.
extension CurlTransfer {
    func setMethodHeadersAndBody(of handle: CurlHandle) {
        let method = request.method
        let hasBody = request.body != nil || method == .post || method == .put || method == .patch
        let headers = loop.headerLists.list(for: request.headers, cookies: cookies.header, hasBody: hasBody)
        handle.setHeaders(headers)
        if let content = request.body {
            awaitsContinue = headers.expectsContinue
            if !awaitsContinue, let length = content.length, length <= 64 << 10, let data = content.data {
                body = .data(data)
            } else {
                body = .pieces(content)
            }
        } else if hasBody {
            // RFC 9110, section 8.6, wants a Content-Length.
            body = .data(Data())
        }
        switch body {
        case .none: handle.setMethod(method, method == .head ? .head : .get)
        case .data(let data):
            handle.setMethod(method, .post)
            handle.set(.postSize, data.count)
            data.withUnsafeBytes { handle.set(.copiedPost, $0.baseAddress ?? UnsafeRawPointer(handle.errorText)) }
        case .pieces(let content):
            handle.setMethod(method, .put)
            handle.set(.upload, 1)
            handle.set(.uploadSize, content.length ?? -1)
        }
    }

    /// Called before the request is sent, from 7.80 on.
    ///
    /// - Returns: Whether it may be: neither on a connection on which something has arrived that nobody asked for, nor
    ///   a second time; the exchange decides whether to send it over another one.
    func willSend(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from port: Int32) -> Bool {
        if let handle, let connections,
            !acurl_loop_claim(connections, handle.easy, peer, peerPort, port, &socket)
        {
            // Newer versions of libcurl may choose the same one again for a second.
            handle.forbidsReuse = true
            return false
        }
        return mayContinue { $0.willSend() }
    }

    /// Runs a check of `sending`, and reports the head once it is sent.
    private func mayContinue(_ check: (inout SendingGuard) -> Bool) -> Bool {
        let wasSent = !isConnecting
        let mayContinue = check(&sending)
        if !wasSent, !isConnecting {
            if let host { loop.didConnect(to: host) }
            reportHeadSent()
        }
        return mayContinue
    }

    /// Called after each step, if libcurl is asked for that.
    func step() -> Bool {
        guard let easy = handle?.easy else { return true }
        if case .connection = bodyEnd { bodyEnd = .connection(isProper: acurl_has_end_of_tls(easy)) }
        return SendingGuard.isAsked || mayContinue { $0.mayContinue(easy) }
    }

    private func reportHeadSent() {
        if case .data(let data) = body { bytesSent = data.count }
        exchange.sent(total: bytesSent)
    }

    /// Gives the next bytes of the body.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if awaitsContinue {
            isUploadPaused = true
            limitWait()
            return Self.pause
        }
        guard let piece = pieces.first else {
            if isUploadComplete { return 0 }
            isUploadPaused = true
            startUpload()
            return Self.pause
        }
        let count = min(piece.count, buffer.count)
        piece.copyBytes(to: buffer, count: count)
        if count == piece.count {
            pieces.removeFirst()
            demand?.yield()
        } else {
            pieces[0] = piece.dropFirst(count)
        }
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    /// Ends the wait for a 100 after a second, since servers may not know it (RFC 9110, section 10.1.1).
    private func limitWait() {
        guard continueTimer == nil else { return }
        continueTimer = Task { [loop] in
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            loop.send(.sendBody(self))
        }
    }

    /// Sends the body, which waited for a 100.
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

    /// Takes a piece of the body that has been read, nil at its end.
    func upload(_ piece: Data?) {
        if let piece { pieces.append(piece) } else { isUploadComplete = true }
        guard isUploadPaused, let handle else { return }
        isUploadPaused = false
        acurl_continue(handle.easy)
    }
}
#endif
