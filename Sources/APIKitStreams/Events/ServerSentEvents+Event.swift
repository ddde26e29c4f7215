import APIKitCore

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

        /// Stands for a comment, for readers that ask for comments. No type in a stream has a line ending.
        static let comment = Event(type: "\n", data: "")

        var isComment: Bool { type == "\n" }
    }
}
