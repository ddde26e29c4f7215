import APIKitCore

/// Assembles events from the lines of an event stream (WHATWG HTML, section 9.2.6).
struct EventParser {
    /// The id of the last complete event, also of an earlier connection. A reconnection sends it.
    private(set) var lastEventID: String
    /// The pause before a reconnection, if the server has set one.
    private(set) var retry: Duration?

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
        try setField(String(decoding: line[..<colon], as: UTF8.self), to: value, limit: limit)
        return nil
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

    /// Ends the event at an empty line and returns it; nil if it has no data. Its id counts in both cases.
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
