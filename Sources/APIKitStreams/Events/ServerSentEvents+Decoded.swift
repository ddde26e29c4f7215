public import APIKitCore

extension AsyncSequence where Element == ServerSentEvents.Event {
    /// Decodes the JSON in the data of the events.
    ///
    /// ```swift
    /// let events = try await client.send(ChatRequest(prompt: prompt))
    /// for try await delta in events.decoded(as: Delta.self, until: "[DONE]") { print(delta.text) }
    /// ```
    ///
    /// Reading an event that is not such a value throws
    /// ``ContentError/unreadableElement(number:excerpt:underlying:)``, after which the iterator continues with the next
    /// event. After any other error the iterator is at its end.
    ///
    /// If the events end before the one that `end` names, reading throws ``TransportError`` with the code
    /// `connectionLost`, so that a truncated text is not taken for a complete one. Events that reconnect do not end
    /// with their connection.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - end: The data of the event that ends the stream and is not a value; by default, no event does.
    ///   - decoder: The decoder of the values; by default, that of the type if it is a ``JSONResponse``, and
    ///     otherwise `JSONReader()`.
    /// - Returns: The values, decoded as they are read.
    public func decoded<Value: Decodable & Sendable>(
        as type: Value.Type,
        until end: String? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> ServerSentEvents.Decoded<Self, Value> {
        ServerSentEvents.Decoded(base: self, end: end, decoder: decoder ?? StandardJSON.decoder(for: type))
    }
}

extension ServerSentEvents {
    /// The values in the data of events; created by `decoded(as:until:decoder:)`.
    public struct Decoded<Base: AsyncSequence, Value: Decodable & Sendable>: AsyncSequence
    where Base.Element == Event {
        /// A value.
        public typealias Element = Value

        fileprivate let base: Base
        fileprivate let end: String?
        fileprivate let decoder: any DataDecoder

        /// Returns an iterator over the values.
        public func makeAsyncIterator() -> Iterator {
            Iterator(values: self, base: base.makeAsyncIterator())
        }

        /// Reads values.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let values: Decoded
            fileprivate var base: Base.AsyncIterator
            fileprivate var number = 0
            fileprivate var isOver = false

            /// Returns the next value, or nil at the end of the stream.
            @concurrent
            public mutating func next() async throws -> Value? {
                guard !isOver else { return nil }
                // Any error ends the iterator, unless it is reset below.
                isOver = true
                guard let event = try await base.next() else {
                    guard let end = values.end else { return nil }
                    let message = "the stream ended before the event \(end.debugDescription)"
                    throw TransportError(.connectionLost, message)
                }
                guard event.data != values.end else { return nil }
                isOver = false
                number += 1
                let data = Data(event.data.utf8)
                do {
                    return try values.decoder.decode(Value.self, from: data)
                } catch {
                    throw ContentError.unreadableElement(number, of: data, error)
                }
            }
        }
    }
}

extension ServerSentEvents.Decoded: Sendable where Base: Sendable {}
