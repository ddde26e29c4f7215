#if os(Linux)
import APIKitCore

extension CurlTransfer {
    /// How many steps of ``ContentDecoder/stepSize`` one transfer decodes before the next has its turn: 1 MiB.
    private static let stepsPerTurn = (1 << 20) / ContentDecoder.stepSize

    /// Decodes what has arrived, as far as the reader wants it: at most 1 MiB, and not much longer than a time.
    ///
    /// Only what a body decodes to is traffic, so that empty members do not keep a request alive. The timeout is judged
    /// after bytes that wait here have had their turn.
    ///
    /// - Returns: Whether there is more to decode.
    func takeTurn(until end: ContinuousClock.Instant, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Bool {
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
        if !hasDecoded { exchange.checkTimeout() }
        receiveMore()
        return wantsMore(of: decoder)
    }

    /// Whether there is something to decode, and the reader wants it now.
    private func wantsMore(of decoder: ContentDecoder) -> Bool {
        !decoder.isDrained && !exchange.isOver && !exchange.shouldPause
    }

    /// Checks the timeout, unless bytes wait to be decoded: those come first.
    ///
    /// - Returns: When to check again.
    func checkTimeout() -> Duration {
        isInLine ? .milliseconds(100) : exchange.checkTimeout()
    }
}
#endif
