import APIKitFoundation

/// A client that loses the connection after so many bytes of a body, to try out what happens then.
struct Unreliable: APIClient {
    let base: any APIClient
    let limit: Int

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        var response = try await base.perform(request)
        guard response.body.data == nil else { return response }
        response.body = ResponseBody(ByteStream(Cut(bytes: response.body.bytes, limit: limit)))
        return response
    }

    private struct Cut: AsyncSequence {
        let bytes: ByteStream
        let limit: Int

        func makeAsyncIterator() -> Iterator {
            Iterator(bytes: bytes.makeAsyncIterator(), left: limit)
        }

        struct Iterator: AsyncIteratorProtocol {
            var bytes: ByteStream.Iterator
            var left: Int

            @concurrent
            mutating func next() async throws -> Data? {
                guard let chunk = try await bytes.next() else { return nil }
                guard left > 0 else { throw TransportError(.connectionLost, "cut off on purpose") }
                defer { left -= chunk.count }
                return chunk.prefix(left)
            }
        }
    }
}
