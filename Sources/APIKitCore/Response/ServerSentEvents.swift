/// The events of an event stream, as they arrive (WHATWG HTML, section 9.2): `typealias Response = ServerSentEvents`.
///
/// ```swift
/// for try await event in try await client.send(ChatRequest(prompt: prompt)) { print(event.data) }
/// ```
///
/// `decoded(as:until:decoder:)` reads the events' data as JSON. This is one connection: where it ends,
/// the loop ends, and ``APIClient/events(for:attempts:reconnects:clock:)`` is what connects again. A server that says nothing for longer
/// than ``RequestOptions/timeout`` ends it with an error.
public struct ServerSentEvents: APIResponse, AsyncSequence {
    /// An event.
    public typealias Element = ServerSentEvent

    private let bytes: ByteStream
    private let eventLimit: Int

    /// Makes events of bytes.
    ///
    /// - Parameters:
    ///   - bytes: What to read.
    ///   - eventLimit: The most bytes of an event; past it reading throws ``TransportError`` with the code
    ///     `bodyTooLarge`.
    public init(_ bytes: ByteStream, eventLimit: Int = 16 << 20) {
        self.bytes = bytes
        self.eventLimit = eventLimit
    }

    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }
    /// An event stream.
    public static var acceptedTypes: [MIMEType] { [.eventStream] }

    /// Gives the events of bytes that are there already.
    public static func process(data: Data) throws -> ServerSentEvents {
        ServerSentEvents(ByteStream([data]))
    }

    /// Gives the events of the body as it arrives; a 204 has none, whatever type it names.
    ///
    /// - Throws: ``ContentTypeError`` where the `Content-Type` names something else.
    public static func process(response: HTTPResponse) async throws -> ServerSentEvents {
        guard response.head.status != 204 else { return ServerSentEvents(ByteStream([])) }
        if let type = response.head.contentType, type.essence != MIMEType.eventStream.essence {
            throw ContentTypeError(contentType: type, expected: .eventStream)
        }
        return ServerSentEvents(response.body.bytes)
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        makeAsyncIterator(lastEventID: "")
    }

    func makeAsyncIterator(lastEventID: String) -> Iterator {
        Iterator(
            bytes: bytes.makeAsyncIterator(),
            splitter: LineSplitter(ending: .any, limit: eventLimit),
            parser: EventParser(lastEventID: lastEventID, limit: eventLimit))
    }

    /// Reads events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var bytes: ByteStream.Iterator
        fileprivate var splitter: LineSplitter
        private(set) var parser: EventParser
        private var isOver = false

        fileprivate init(bytes: ByteStream.Iterator, splitter: LineSplitter, parser: EventParser) {
            (self.bytes, self.splitter, self.parser) = (bytes, splitter, parser)
        }

        /// The next event, nil at the end and after an error; an incomplete final event is discarded.
        @concurrent
        public mutating func next() async throws -> ServerSentEvent? {
            guard !isOver else { return nil }
            // Unless an event comes.
            isOver = true
            let event = try await nextEvent()
            isOver = event == nil
            return event
        }

        @concurrent
        private mutating func nextEvent() async throws -> ServerSentEvent? {
            while true {
                while let line = try splitter.next({ try parser.parse($0) }) {
                    if let event = line { return event }
                }
                guard let chunk = try await bytes.next() else { return nil }
                splitter.append(chunk)
            }
        }
    }
}
