#if os(Linux)
import APIKitCore
import APIKitSupport

/// The part of a response that has arrived, but is not reported to the exchange yet.
///
/// libcurl delivers the body in pieces of up to 16 KiB. They are joined, since each report may wake a reader.
struct UnreportedResponse {
    private var head: HTTPResponse.Head?
    private var bytes = Data()
    /// The number of bytes of the whole body, nil if it is not known.
    private var bodyLength: Int?
    /// The number of bytes that were reported.
    private var reportedCount = 0
    /// How many bytes `bytes` was expected to get when its first ones arrived.
    private var expectedCount = 0

    /// The sizes by which received bytes are collected.
    private enum PieceSize {
        /// The largest piece that libcurl delivers. After such a piece, more is likely to follow at once.
        static let largest = 16 << 10
        /// The number of collected bytes from which on they are reported at once.
        static let reported = 256 << 10
        /// The most memory to reserve after a smaller first piece, and only if the rest of the body fits into it.
        static let small = 64 << 10
    }

    /// Whether there is nothing to report.
    var isEmpty: Bool { head == nil && bytes.isEmpty }
    /// Whether so much was collected that it should be reported at once.
    var isFull: Bool { bytes.count >= PieceSize.reported }
    var byteCount: Int { bytes.count }

    /// Adds the head, after which `bodyLength` bytes will be added; nil if their number is not known.
    mutating func add(_ head: HTTPResponse.Head, bodyLength: Int?) {
        self.head = head
        self.bodyLength = bodyLength
    }

    /// Adds bytes of the body.
    mutating func add(_ newBytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty { reserveRoom(forFirst: newBytes.count) }
        bytes.append(contentsOf: newBytes)
    }

    /// Removes and returns the head, nil if it was taken before.
    mutating func takeHead() -> HTTPResponse.Head? {
        head.take()
    }

    /// Removes and returns the bytes, to be reported.
    mutating func takeBytes() -> Data {
        let taken = bytes
        bytes = Data()
        reportedCount.addClamping(taken.count)
        if isBufferOversized(for: taken.count) {
            // A caller that keeps the bytes must not keep a much larger buffer alive, so they are copied.
            return taken.withUnsafeBytes { Data($0) }
        }
        return taken
    }

    /// Reserves memory for the bytes that are likely to be added before the next report, so that `bytes` need not grow
    /// for each piece. Their number is stored in `expectedCount`.
    ///
    /// - Parameter count: The size of the first piece.
    private mutating func reserveRoom(forFirst count: Int) {
        var restOfBody = Int.max
        if let bodyLength { restOfBody = bodyLength - reportedCount }
        let mayReserve: Bool
        if count >= PieceSize.largest {
            // Bytes are reported after the piece with which they reach the limit, so there is room for one piece more.
            expectedCount = min(restOfBody, PieceSize.reported + PieceSize.largest)
            mayReserve = true
        } else {
            // The server may send slowly, so memory is reserved only if the whole rest of the body needs little.
            expectedCount = min(restOfBody, PieceSize.small)
            mayReserve = restOfBody <= PieceSize.small
        }
        let expectsMore = count < expectedCount
        if mayReserve, expectsMore { bytes.reserveCapacity(expectedCount) }
    }

    /// Whether ``reserveRoom(forFirst:)`` may have reserved much more memory than the received bytes need.
    private func isBufferOversized(for count: Int) -> Bool {
        // The first piece was small too, after which little is reserved.
        if count < PieceSize.largest { return false }
        let fillsReservedMemory = count >= PieceSize.reported || count == expectedCount
        return !fillsReservedMemory
    }
}
#endif
