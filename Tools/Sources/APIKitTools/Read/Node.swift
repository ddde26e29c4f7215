import OpenAPIRules

extension Node {
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
