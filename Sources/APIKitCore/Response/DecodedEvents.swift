extension AsyncSequence where Element == ServerSentEvent {
    /// The values that the events hold as JSON in their data.
    ///
    /// ```swift
    /// let events = try await client.send(ChatRequest(prompt: prompt))
    /// for try await delta in events.decoded(as: Delta.self, until: "[DONE]") { print(delta.text) }
    /// ```
    ///
    /// Reading throws ``UnreadableElement`` for an event that is no such value; an iterator that is asked again goes on
    /// with the next event. After any other error an iterator is at its end.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - end: The data of an event that ends the stream and is no value; none unless given.
    ///   - decoder: What reads the values; unless given, the type's own where it is a ``JSONAPIResponse``, and else
    ///     ``StandardJSON/decoder``.
    /// - Returns: The values, read as they are asked for.
    public func decoded<Value: Decodable & Sendable>(
        as type: Value.Type,
        until end: String? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> DecodedEvents<Self, Value> {
        DecodedEvents(base: self, end: end, decoder: decoder ?? StandardJSON.decoder(for: type))
    }
}

/// The values that events hold as JSON; made by `decoded(as:until:decoder:)`.
public struct DecodedEvents<Base: AsyncSequence, Value: Decodable & Sendable>: AsyncSequence
where Base.Element == ServerSentEvent {
    /// A value.
    public typealias Element = Value

    fileprivate let base: Base
    fileprivate let end: String?
    fileprivate let decoder: any DataDecoder

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), end: end, decoder: decoder)
    }

    /// Reads values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let end: String?
        fileprivate let decoder: any DataDecoder
        private var number = 0
        private var isOver = false

        fileprivate init(base: Base.AsyncIterator, end: String?, decoder: any DataDecoder) {
            self.base = base
            self.end = end
            self.decoder = decoder
        }

        /// The next value, nil at the end and after an error other than ``UnreadableElement``.
        @concurrent
        public mutating func next() async throws -> Value? {
            guard !isOver else { return nil }
            // Unless an event comes.
            isOver = true
            guard let event = try await base.next(), event.data != end else { return nil }
            isOver = false
            number += 1
            let data = Data(event.data.utf8)
            do {
                return try decoder.decode(Value.self, from: data)
            } catch {
                let excerpt = Masking.excerpt(of: data, limit: 200, onOneLine: true)
                throw UnreadableElement(number: number, excerpt: excerpt, underlying: error)
            }
        }
    }
}

extension DecodedEvents: Sendable where Base: Sendable {}
