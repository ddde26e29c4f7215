import FlyingSocks

/// An event stream (WHATWG's HTML standard, section 9.2.6) that sends its events at an interval.
struct TickEvents: AsyncBufferedSequence {
    typealias Element = UInt8

    /// The events' ids.
    let numbers: Range<Int>
    /// The pause between two events.
    let interval: Duration
    /// The event after which the connection is lost.
    let cut: Int?

    func makeAsyncIterator() -> Iterator {
        Iterator(events: self, next: numbers.lowerBound)
    }

    /// Returns every event as one piece, which FlyingFox writes immediately as one chunk.
    struct Iterator: AsyncBufferedIteratorProtocol {
        let events: TickEvents
        var next: Int
        var rest = Array("retry: 100\n\n".utf8)[...]

        mutating func next() async throws -> UInt8? {
            try await nextBuffer(suggested: 1)?.first
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            if rest.isEmpty {
                if next - 1 == events.cut { throw SocketError.disconnected }
                guard events.numbers.contains(next) else { return nil }
                if next > events.numbers.lowerBound { try await Task.sleep(for: events.interval) }
                rest = Array(event(next).utf8)[...]
                next += 1
            }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        private func event(_ number: Int) -> String {
            let text = "Tick \(number) of \(events.numbers.upperBound - 1)"
            let data: JSON = ["number": .integer(number), "text": .string(text)]
            return "id: \(number)\nevent: tick\ndata: \(data)\n\n"
        }
    }
}
