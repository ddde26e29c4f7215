import APIKitCore

/// Assembles events from the lines of an event stream (WHATWG HTML, section 9.2.6).
struct EventParser {
    /// The id that a reconnection names: that of the last complete event, or of an earlier connection.
    private(set) var lastEventID: String
    /// The pause before a reconnection, if the server has set one.
    private(set) var retry: Duration?

    private var type = ""
    private var data: [UInt8] = []
    private var id: String

    init(lastEventID: String = "") {
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Takes a line, without its ending, and returns the event that it completes; the limit is that of the event's
    /// data.
    mutating func parse(_ line: ArraySlice<UInt8>, limit: Int) throws(TransportError) -> ServerSentEvents.Event? {
        guard !line.isEmpty else { return completeEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try setField(String(decoding: line[..<colon], as: UTF8.self), to: value, limit: limit)
        return nil
    }

    /// A comment is a field without a name and ignored, like every unknown field.
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

    private static let longestPause = 86_400_000

    /// A pause in milliseconds, at most a day; nil for anything but ASCII digits.
    private static func pause(in value: ArraySlice<UInt8>) -> Duration? {
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return nil }
        // Nil if it overflows Int.
        let milliseconds = String(decoding: value, as: UTF8.self).wholeNumber ?? longestPause
        return .milliseconds(min(milliseconds, longestPause))
    }

    /// Returns the event that an empty line ends; nil if it has no data, though its id counts.
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
