public import APIKitCore
import APIKitSupport

/// A value that is read from the events of a stream: a model in JSON, or an enum with a case for each type of event.
///
/// ```swift
/// nonisolated struct ChatChunk: Codable, EventModel {
///     let text: String
///     static var rules: EventRules<ChatChunk> {
///         EventRules(end: .data("[DONE]"), failure: .member("error"))
///     }
/// }
/// ```
///
/// ```swift
/// nonisolated enum MessageEvent: EventModel {
///     case delta(ChatChunk)
///     case usage([String: Int])
///
///     static var rules: EventRules<MessageEvent> {
///         EventRules(
///             ["delta": .decoded { .delta($0) }, "usage": .decoded { .usage($0) }],
///             end: .type("stop"), failure: .type("error"), longestGap: .seconds(60))
///     }
/// }
/// ```
public protocol EventModel: Sendable {
    /// The rules of the stream; by default, each event is a value in JSON, and the stream
    /// ends with its connection.
    static var rules: EventRules<Self> { get }
}

extension EventModel where Self: Decodable {
    /// Each event is a value in JSON, and the stream ends with its connection.
    public static var rules: EventRules<Self> { EventRules() }
}

/// The rules by which the events of a stream become values, and by which it ends.
public struct EventRules<Value: Sendable>: Sendable {
    /// The event that ends the stream; nil if its connection does.
    public var end: Match?
    /// The events that are failures: the loop throws ``APIError/rejected(_:_:)`` with the endpoint's failure, which is
    /// read from the event's data, the status, and that data as the response's body.
    public var failure: Match?
    /// Whether a stream that ends without its ``end`` is an error, as it is by default.
    public var requiresEnd = true
    /// The longest time without a value, in which comments and skipped events such as `ping` do not count; nil for any.
    ///
    /// It is checked whenever something arrives, so that ``RequestOptions/timeout`` still limits silence.
    public var longestGap: Duration?
    /// Returns the value of an event, or nil if it is skipped.
    let value: @Sendable (ServerSentEvents.Event) throws -> Value?
    /// The types that have a case, which are values even if they end the stream.
    let cases: Set<String>

    /// Creates rules for a stream whose events have a type each.
    ///
    /// - Parameters:
    ///   - cases: The value for each type of event.
    ///   - other: Returns the value of an event whose type is not listed, or nil to skip it; by default, all are
    ///     skipped.
    ///   - end: The event that ends the stream, which is a value too if its type is listed; nil if its connection does.
    ///   - failure: The events that are failures.
    ///   - longestGap: The longest time without a value; nil for any.
    public init(
        _ cases: [String: Case],
        other: @escaping @Sendable (ServerSentEvents.Event) -> Value? = { _ in nil },
        end: Match? = nil, failure: Match? = nil, longestGap: Duration? = nil
    ) {
        self.end = end
        self.failure = failure
        self.longestGap = longestGap
        self.cases = Set(cases.keys)
        value = { event in
            guard let type = cases[event.type] else { return other(event) }
            return try type.value(event)
        }
    }

    /// Creates rules for a stream whose events all are values in JSON.
    ///
    /// - Parameters:
    ///   - end: The event that ends the stream and is not a value; nil if its connection does.
    ///   - failure: The events that are failures.
    ///   - longestGap: The longest time without a value; nil for any.
    ///   - decoder: The decoder of the values; by default, the type's decoder if it is a ``JSONResponse``, and
    ///     otherwise `JSONReader()`.
    public init(
        end: Match? = nil, failure: Match? = nil, longestGap: Duration? = nil,
        decoder: (any DataDecoder)? = nil
    ) where Value: Decodable {
        let type = Case.decoded(decoder: decoder) { (value: Value) in value }
        self.end = end
        self.failure = failure
        self.longestGap = longestGap
        cases = []
        value = type.value
    }
}

extension EventRules {
    /// The value for one type of event.
    public struct Case: Sendable {
        let value: @Sendable (ServerSentEvents.Event) throws -> Value

        /// The JSON in the event's data, read as a payload, from which a function such as an enum's case makes the
        /// value.
        ///
        /// - Parameters:
        ///   - decoder: The decoder of the payload; by default, its type's decoder if it is a ``JSONResponse``, and
        ///     otherwise `JSONReader()`.
        ///   - make: Returns the value for a payload.
        /// - Returns: The case.
        public static func decoded<Payload: Decodable & Sendable>(
            decoder: (any DataDecoder)? = nil, _ make: @escaping @Sendable (Payload) -> Value
        ) -> Case {
            let decoder = decoder ?? StandardJSON.decoder(for: Payload.self)
            return Case { make(try decoder.decode(Payload.self, from: $0.data.utf8Data)) }
        }

        /// A value that does not depend on the event's data.
        public static func constant(_ value: Value) -> Case {
            Case { _ in value }
        }
    }

    /// Selects events by their type or their data.
    public struct Match: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: Sendable, Hashable {
            case types([String])
            case data(String)
            case member(String)
        }

        private let kind: Kind

        /// The events of the given types.
        public static func type(_ types: String...) -> Match { Match(kind: .types(types)) }

        /// The events whose data is the given text, such as `[DONE]`.
        public static func data(_ text: String) -> Match { Match(kind: .data(text)) }

        /// The events whose data is a JSON object that has a member of the given name, other than null.
        public static func member(_ name: String) -> Match { Match(kind: .member(name)) }

        /// Whether an event is selected.
        func matches(_ event: ServerSentEvents.Event) -> Bool {
            switch kind {
            case .types(let types): return types.contains(event.type)
            case .data(let text): return event.data == text
            case .member(let name):
                // Most events do not contain the name at all. This search saves decoding them a second time.
                guard event.data.contains(bytesOf: name) else { return false }
                let object = try? JSONReader().decode([String: Presence].self, from: event.data.utf8Data)
                return object?[name]?.isNull == false
            }
        }

        /// Decodes any value, and notes only whether it is null.
        private struct Presence: Decodable {
            let isNull: Bool

            init(from decoder: any Decoder) throws {
                isNull = try decoder.singleValueContainer().decodeNil()
            }
        }

        /// The events in words, such as `the event "[DONE]"`.
        public var description: String {
            switch kind {
            case .types(let types): "an event of the type \(types.joined(separator: " or "))"
            case .data(let text): "the event \(text.debugDescription)"
            case .member(let name): "an event with the member \(name.debugDescription)"
            }
        }
    }
}
