/// Makes events of the lines of an event stream (WHATWG HTML, section 9.2.6).
struct EventParser {
    /// The id that a reconnection names, as the last event left it.
    private(set) var lastEventID: String
    /// How long the server wants a client to wait before it connects again, where it has said so.
    private(set) var retry: Duration?

    private let limit: Int
    private var type = ""
    private var data: [UInt8] = []
    private var id: String
    private var isFirstLine = true

    /// Goes on behind an event, taking so many bytes of data for one event at the most.
    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
        id = lastEventID
    }

    /// Takes a line, without its end; gives the event that it completes.
    mutating func parse(_ line: UnsafeRawBufferPointer) throws -> ServerSentEvent? {
        let line = isFirstLine ? line.withoutByteOrderMark : line
        isFirstLine = false
        guard let first = line.first else { return dispatch() }
        guard first != UInt8(ascii: ":") else { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var start = min(colon + 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[start...])
        try take(value, of: UnsafeRawBufferPointer(rebasing: line[..<colon]))
        return nil
    }

    private mutating func take(_ value: UnsafeRawBufferPointer, of field: UnsafeRawBufferPointer) throws {
        if field.spells("data") {
            guard data.count + value.count < limit else {
                throw TransportError(.bodyTooLarge, "an event of the stream is longer than the limit of \(limit) bytes")
            }
            data.append(contentsOf: value)
            data.append(UInt8(ascii: "\n"))
        } else if field.spells("event") {
            type = value.text
        } else if field.spells("id") {
            if !value.contains(0) { id = value.text }
        } else if field.spells("retry") {
            let isNumber = !value.isEmpty && value.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            // A day is as good as any number of days, and of those that no Int holds.
            if isNumber { retry = .milliseconds(min(Int(value.text) ?? .max, 86_400_000)) }
        }
    }

    /// An empty line ends an event; one without data is none, but its id counts.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            data.removeAll(keepingCapacity: true)
            type = ""
        }
        guard !data.isEmpty else { return nil }
        let text = String(decoding: data.dropLast(), as: UTF8.self)
        return ServerSentEvent(type: type.isEmpty ? "message" : type, data: text, id: lastEventID)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func spells(_ name: StaticString) -> Bool {
        count == name.utf8CodeUnitCount && indices.allSatisfy { self[$0] == name.utf8Start[$0] }
    }
}
