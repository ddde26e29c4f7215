public import APIKitCore

/// The values of an event stream as they arrive: `typealias Response = JSONEvents<MessageEvent>`.
///
/// ```swift
/// for try await chunk in try await client.send(ChatRequest(prompt: prompt)) {
///     show(chunk.text)
/// }
/// ```
///
/// The ``EventRules`` of the value's type say how an event becomes a value, which one is a failure, and which one ends
/// the stream. The loop throws the endpoint's ``APIError``: for a failure, ``APIError/rejected(_:_:)``; if the stream
/// ends before the event that should end it, ``APIError/transport(_:)`` with the code `connectionLost`, so that a
/// truncated text is not taken for a complete one.
///
/// An event that cannot be read is ``APIError/unreadable(_:_:)`` with a
/// ``ContentError/Code/unreadableElement``, after which the iterator continues with the next
/// event. After any other error the iterator is at its end.
public struct JSONEvents<Value: Sendable>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value

    private let makeIterator: @Sendable () -> Iterator

    /// Creates values that are read from events.
    ///
    /// - Parameters:
    ///   - events: The events of a response, or events that reconnect.
    ///   - rules: How events become values.
    public init<Events: AsyncSequence & Sendable>(_ events: Events, rules: EventRules<Value>)
    where Events.Element == ServerSentEvents.Event {
        // Only the events of an endpoint have a context, with which the loop throws the endpoint's errors.
        let source = events as? any EventSource
        let context = source?.context
        var events = events
        // With a limit for the time between two events, the reader checks the time whenever something arrives. So it
        // also needs the comments that servers send to keep a connection open.
        if rules.longestGap != nil, let withComments = source?.withComments as? Events { events = withComments }
        makeIterator = { [events] in
            Iterator(EventReader(base: events.makeAsyncIterator(), rules: rules, context: context))
        }
    }

    /// Creates a stream of values in memory, for stubs and previews.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - error: What is thrown after the values; nil if the stream is complete.
    public init(_ values: [Value], failingWith error: (any Error)? = nil) {
        makeIterator = { Iterator(GivenValues(rest: values[...], error: error)) }
    }

    /// Returns an iterator over the values.
    public func makeAsyncIterator() -> Iterator {
        makeIterator()
    }

    /// Reads values.
    public struct Iterator: AsyncIteratorProtocol {
        private let readNext: @concurrent () async throws -> Value?

        init<Base: AsyncIteratorProtocol>(_ base: Base) where Base.Element == Value {
            var base = base
            readNext = { try await base.next() }
        }

        /// Returns the next value, or nil at the end of the stream.
        @concurrent
        public mutating func next() async throws -> Value? {
            try await readNext()
        }
    }

    private struct GivenValues: AsyncIteratorProtocol {
        var rest: ArraySlice<Value>
        var error: (any Error)?

        mutating func next() async throws -> Value? {
            if let value = rest.popFirst() { return value }
            if let error = error.take() { throw error }
            return nil
        }
    }
}

extension JSONEvents: APIResponse where Value: EventModel {
    /// The type that a caller receives.
    public typealias Model = JSONEvents

    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }
    /// `text/event-stream`.
    public static var acceptedTypes: [MIMEType] { ServerSentEvents.acceptedTypes }

    /// Whether a response has events: a 2xx that is not JSON, in which some APIs report a failure under a 200.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        ServerSentEvents.isSuccess(head)
    }

    /// Returns the values of events in memory.
    public static func process(data: Data) throws -> JSONEvents {
        JSONEvents(try ServerSentEvents.process(data: data), rules: Value.rules)
    }

    /// Returns the values of the body as it arrives.
    ///
    /// - Throws: ``ContentError`` if the `Content-Type` names a type other than `text/event-stream`.
    public static func process(response: HTTPResponse) async throws -> JSONEvents {
        JSONEvents(try await ServerSentEvents.process(response: response), rules: Value.rules)
    }
}

extension AsyncSequence where Self: Sendable, Element == ServerSentEvents.Event {
    /// Reads the events as values, by the rules of their type.
    public func decoded<Value: EventModel>(as type: Value.Type) -> JSONEvents<Value> {
        JSONEvents(self, rules: type.rules)
    }

    /// Reads the JSON in the data of the events.
    ///
    /// ```swift
    /// let events = client.events(for: TickerRequest())
    /// for try await chunk in events.decoded(as: ChatChunk.self) {
    ///     show(chunk.text)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - end: The event that ends the stream and is not a value; nil if its connection does.
    ///   - decoder: The decoder of the values; by default, the type's decoder if it is a ``JSONResponse``, and
    ///     otherwise `JSONReader()`.
    /// - Returns: The values, decoded as they are read.
    public func decoded<Value: Decodable & Sendable>(
        as type: Value.Type, until end: EventRules<Value>.Match? = nil, decoder: (any DataDecoder)? = nil
    ) -> JSONEvents<Value> {
        JSONEvents(self, rules: EventRules(end: end, decoder: decoder))
    }
}

/// Events that come from an endpoint.
protocol EventSource {
    /// The endpoint and its response, if they are known.
    var context: ReadingContext? { get }

    /// The same events, with comments among them if the source knows them.
    var withComments: Self { get }
}
