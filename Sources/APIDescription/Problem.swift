import APIKitCore
import APIKitSupport

extension APIDescription {
    /// A difference between an endpoint or a recording and a description, or a contradiction within a description.
    public struct Problem: Sendable, Hashable {
        /// The kind of a difference.
        public struct Code: RawRepresentable, Hashable, Sendable {
            /// The name of the code.
            public let rawValue: String

            /// Creates a code with the given name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// No valid request can be created from the endpoint's values.
            public static let invalidRequest = Code(rawValue: "invalidRequest")
            /// The description has no operation with the method and the path.
            public static let unknownOperation = Code(rawValue: "unknownOperation")
            /// No endpoint has the method and the path of the operation.
            public static let unusedOperation = Code(rawValue: "unusedOperation")
            /// The request goes to a server that the description does not name.
            public static let unknownServer = Code(rawValue: "unknownServer")
            /// A parameter, a body or a member that is required is missing.
            public static let missing = Code(rawValue: "missing")
            /// A parameter, a body or a member is not in the description. In a response, it is a member that the model
            /// decodes.
            public static let unknown = Code(rawValue: "unknown")
            /// A value has another type, such as null or a string instead of an integer.
            public static let type = Code(rawValue: "type")
            /// A value is not one of an enum, is outside of its limits, or is in another format, such as a date's.
            public static let value = Code(rawValue: "value")
            /// A list or an object is sent in another style, such as joined with commas.
            public static let style = Code(rawValue: "style")
            /// A request has a member that only responses may have.
            public static let readOnly = Code(rawValue: "readOnly")
            /// The body has another content type, or the response type reads another one.
            public static let contentType = Code(rawValue: "contentType")
            /// An example of a response cannot be read by the response type or the failure type.
            public static let unreadableExample = Code(rawValue: "unreadableExample")
            /// A response that the schema allows cannot be read: without an optional member, with null, or with another
            /// value of an enum.
            public static let unreadableValue = Code(rawValue: "unreadableValue")
            /// An example does not fit its own schema: a problem of the description.
            public static let invalidExample = Code(rawValue: "invalidExample")
            /// A recorded response has a status that is not in the description.
            public static let unknownStatus = Code(rawValue: "unknownStatus")
            /// A schema is too complex to be checked.
            public static let unchecked = Code(rawValue: "unchecked")
        }

        /// The kind of difference.
        public let code: Code
        /// The type of the endpoint. Without an endpoint, the operation, such as `GET /users/{username}`.
        public internal(set) var endpoint = ""
        /// The value that differs: `query since`, `header X-Trace`, `body.user.name`, `response 200 [0].login`. Empty
        /// if the problem concerns the whole endpoint.
        public let member: String
        /// How the value differs.
        public let message: String
        /// The place in the description as a JSON pointer (RFC 6901), such as
        /// `#/paths/~1users/get/parameters/0`.
        public let pointer: String

        init(_ code: Code, _ member: String, _ message: String, _ pointer: String) {
            self.code = code
            self.member = member
            self.message = message
            self.pointer = pointer
        }

        /// Whether this is the same problem as another one, perhaps for another element of the same list: a wrong type
        /// of `body.ids[1]` repeats the wrong type of `body.ids[0]`.
        fileprivate func isRepetition(of other: Self) -> Bool {
            guard code == other.code, endpoint == other.endpoint, pointer == other.pointer else { return false }
            return memberWithoutDigits == other.memberWithoutDigits
        }

        /// The bytes of the member without its digits: `body.ids[]` for `body.ids[1]`.
        private var memberWithoutDigits: [UInt8] {
            member.utf8.filter { !$0.isDigit }
        }
    }
}

extension [APIDescription.Problem] {
    /// Adds a problem, unless the list has the same one, perhaps for another element of the same list.
    mutating func add(_ code: Element.Code, _ member: String, _ message: String, _ pointer: String) {
        add([Element(code, member, message, pointer)])
    }

    /// Adds problems, except those that the list already has, perhaps for another element of the same list.
    ///
    /// - Parameters:
    ///   - problems: The problems.
    ///   - endpoint: The endpoint to set in each of them; nil to leave it as it is.
    mutating func add(_ problems: [Element], of endpoint: String? = nil) {
        for var problem in problems {
            if let endpoint { problem.endpoint = endpoint }
            let isKnown = contains { problem.isRepetition(of: $0) }
            if !isKnown { append(problem) }
        }
    }
}

extension APIDescription.Problem: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line: `UsersRequest: query per_page is 500, above 100 (#/components/parameters/per-page/schema/maximum)`.
    public var description: String {
        let sentence = member.isEmpty ? message : "\(member) \(message)"
        return "\(endpoint): \(sentence) (\(pointer))"
    }

    /// The same line, which `#expect` prints.
    public var debugDescription: String { description }
}
