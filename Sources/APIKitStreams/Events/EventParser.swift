import APIKitCore
import APIKitSupport

/// Assembles events from the lines of an event stream (WHATWG HTML, section 9.2.6).
struct EventParser {
    /// The id of the last complete event, also of an earlier connection. A reconnection sends it.
    private(set) var lastEventID: String
    /// The pause before a reconnection, if the server has set one.
    private(set) var retry: Duration?

    /// The start of the first line that has neither a known field nor a comment, for the error of a body that is not an
    /// event stream; nil once any line has one.
    private(set) var strayLine: Data?
    private var hasKnownField = false

    private var type = ""
    private var data: [UInt8] = []
    /// The id of the incomplete event. It becomes ``lastEventID`` when the event is complete.
    private var id: String

    init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Adds a line, without its ending, to the event.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - limit: The maximum number of bytes of the event's data.
    /// - Returns: The event if the line completes it, otherwise nil.
    /// - Throws: ``TransportError`` with the code `bodyTooLarge`.
    mutating func parse(_ line: ArraySlice<UInt8>, limit: Int) throws(TransportError) -> ServerSentEvents.Event? {
        guard !line.isEmpty else { return completeEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        if !hasKnownField { noteLine(line, isKnown: Self.knownNames.contains(name)) }
        try setField(name, to: value, limit: limit)
        return nil
    }

    /// Adds the last line of a stream, if the stream ends within it. It does not count, except that it may show that
    /// the body is not an event stream.
    mutating func parseIncomplete(_ line: ArraySlice<UInt8>) {
        let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        let hasColon = name.utf8.count < line.count
        // Without the colon, the name may be incomplete, too.
        if hasKnownField { return }
        noteLine(line, isKnown: Self.knownNames.contains { hasColon ? $0 == name : $0.hasPrefix(name) })
    }

    /// The names of the fields. Unknown fields are ignored, and a comment is a field without a name.
    private static let knownNames: Set<String> = ["", "data", "event", "id", "retry"]

    /// Notes whether the body looks like an event stream: a line with a known field shows that it is one, and before
    /// that the first other line is kept for the error.
    private mutating func noteLine(_ line: ArraySlice<UInt8>, isKnown: Bool) {
        if isKnown {
            hasKnownField = true
            strayLine = nil
        } else if strayLine == nil {
            strayLine = Data(line.prefix(ResponseBody.excerptLimit))
        }
    }

    /// Sets a field of the event. Unknown fields are ignored, and so are comments, whose name is empty.
    private mutating func setField(
        _ name: String, to value: ArraySlice<UInt8>, limit: Int
    ) throws(TransportError) {
        switch name {
        case "data":
            guard data.count + value.count < limit else {
                throw TransportError(.bodyTooLarge, "an event of the stream is longer than the limit of \(limit) bytes")
            }
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        case "event":
            type = String(decoding: value, as: UTF8.self)
        case "id":
            // An id with a NUL is ignored, since no header can send it back.
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        case "retry":
            if let pause = Self.pause(in: value) { retry = pause }
        default:
            break
        }
    }

    /// A day in milliseconds. A longer pause is most likely a mistake of the server.
    private static let longestPause = 86_400_000

    /// Reads a pause in milliseconds, at most a day; nil if the value is not a number of ASCII digits.
    private static func pause(in value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return nil }
        // All characters are digits, so nil means that the number overflows Int.
        let milliseconds = String(decoding: value, as: UTF8.self).wholeNumber ?? longestPause
        return .milliseconds(min(milliseconds, longestPause))
    }

    /// Ends the event at an empty line and returns it; nil if it has no data, which is how servers send an id alone.
    /// The id counts in both cases.
    private mutating func completeEvent() -> ServerSentEvents.Event? {
        lastEventID = id
        defer {
            data.removeAll(keepingCapacity: true)
            type = ""
        }
        guard !data.isEmpty else { return nil }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        return ServerSentEvents.Event(type: type.isEmpty ? "message" : type, data: text, id: lastEventID)
    }
}
