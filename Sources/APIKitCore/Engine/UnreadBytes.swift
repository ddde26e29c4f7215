/// What has arrived of a stream and waits for its reader.
struct UnreadBytes: Sendable {
    /// The pieces that arrived last, and before them, in reverse, those that are read next: removing one releases it.
    private var arrived: [Data] = []
    private var next: [Data] = []
    /// How many bytes wait.
    private(set) var count = 0

    var isEmpty: Bool { arrived.isEmpty && next.isEmpty }

    mutating func append(_ piece: Data) {
        arrived.append(piece)
        count += piece.count
    }

    mutating func removeFirst() -> Data? {
        if next.isEmpty {
            next = arrived.reversed()
            arrived = []
        }
        guard let piece = next.popLast() else { return nil }
        count -= piece.count
        return piece
    }
}
