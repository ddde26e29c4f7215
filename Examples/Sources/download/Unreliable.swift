import APIKit

/// A client that loses the connection after `limit` bytes of a body, to demonstrate resuming.
struct Unreliable: WrappingClient {
    let base: any APIClient
    let limit: Int

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var response = try await base.perform(request, in: call)
        guard response.body.data == nil else { return response }
        response.body = ResponseBody(ByteStream(Cut(bytes: response.body.bytes, limit: limit)))
        return response
    }

    private struct Cut: AsyncSequence {
        let bytes: ByteStream
        let limit: Int

        func makeAsyncIterator() -> Iterator {
            Iterator(bytes: bytes.makeAsyncIterator(), remaining: limit)
        }

        struct Iterator: AsyncIteratorProtocol {
            var bytes: ByteStream.Iterator
            var remaining: Int

            @concurrent
            mutating func next() async throws -> Data? {
                guard let chunk = try await bytes.next() else { return nil }
                guard remaining > 0 else { throw TransportError(.connectionLost, "cut off on purpose") }
                defer { remaining -= chunk.count }
                return chunk.prefix(remaining)
            }
        }
    }
}
