/// The bytes of a body that is collected in memory.
///
/// The announced length of a body saves copies while its buffer grows. It is not trusted, since a server may announce
/// gigabytes and send little: a buffer is never reserved for more than a few times the bytes that have arrived.
package struct CollectedBody: Sendable {
    package private(set) var data = Data()
    /// The number of bytes that the buffer was last reserved for.
    package private(set) var capacity = 0

    /// How many times the bytes that have arrived a buffer may be reserved for: with 4, a body of any length is copied
    /// few times, and a wrong announcement wastes at most three times the bytes that were sent.
    private static let maximumGrowth = 4

    package init() {}

    /// Appends a piece, and makes the buffer grow towards the announced length.
    ///
    /// - Parameters:
    ///   - piece: The bytes that have arrived.
    ///   - announced: The length of the whole body as the response's head announces it; nil if it does not.
    package mutating func append(_ piece: Data, of announced: Int?) {
        let announced = announced ?? 0
        let mayBeWholeBody = data.isEmpty && piece.count >= announced
        // The indices of a body begin at 0, so a slice of other data is copied.
        let isSlice = piece.startIndex != 0
        if mayBeWholeBody && !isSlice {
            // Kept without a copy.
            data = piece
            return
        }
        let needed = data.count + piece.count
        // No capacity is reserved for the last piece, since no other one follows.
        let expectsMore = needed < announced
        if expectsMore && needed > capacity {
            capacity = Self.capacity(for: needed, announced: announced)
            data.reserveCapacity(capacity)
        }
        data.append(piece)
    }

    /// Returns the capacity for bytes that have arrived: the announced length, but at most ``maximumGrowth`` times the
    /// bytes.
    private static func capacity(for needed: Int, announced: Int) -> Int {
        // A division, since the product may overflow.
        let isAnnouncedFarAhead = needed <= announced / maximumGrowth
        return isAnnouncedFarAhead ? needed * maximumGrowth : announced
    }
}
