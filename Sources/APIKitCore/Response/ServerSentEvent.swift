/// One event of an event stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The kind of event, `message` where the server names none.
    public var type: String
    /// The event's data; several `data` lines are joined by LF.
    public var data: String
    /// The last id that the server has named, with this event or before it; empty where it has named none.
    public var id: String

    /// Makes an event of its parts.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
