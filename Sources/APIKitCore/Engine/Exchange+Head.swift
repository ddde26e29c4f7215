import APIKitSupport

// What becomes of a response, as its head decides.
extension Exchange {
    /// Returns the response of a head that has arrived, with an empty body that goes to memory, a file or a reader. Nil
    /// if another head has arrived before or the exchange is over, and if the exchange fails because of this head.
    ///
    /// A head takes the lock twice, before and after this is decided: clients and the endpoint have closures that
    /// decide about the response, and these run outside of the lock.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - bodyLength: The length of the body if all of it has arrived; nil if the head says it.
    ///   - codings: The content codings that the engine decodes; nil if they are not to be checked.
    /// - Returns: The response.
    func expectedResponse(
        with head: HTTPResponse.Head, bodyLength: Int? = nil, decoding codings: Set<String>?
    ) -> ExchangeState.Response? {
        guard let sending = state.withLock({ $0.takeSending() }) else { return nil }
        do throws(TransportError) {
            let length: Int?
            if let bodyLength {
                length = bodyLength
            } else {
                length = try head.bodyLength(for: request.method)
            }
            // An empty body need not be decoded, whatever the head calls its coding.
            if length != 0, let codings { try checkCodings(of: head, among: codings) }
            let emptyBody = try body(of: head, length: length, sending)
            let part = part(of: head, length: length, isDecoded: bodyLength != nil)
            return ExchangeState.Response(head: head, part: part, body: emptyBody)
        } catch {
            fail(error)
            return nil
        }
    }

    /// Throws an error if the body has a content coding that is not among those that the engine decodes.
    private func checkCodings(of head: HTTPResponse.Head, among codings: Set<String>) throws(TransportError) {
        let unknown = head.contentCodings.first { !codings.contains($0) }
        if let unknown {
            throw TransportError(.badResponse, "the body is encoded as \(unknown), which this engine cannot decode")
        }
    }

    /// Decides where the body of a response goes.
    ///
    /// | The response | Its body goes |
    /// | --- | --- |
    /// | `send` follows it as a redirect or fails on it, or a client repeats the request | to memory, but only 64 KiB |
    /// | is wanted as data, or is a failure | to memory, up to the size limit |
    /// | is wanted as a stream | to a reader |
    /// | is wanted as a file, and the engine can pause | to a reader: the caller's task, which writes the file |
    /// | is wanted as a file, and the engine cannot pause | to the file, which the engine's thread writes |
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - length: The length of the body, nil if it is unknown.
    ///   - sending: What existed before the head: the engine's side, and the closure that says whether a client
    ///     replaces the response.
    /// - Returns: The empty body.
    /// - Throws: ``TransportError`` if the body is too large to be delivered as data, or if no file can be created.
    private func body(
        of head: HTTPResponse.Head, length: Int?, _ sending: ExchangeState.Sending
    ) throws(TransportError) -> ExchangeState.Body {
        let sizeLimit = request.options.effectiveSizeLimit
        if isReplaced(head, if: sending.mayReplace) {
            return .memory(LimitedBody(beginning: Self.replacedBodyLimit, limit: sizeLimit))
        }
        switch call.delivery(of: head, to: request) {
        case .data:
            if let length, length > sizeLimit { throw TransportError.bodyTooLarge(for: request) }
            return .memory(LimitedBody(limit: sizeLimit))
        case .stream:
            return .stream(StreamedBody(limit: sizeLimit))
        case .file:
            // If the engine can pause, its thread is kept free for other transfers. Otherwise it writes each piece as
            // it arrives, which makes the server wait.
            let canPause = sending.transport?.canPause ?? false
            if canPause { return .stream(StreamedBody(limit: sizeLimit)) }
            return .file(try TemporaryFile())
        }
    }

    /// The maximum number of bytes that are received of a body that nobody is going to read. Most such bodies are
    /// shorter and arrive whole, so that their connection can be reused.
    private static let replacedBodyLimit = 64 << 10

    /// Whether only the beginning of the response's body is needed, since the caller will not get the response: `send`
    /// follows it as a redirect, `send` fails on the redirect, or a client repeats the request.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - mayReplace: Returns whether a client repeats the request; nil if no client does.
    /// - Returns: Whether the rest of the body is not needed.
    private func isReplaced(_ head: HTTPResponse.Head, if mayReplace: Call.HeadTest?) -> Bool {
        switch request.redirectDecision(after: head, policy: request.options.effectiveRedirects, in: call) {
        case .follow, .fail:
            return true
        case .deliver:
            // Clients repeat requests only after responses that are delivered as data, such as failures, and not once a
            // stream or a file is on its way to the caller.
            guard let mayReplace, call.delivery(of: head, to: request) == .data else { return false }
            return mayReplace(head)
        }
    }

    /// Says which part of the whole content the body is, as far as the head says. For a download of 300 bytes that
    /// continues after the first 100, the offset is 100 and the total 300.
    private func part(of head: HTTPResponse.Head, length: Int?, isDecoded: Bool) -> ExchangeState.Part {
        if length == 0 {
            return ExchangeState.Part(total: 0)
        }
        // Progress counts decoded bytes, and the head announces the length of the encoded body.
        guard isDecoded || head.contentCodings.isEmpty else { return .unknown }
        if let remainder = remainderOfDownload(head) {
            return remainder
        }
        return ExchangeState.Part(total: length)
    }

    /// Returns the part that a continued download asked for (RFC 9110, section 13.1.5), whose offset and total are in
    /// the `Content-Range`: `bytes 400-999/1000` begins at 400 of 1000. Nil for any other response.
    private func remainderOfDownload(_ head: HTTPResponse.Head) -> ExchangeState.Part? {
        let continues = head.status == 206 && request.headers[.ifRange] != nil
        guard continues, case .range(let range, let size)? = ContentRange(head) else { return nil }
        let isRequestedRange = request.headers[.range] == "bytes=\(range.lowerBound)-"
        guard isRequestedRange else { return nil }
        return ExchangeState.Part(offset: range.lowerBound, total: size)
    }
}
