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

    /// Appends a piece.
    ///
    /// - Parameters:
    ///   - piece: The bytes that have arrived.
    ///   - announced: The length of the whole body as the response's head announces it; nil if it does not.
    package mutating func append(_ piece: Data, of announced: Int?) {
        let announced = announced ?? 0
        let isWholeBody = data.isEmpty && piece.count >= announced
        // A slice is copied, so that the indices of a body begin at 0.
        if isWholeBody && piece.startIndex == 0 {
            data = piece
            return
        }
        let needed = data.count + piece.count
        if needed > capacity && needed < announced {
            // A division, since the product may overflow.
            let isAnnouncedFarAhead = needed <= announced / Self.maximumGrowth
            capacity = isAnnouncedFarAhead ? needed * Self.maximumGrowth : announced
            data.reserveCapacity(capacity)
        }
        data.append(piece)
    }
}
