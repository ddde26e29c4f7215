#if os(Linux)
// The turns in which transfers decode their bodies. CurlTransfer+Receiving.swift has what happens in a turn.
extension CurlLoop {
    /// Adds a transfer to the queue of those that take turns to decode their bodies.
    func scheduleDecoding(of transfer: CurlTransfer) {
        guard !transfer.isQueuedToDecode else { return }
        transfer.isQueuedToDecode = true
        decodingQueue.append(transfer)
    }

    /// Gives each transfer in the queue at most one turn to decode. Ends after about a millisecond, since other
    /// transfers wait for the loop to read from their sockets.
    func decodeInTurns() {
        guard !decodingQueue.isEmpty else { return }
        let end = ContinuousClock.now + .milliseconds(1)
        // A transfer that needs another turn is appended to the queue, and so gets it the next time.
        for _ in 0..<decodingQueue.count {
            guard let transfer = decodingQueue.popFirst() else { return }
            transfer.isQueuedToDecode = false
            transfer.decodeForOneTurn(until: end, into: decodingBuffer)
            if ContinuousClock.now >= end { return }
        }
    }
}
#endif
