#if os(Linux)
import APIKitCore
import CAPIKitCurl

// Sending the request.
extension CurlTransfer {
    /// Makes a handle send this request: sets its headers, its method and its body.
    ///
    /// Also sets `awaitsContinue` and `body`, which decide what libcurl's callbacks send later.
    func setMethodHeadersAndBody(of handle: CurlHandle) {
        let hasContent = request.body != nil
        // A POST without content, for example, is sent with an empty body.
        let sendsBody = hasContent || Self.needsBody(request.method)
        let headers = loop.headerLists.list(for: request.headers, cookies: cookies.header, hasBody: sendsBody)
        handle.setHeaders(headers)
        // An empty body does not wait for the server's consent.
        awaitsContinue = hasContent && headers.expectsContinue
        // Depends on `awaitsContinue`, and so on the headers.
        body = chooseBody(isNeeded: sendsBody)
        setMethodAndBody(of: handle)
    }

    /// Sets the request's method together with `body`, whose options change the method.
    private func setMethodAndBody(of handle: CurlHandle) {
        switch body {
        case .none:
            let kind: CurlHandle.Kind = request.method == .head ? .head : .get
            handle.setMethod(request.method, kind)
        case .withHead(let data):
            // For libcurl, each request with a body in memory is a POST, and each one whose body it has to ask for is a
            // PUT. The method that it sends is the request's all the same.
            handle.setMethod(request.method, .post)
            handle.set(CURLOPT_POSTFIELDSIZE, data.count)
            data.withUnsafeBytes { bytes in
                // libcurl reads no bytes of an empty body, but needs a pointer that is not NULL: any will do.
                handle.set(CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(handle.errorText))
            }
        case .inPieces(let content):
            handle.setMethod(request.method, .put)
            handle.set(CURLOPT_UPLOAD, true)
            // -1 if the length is not known.
            handle.set(CURLOPT_INFILESIZE, content.length ?? -1)
        }
    }

    /// Whether a request with the method has a `Content-Length` even without a body (RFC 9110, section 8.6).
    private static func needsBody(_ method: HTTPMethod) -> Bool {
        method == .post || method == .put || method == .patch
    }

    /// The largest body, in bytes, that libcurl copies and sends together with the head. Larger bodies are read piece
    /// by piece, to save memory.
    private static let copiedSize = 64 << 10

    /// Chooses how the body is sent. A body that waits for a 100 response is read in pieces, whatever its size.
    ///
    /// - Parameter isNeeded: Whether a request without a body is sent with an empty one.
    /// - Returns: The body to send.
    private func chooseBody(isNeeded: Bool) -> Body {
        guard let content = request.body else { return isNeeded ? .withHead(Data()) : .none }
        let isSmall = (content.length ?? .max) <= Self.copiedSize
        if isSmall, !awaitsContinue, let data = content.data { return .withHead(data) }
        return .inPieces(content)
    }

    // MARK: - The head

    /// Decides whether libcurl may send the request. libcurl 7.80 and newer calls this before each attempt.
    ///
    /// libcurl may not send the request over a connection on which bytes have arrived that no request has asked for,
    /// since they would be taken for the response. It may not send it a second time either: whether a request is
    /// repeated is the decision of the exchange.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection's other end.
    ///   - peerPort: The port of the other end.
    ///   - localPort: The port of this end.
    /// - Returns: Whether libcurl may send the request. Otherwise it ends the transfer.
    func willSend(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from localPort: Int32) -> Bool {
        let isClean = claimConnection(to: peer, peerPort, from: localPort)
        guard isClean else {
            // Otherwise newer versions of libcurl may choose the same connection again within a second.
            handle?.forbidsReuse = true
            return false
        }
        return updateSending { $0.noteAttempt() }
    }

    /// Notes which connection the request will be sent over, and the connection's `socket`.
    ///
    /// - Returns: Whether the request may be sent over it: false if unrequested bytes have arrived there.
    private func claimConnection(to peer: UnsafePointer<CChar>?, _ peerPort: Int32, from localPort: Int32) -> Bool {
        guard let handle, let multi else { return true }
        return acurl_loop_claim(multi, handle.easy, peer, peerPort, localPort, &socket)
    }

