/// A value of a JSON or YAML document, with its line.
struct Node: Equatable, Sendable {
    /// What the value is.
    indirect enum Content: Equatable, Sendable {
        case null
        case boolean(Bool)
        /// A number as it is written.
        case number(String)
        case text(String)
        case list([Node])
        /// An object, whose members have no order. Their order has no meaning in a description.
        case object([String: Node])
    }

    /// What the value is.
    var content: Content
    /// The line where it begins, from 1.
    var line: Int32

    /// Creates a value.
    init(_ content: Content, line: Int32 = 0) {
        self.content = content
        self.line = line
    }
}

extension Node {
    /// Whether the values are the same, regardless of their lines.
    static func == (left: Node, right: Node) -> Bool { left.content == right.content }

    /// The kind of the value, for messages.
    var kindName: String {
        switch content {
        case .null: "null"
        case .boolean: "a Boolean"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// An error in a description.
struct DescriptionError: Error, Hashable, CustomStringConvertible {
    /// The problem, as a sentence without its location.
    var message: String
    /// The location of the problem.
    var place: Place
    /// Whether the problem is a reference to something that its file does not have.
    var isBrokenReference = false

    /// Creates an error.
    init(_ message: String, at place: Place) {
        self.message = message
        self.place = place
    }

    /// `api.yaml, line 412, /paths/~1users/get: the response has no status`
    var description: String { "\(place): \(message)".visible }
}
