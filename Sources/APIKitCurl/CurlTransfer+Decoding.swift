#if os(Linux)
import APIKitCore

extension CurlTransfer {
    /// How many steps of ``ContentDecoder/stepSize`` one transfer decodes before it is the next transfer's turn: at
    /// most 1 MiB of decoded bytes.
    private static let stepsPerTurn = (1 << 20) / ContentDecoder.stepSize

    /// Decodes received bytes and reports the result, until the turn is over or the reader does not want more. The
    /// loop calls this for each transfer that has bytes to decode, in turns.
    ///
    /// - Parameters:
    ///   - end: When the turn is over. A turn has at least one step.
    ///   - buffer: The memory to decode into.
    /// - Returns: Whether the transfer needs another turn.
    func decodeForOneTurn(
        until end: ContinuousClock.Instant, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        guard let decoder else { return false }
        var hasDecoded = false
        do throws(TransportError) {
            for _ in 0..<Self.stepsPerTurn where wantsMore(of: decoder) {
                let count = try decoder.decode(into: buffer)
                append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                if count > 0 { hasDecoded = true }
                if ContinuousClock.now >= end { break }
            }
        } catch {
            exchange.fail(error)
        }
        report()
        // Only decoded bytes restart the timeout, by their report. Otherwise a server could keep a request alive with
        // empty gzip members.
        if !hasDecoded { exchange.checkTimeout() }
        receiveMore()
        return wantsMore(of: decoder)
    }

    /// Whether there are bytes to decode, and the reader wants them now.
    private func wantsMore(of decoder: ContentDecoder) -> Bool {
        !decoder.isDrained && !exchange.isOver && !exchange.shouldPause
    }

    /// Fails the exchange if its timeout has run out. Bytes that wait to be decoded are decoded first, since they may
    /// show that the response arrives in time.
    ///
    /// - Returns: When to check again.
    func checkTimeout() -> Duration {
        if isQueuedToDecode { return .milliseconds(100) }
        return exchange.checkTimeout()
    }
}
#endif