    /// Notes an event in `sending`. If libcurl has now begun to send the head, notifies the loop and the exchange.
    ///
    /// - Returns: Whether the transfer may continue, which is the result of `update`.
    private func updateSending(_ update: (inout SendingGuard) -> Bool) -> Bool {
        let hadBegun = sending.hasBegun
        let mayContinue = update(&sending)
        let beginsNow = sending.hasBegun && !hadBegun
        if beginsNow {
            if let host { loop.didConnect(to: host) }
            reportHeadSent()
        }
        return mayContinue
    }

    /// Checks how far the transfer is. libcurl calls this after each step of it, unless the handle ignores steps.
    ///
    /// - Returns: Whether the transfer may continue.
    func step() -> Bool {
        guard let easy = handle?.easy else { return true }
        if case .connection = bodyEnd { bodyEnd = .connection(isProper: acurl_has_end_of_tls(easy)) }
        // Newer versions have called `willSend` instead.
        if SendingGuard.isAskedBeforeSending { return true }
        return updateSending { $0.noteStep(of: easy) }
    }

    /// Reports that the head is being sent, and with it the body if libcurl has all of it.
    private func reportHeadSent() {
        if case .withHead(let data) = body { bytesSent = data.count }
        exchange.sent(total: bytesSent)
    }

    // MARK: - The body

    /// Copies the next bytes of the body to libcurl's buffer. libcurl calls this for a body that is sent in pieces.
    ///
    /// - Returns: The number of bytes, which is 0 at the end of the body; or `CURL_READFUNC_PAUSE` if there are no
    ///   bytes to send yet. libcurl then calls this again after `acurl_continue`.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if awaitsContinue {
            startContinueTimerIfNeeded()
            return pauseUpload()
        }
        if pieces.isEmpty {
            if isUploadComplete { return 0 }
            startUploadIfNeeded()
            return pauseUpload()
        }
        let count = takeBytes(into: buffer)
        bytesSent.addClamping(count)
        exchange.sent(total: bytesSent)
        return count
    }

    /// Notes that libcurl waits for bytes of the body.
    ///
    /// - Returns: What makes libcurl wait, as the result of its callback.
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

    /// Starts a timer that ends the wait for a 100 response after a second, since a server may not support `Expect:
    /// 100-continue` (RFC 9110, section 10.1.1).
    private func startContinueTimerIfNeeded() {
        guard continueTimer == nil else { return }
        // Unstructured, since nothing awaits it: `releaseHandle()` cancels it at the end of the transfer.
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

    /// Starts the task that reads the body and passes its pieces to the loop, in messages.
    ///
    /// At most two pieces wait there for libcurl: the task reads the first two at once, and another one whenever a
    /// piece is used up. `takeBytes(into:)` demands that through `demand`.
    private func startUploadIfNeeded() {
        guard upload == nil, case .inPieces(let content) = body else { return }
        let (demands, demand) = AsyncStream.makeStream(of: Void.self)
        self.demand = demand
        // Unstructured, since nothing awaits it: `releaseHandle()` cancels it at the end of the transfer.
        upload = Task { [exchange, loop] in
            var nextDemand = demands.makeAsyncIterator()
            do {
                for try await piece in content.bytes {
                    loop.send(.uploadPiece(self, piece))
                    // The stream of demands ends only if the task is cancelled.
                    let isCancelled = await nextDemand.next() == nil
                    if isCancelled { return }
                }
                // A cancel may also end the body early, and the part read so far is not the complete body.
                if !Task.isCancelled { loop.send(.uploadEnd(self)) }
            } catch {
                // After a cancel, the transfer has ended, and the error is only a consequence.
                if !Task.isCancelled { exchange.fail(error) }
            }
        }
        // The first piece is read without a demand. This one is for the second piece, which is read in advance.
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
