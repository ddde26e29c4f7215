import APIKitSupport

// The caller's side: the task that performs a request and waits for its response.
extension Exchange {
    /// Performs a request: everything an ``APIEngine`` does except sending. For clients that are not engines, and for
    /// engines that do more with a request than send it.
    ///
    /// If the connection breaks before a response, the request may be sent a second time, as another exchange; see
    /// ``APIEngine/transmit(_:)``.
    ///
    /// - Parameters:
    ///   - request: The request. `send` finds the checked request in ``Exchange/request``.
    ///   - call: The call that the request is sent for.
    ///   - send: Starts sending, like ``APIEngine/transmit(_:)``. Called again for each attempt.
    /// - Returns: The response. If the body is delivered as a stream, the response is returned as soon as its head has
    ///   arrived.
    /// - Throws: ``RequestError`` if the request cannot be sent; the error that the exchange fails with, or that `send`
    ///   throws; `CancellationError` if the task is cancelled.
    public static func response(
        to request: HTTPRequest, in call: Call, sending send: (Exchange) async throws -> Void
    ) async throws -> HTTPResponse {
        let original = try request.prepared(in: call)
        // Everyone but the engine sees the original body.
        var exchange = Exchange(original.compressingBody(), in: call)
        while true {
            do {
                try Task.checkCancellation()
                call.countAttempt()
                try await send(exchange)
                try await exchange.waitForResponse()
                if request.delivery == .file {
                    return try await exchange.takeResponseInFile(to: original)
                } else {
                    return try exchange.takeResponse(to: original)
                }
            } catch {
                exchange.stopTransfer()
                // Throws the error, and so ends the loop, unless the request may be sent again.
                exchange = try exchange.nextAttempt(orThrow: error, in: call)
            }
        }
    }

    /// Stops the transfer if the engine has begun one and then failed to send. An exchange that has failed by itself
    /// has stopped its transfer already, and ignores this.
    private func stopTransfer() {
        fail(CancellationError())
    }

    /// Waits until the response can be taken. A cancel of the waiting task fails the exchange; if the task was already
    /// cancelled, the wait ends at once.
    private func waitForResponse() async throws {
        try await withTaskCancellationHandler {
            // Unsafe, since a checked continuation would double the cost of this function. An unsafe one must be
            // resumed exactly once. The state does so: it forgets the caller when it resumes the caller.
            try await withUnsafeThrowingContinuation { caller in
                update { $0.wait(caller) }
            }
        } onCancel: {
            fail(CancellationError())
        }
    }

    /// Takes the response out of the state, with the request as it was sent, but for the compression of its body.
    /// Descriptions of the response find the names of secrets in that request, and mask their values.
    ///
    /// Not inlined, since its local variables would enlarge every task that waits for a response.
    @inline(never)
    private func takeResponse(to request: HTTPRequest) throws -> HTTPResponse {
        // Never nil, since only one caller takes the response.
        guard let delivery = state.withLock({ $0.takeResponse() }) else { throw TransportError.noHead(for: request) }
        let body: ResponseBody
        switch delivery.body {
        case .memory(let complete):
            body = complete
        case .file(let file, let trailers):
            try file.flush()
            body = ResponseBody(file.ownedFile, trailers: trailers)
        case .stream(let trailers):
            body = ResponseBody(bytes.followed(by: trailers))
        }
        return HTTPResponse(
            head: delivery.head, body: body, timing: delivery.timing, request: request.withoutStreams)
    }

    /// Takes the response of a download, and writes its body to a file if that is still to be done.
    ///
    /// The engine's thread has written the file if the engine cannot pause. If it can, the body is a stream, and this
    /// task writes the file; the engine pauses whenever writing is slower than the server. The body of a failure, such
    /// as a 404, is in memory.
    private func takeResponseInFile(to request: HTTPRequest) async throws -> HTTPResponse {
        var response = try takeResponse(to: request)
        guard response.body.isStream else { return response }
        let bytes = response.body.bytes
        let file = try await TemporaryFile(of: bytes)
        response.body = ResponseBody(file.ownedFile, trailers: bytes.trailers)
        response.timing.finished = state.withLock { $0.time.elapsed }
        return response
    }
}
