extension ResponseBody {
    /// Reads the next piece of a stream, nil at its end.
    package typealias Step = @Sendable () async throws -> Data?

    /// Returns the same body. If it is a stream, each piece is read by a closure; any other body stays as it is.
    ///
    /// The closure can count, replace or drop pieces, and replace the error that reading throws. It is released with
    /// all that it captures when the stream has ended, failed or been released: whether or not anyone reads it to its
    /// end. The trailers stay.
    ///
    /// ```swift
    /// response.body = response.body.readingStream { next in
    ///     let piece = try await next()
    ///     counter.add(piece?.count ?? 0)
    ///     return piece
    /// }
    /// ```
    ///
    /// - Parameter read: Called for each piece. It calls `next` to read a piece of the underlying stream, and returns
    ///   nil at the end. One call ends before the next one begins.
    /// - Returns: The body.
    public func readingStream(
        by read: @escaping @Sendable (_ next: @escaping @Sendable () async throws -> Data?) async throws -> Data?
    ) -> ResponseBody {
        guard isStream else { return self }
        let bytes = bytes
        let stream = ByteStream(readingOnce: {
            let reader = StreamReader(bytes.makeAsyncIterator())
            return ByteStream.Iterator { try await read { try await reader.next() } }
        })
        return ResponseBody(stream.followed(by: bytes.ownTrailers))
    }

    /// Returns the same body. A stream keeps an object until it has ended, failed or been released; any other body
    /// ignores the object, since all of its bytes have arrived.
    ///
    /// A client that occupies something until its response is complete, such as a place in a queue, frees it in the
    /// object's `deinit`. The place is then also free if a request fails, and if nobody reads the stream.
    ///
    /// ```swift
    /// let place = try await queue.place()
    /// var response = try await base.perform(request, in: call)
    /// response.body = response.body.keeping(place)
    /// return response
    /// ```
    ///
    /// - Parameter object: The object.
    /// - Returns: The body.
    public func keeping(_ object: any Sendable) -> ResponseBody {
        readingStream { next in
            defer { withExtendedLifetime(object) {} }
            return try await next()
        }
    }
}

/// `@unchecked Sendable`: only one iterator uses it, and waits for each piece before it reads the next one.
private final class StreamReader: @unchecked Sendable {
    private var iterator: ByteStream.Iterator

    init(_ iterator: ByteStream.Iterator) {
        self.iterator = iterator
    }

    func next() async throws -> Data? {
        try await iterator.next()
    }
}
