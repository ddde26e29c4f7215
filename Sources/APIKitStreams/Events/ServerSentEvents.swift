public import APIKitCore
import APIKitSupport

/// The events of an event stream as they arrive (WHATWG HTML, section 9.2): `typealias Response = ServerSentEvents`.
///
/// ```swift
/// for try await event in try await client.send(TickerRequest()) { print(event.data) }
/// ```
///
/// ``JSONEvents`` reads the data of the events as JSON. The loop ends with the connection;
/// ``APIClient/events(for:options:attempts:reconnects:)`` reconnects. If no data arrives for longer than
/// ``RequestOptions/timeout``, the loop fails with `timedOut`. An incomplete final event is discarded.
///
/// Some servers send a failure, as JSON or HTML, with the type of an event stream. If a body has lines, and none of
/// them has a field that WHATWG HTML knows or is a comment, the loop ends with a ``ContentError`` with the code
/// `unexpectedType`.
public struct ServerSentEvents: StreamedResponse, EventSource, CheckedAtEnd {
    /// An event.
    public typealias Element = Event

    /// The bytes of the body.
    public let bytes: ByteStream
    /// The maximum number of bytes of an event's data, and of each of its lines; reading a larger one
    /// fails with the code `bodyTooLarge`.
    public var elementLimit = 16 << 20
    private(set) var parser = EventParser()
    var context: ReadingContext? { bytes.context }
    /// Whether comments, and blank lines that complete no event, are reported as ``Event/comment``.
    private var reportsComments = false

    /// Creates events that are read from the given bytes.
    public init(bytes: ByteStream) {
        self.bytes = bytes
    }

    /// `text/event-stream`.
    public static var acceptedTypes: [MIMEType] { [.eventStream] }

    /// Whether a response has events: a 2xx that is not JSON, in which some APIs report a failure under a 200.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        guard 200..<300 ~= head.status else { return false }
        return head.status == 204 || !head.isJSON
    }

    /// Returns the events of the body as it arrives; a 204 has none, whatever its type.
    ///
    /// - Throws: ``ContentError`` if the `Content-Type` names a type other than `text/event-stream`.
    public static func process(response: HTTPResponse) async throws -> ServerSentEvents {
        guard response.head.status != 204 else { return ServerSentEvents(bytes: ByteStream([])) }
        if let type = response.head.contentType, type.essence != MIMEType.eventStream.essence {
            throw ContentError(.unexpectedType, "the Content-Type is \(type), not \(MIMEType.eventStream)")
        }
        return ServerSentEvents(bytes: response.body.bytes)
    }

    /// Returns the event that an empty line completes, or nil for any other line. An incomplete line at the end of the
    /// body is ignored.
    ///
    /// If comments are reported, a comment is an event, too, and so is an empty line that completes no event: both show
    /// that the connection is alive.
    public mutating func element(from line: ByteStream.Line) throws -> Event? {
        guard line.isTerminated else {
            parser.parseIncomplete(line.bytes)
            return nil
        }
        if let event = try parser.parse(line.bytes, limit: elementLimit) { return event }
        let isSignOfLife = line.bytes.isEmpty || line.bytes.first == UInt8(ascii: ":")
        return reportsComments && isSignOfLife ? .comment : nil
    }

    func checkEnd() throws {
        guard let line = parser.strayLine else { return }
        let excerpt = Masking.excerpt(of: line, limit: ResponseBody.excerptLimit, onOneLine: true)
        throw ContentError(.unexpectedType, "the body is not an event stream: it begins with \(excerpt)")
    }

    var withComments: ServerSentEvents {
        var events = self
        events.reportsComments = true
        return events
    }

    /// Returns the events with the id of the last event of an earlier connection, which they keep until they have their
    /// own.
    func resuming(after lastEventID: String) -> ServerSentEvents {
        var events = self
        events.parser = EventParser(lastEventID: lastEventID)
        return events
    }
}

extension ServerSentEvents {
    /// One event of an event stream (WHATWG HTML, section 9.2).
    public struct Event: Sendable, Hashable {
        /// The type of the event; `message` if the server names none.
        public var type: String
        /// The event's data; several `data` lines are joined by LF.
        public var data: String
        /// The last id that the server has sent, with this event or an earlier one; empty if there is none.
        public var id: String

        /// Creates an event.
        public init(type: String = "message", data: String, id: String = "") {
            self.type = type
            self.data = data
            self.id = id
        }

        /// A marker for a comment, which only readers that ask for comments receive. It cannot be mistaken for an
        /// event, since the type of a real event contains no line ending.
        static let comment = Event(type: "\n", data: "")

        var isComment: Bool { type == "\n" }
    }
}
