#if os(Linux)
/// The turns in which transfers decode their bodies, so that a large body does not delay the others.
///
/// It is a class, since a transfer may add itself again during its turn.
final class DecodingTurns {
    /// The transfers that wait for a turn.
    @exclusivity(unchecked) private var queue: ArraySlice<CurlTransfer> = []
    /// The buffer that all transfers decode into, one after the other.
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.stepSize)

    /// For how long transfers take their turns before the thread reads from the sockets of the others.
    private static let duration = Duration.milliseconds(1)

    deinit {
        buffer.deallocate()
    }

    var isEmpty: Bool { queue.isEmpty }
    var all: some Collection<CurlTransfer> { queue }

    /// Adds a transfer to the queue, unless it is there already.
    func add(_ transfer: CurlTransfer) {
        guard !transfer.isQueuedToDecode else { return }
        transfer.isQueuedToDecode = true
        queue.append(transfer)
    }

    /// Gives each transfer in the queue at most one turn, until the time is over.
    func takeTurns(on thread: CurlThread) {
        guard !queue.isEmpty else { return }
        let end = ContinuousClock.now + Self.duration
        // A transfer that needs another turn is appended to the queue, and so gets it the next time.
        for _ in 0..<queue.count {
            guard let transfer = queue.popFirst() else { return }
            transfer.isQueuedToDecode = false
            transfer.decodeForOneTurn(until: end, into: buffer, on: thread)
            if ContinuousClock.now >= end { return }
        }
    }
}
#endif
