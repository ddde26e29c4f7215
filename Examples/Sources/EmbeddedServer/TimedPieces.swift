import FlyingSocks

/// Pieces of a body that are sent at an interval.
struct TimedPieces: AsyncBufferedSequence {
    typealias Element = UInt8

    let pieces: [String]
    let interval: Duration

    func makeAsyncIterator() -> Iterator {
        Iterator(pieces: pieces[...], interval: interval)
    }

    /// Returns every piece at once, which FlyingFox writes immediately as one chunk.
    struct Iterator: AsyncBufferedIteratorProtocol {
        var pieces: ArraySlice<String>
        let interval: Duration
        var rest = ArraySlice<UInt8>()

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty {
                guard let piece = pieces.popFirst() else { return nil }
                try await Task.sleep(for: interval)
                rest = Array(piece.utf8)[...]
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
    }
}
