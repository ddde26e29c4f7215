import FlyingSocks
import Foundation

/// A body that is sent at the pace of a network, so that the progress of a download can be seen.
struct PacedBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    let bytes: Data
    /// The pause before each piece.
    let interval: Duration

    func makeAsyncIterator() -> Iterator {
        Iterator(remaining: bytes, interval: interval)
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var remaining: Data
        let interval: Duration

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            guard !remaining.isEmpty else { return nil }
            try await Task.sleep(for: interval)
            defer { remaining = remaining.dropFirst(count) }
            return Array(remaining.prefix(count))[...]
        }
    }
}
