package import APIKitCore
import APIKitSupport

extension Exchange {
    /// Reports the head, the body and the end of a response to the exchange, as an engine does when it receives one.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - delay: The time before the head.
    ///   - interval: The time between two pieces of the body, which begins once the second one is asked for.
    ///   - failure: The error after the last piece, nil if the body is complete.
    /// - Throws: What fails the exchange.
    func play(
        _ response: HTTPResponse, after delay: Duration = .zero, every interval: Duration = .zero,
        failingWith failure: (any Error)? = nil
    ) async throws {
        try await wait(for: delay)
        receive(response.head)
        let bytes = response.body.bytes
        var pieces = bytes.makeAsyncIterator()
        var isFirst = true
        while true {
            await waitForDemand()
            let piece = try await pieces.next()
            // The first piece arrives with the head, and a complete body ends with its last piece.
            let isEvent = piece != nil || failure != nil
            if !isFirst, isEvent { try await wait(for: interval) }
            isFirst = false
            if let piece {
                receive(piece)
            } else if let failure {
                throw failure
            } else {
                return finish(trailers: bytes.trailers)
            }
        }
    }

    /// Reads the body of the request and reports its progress to the exchange, as an engine does when it sends a body.
    func playSending() async throws {
        sent(total: 0)
        await waitForDemand()
        var count = 0
        guard let body = request.body else { return }
        for try await piece in body.bytes {
            count += piece.count
            sent(total: count)
            await waitForDemand()
        }
    }

    /// Waits on the call's clock, as a server that delays its next event. A delay of the request's timeout or more ends
    /// with `timedOut` after that timeout.
    ///
    /// - Throws: ``TransportError`` with the code `timedOut`, `CancellationError`.
    package func wait(for delay: Duration) async throws {
        if delay > .zero { try await call.wait(for: delay, of: request) }
    }
}

extension Call {
    /// Waits on the call's clock as long as a simulated delay of a request takes. A delay of the request's timeout or
    /// more ends with `timedOut` after that timeout.
    ///
    /// A simulation knows how long the delay is going to be, so the timeout needs no timer of its own.
    ///
    /// - Throws: ``TransportError`` with the code `timedOut`, `CancellationError`.
    package func wait(for delay: Duration, of request: HTTPRequest) async throws {
        let timeout = request.options.effectiveTimeout
        try await clock.sleep(for: min(delay, timeout).clampedForSleep)
        guard delay < timeout else { throw TransportError.noData(for: request) }
    }
}
