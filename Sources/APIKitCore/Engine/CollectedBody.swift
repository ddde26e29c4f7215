/// The bytes of a body that is collected in memory, which takes a few times what has arrived, whatever length is
/// announced.
package struct CollectedBody: Sendable {
    package private(set) var data = Data()
    /// For how many bytes there is room.
    package private(set) var capacity = 0

    package init() {}

    /// Appends a piece.
    package mutating func append(_ piece: Data, of announced: Int?) {
        let announced = announced ?? 0
        if data.isEmpty, piece.count >= announced, piece.startIndex == 0 {
            data = piece
            return
        }
        let needed = data.count + piece.count
        if needed > capacity, needed < announced {
            capacity = announced / 4 < needed ? announced : needed * 4
            data.reserveCapacity(capacity)
        }
        data.append(piece)
    }
}
