public import APIKitCore
import APIKitSupport

/// The values of an endpoint whose server responds with JSON or with an event stream, as it chooses:
/// `typealias Response = JSONOrEvents<ToolMessage>`.
///
/// In both cases, `send` returns ``JSONEvents``. A JSON body is read like a single event of the type `message` that has
/// the body as its data, by the same ``EventRules``: it is a value, or a failure, for which the loop throws
/// ``APIError/rejected(_:_:)``. The end that the rules require is not required of JSON.
///
/// If JSON has another structure than the events, the value is an enum. If its rules name the types of events, they
/// also have a case for `message`:
///
/// ```swift
/// nonisolated enum ChatEvent: EventModel {
///     case delta(ChatChunk)
///     case completion(ChatCompletion)
///
///     static var rules: EventRules<ChatEvent> {
///         EventRules(
///             [
///                 "delta": .decoded { .delta($0) },
///                 "message": .decoded { .completion($0) },
///             ],
///             end: .type("stop"), failure: .member("error"))
///     }
/// }
/// ```
///
/// An endpoint whose parameters decide which of the two arrives is better two endpoints, each with its own type.
public enum JSONOrEvents<Value: EventModel>: APIResponse {
    /// The type that a caller receives.
    public typealias Model = JSONEvents<Value>

    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }
    /// `application/json` and `text/event-stream`.
    public static var acceptedTypes: [MIMEType] { [.json, .eventStream] }

    /// Returns the values of JSON or of events in memory. The bytes are JSON if they begin with a brace, a bracket or a
    /// quotation mark, after white space: no field of an event does.
    public static func process(data: Data) throws -> JSONEvents<Value> {
        let start = data.first { !" \t\r\n".utf8.contains($0) }
        let isJSON = start.map("{[\"".utf8.contains) ?? false
        return isJSON ? values(ofJSON: ByteStream([data])) : try JSONEvents<Value>.process(data: data)
    }

    /// Returns the values of the body as it arrives; a 204 has none.
    ///
    /// - Throws: ``ContentError`` if the `Content-Type` names neither JSON nor `text/event-stream`.
    public static func process(response: HTTPResponse) async throws -> JSONEvents<Value> {
        if response.head.status == 204 { return JSONEvents([]) }
        guard response.head.isJSON else { return try await JSONEvents<Value>.process(response: response) }
        return values(ofJSON: response.body.bytes)
    }

    private static func values(ofJSON bytes: ByteStream) -> JSONEvents<Value> {
        var rules = Value.rules
        rules.requiresEnd = false
        return JSONEvents(BodyEvent(bytes: bytes), rules: rules)
    }
}

extension HTTPResponse.Head {
    /// Whether the body is JSON, by its `Content-Type`.
    var isJSON: Bool {
        let type = contentType?.essence ?? ""
        return type == MIMEType.json.essence || type.hasSuffix("+json")
    }
}

/// A single event, whose data is a whole body.
private struct BodyEvent: AsyncSequence, EventSource, Sendable {
    typealias Element = ServerSentEvents.Event

    let bytes: ByteStream

    var context: ReadingContext? { bytes.context }
    /// A body has no comments.
    var withComments: BodyEvent { self }

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

    struct Iterator: AsyncIteratorProtocol {
        /// The bytes; nil once they have been read.
        var bytes: ByteStream?

        mutating func next() async throws -> ServerSentEvents.Event? {
            guard let bytes = bytes.take() else { return nil }
            let limit = ServerSentEvents(bytes: bytes).elementLimit
            return ServerSentEvents.Event(data: try await bytes.data(upTo: limit).utf8Text)
        }
    }
}
