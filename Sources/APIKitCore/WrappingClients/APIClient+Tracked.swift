extension APIClient {
    /// Returns a client whose requests in flight a tracker counts and can cancel.
    ///
    /// Outside a retrying client, waits between attempts count as in flight; inside, they do not.
    public func tracked(by tracker: RequestTracker) -> some APIClient {
        TrackedClient(base: self, tracker: tracker)
    }
}

private struct TrackedClient<Base: APIClient>: APIClient {
    let base: Base
    let tracker: RequestTracker

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let place = tracker.place(for: request)
        var response = try await place.transfer.run { [base] in try await base.perform(request) }
        if response.body.isStream {
            let bytes = TrackedBytes(base: response.body.bytes, place: place)
            response.body = ResponseBody(ByteStream(readingOnce: bytes))
        }
        return response
    }
}

/// A stream that its tracker can cancel, and that is in flight until it has ended or is released.
private struct TrackedBytes: AsyncSequence, Sendable {
    let base: ByteStream
    let place: RequestTracker.Place

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: Reader(iterator: base.makeAsyncIterator()), place: place)
    }

    struct Iterator: AsyncIteratorProtocol {
        let reader: Reader
        var place: RequestTracker.Place?

        @concurrent
        mutating func next() async throws -> Data? {
            do {
                let piece = try await place?.transfer.run { [reader] in try await reader.next() } ?? nil
                if piece == nil { place = nil }
                return piece
            } catch {
                place = nil
                throw error is Cancellation ? CancellationError() : error
            }
        }
    }

    /// `@unchecked Sendable`: an iterator waits for each piece before it asks for the next one.
    final class Reader: @unchecked Sendable {
        private var iterator: ByteStream.Iterator

        init(iterator: ByteStream.Iterator) {
            self.iterator = iterator
        }

        func next() async throws -> Data? {
            try await iterator.next()
        }
    }
}
