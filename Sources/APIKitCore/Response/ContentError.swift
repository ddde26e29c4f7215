import APIKitSupport

/// A complete body or file cannot be read as the expected type.
///
/// A response type of your own throws one with a code of its own:
///
/// ```swift
/// extension ContentError.Code {
///     static let invalidXML = Self(rawValue: "invalidXML")
/// }
/// ```
public struct ContentError: Error, Sendable {
    /// The kind of problem with a body or a file.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The `Content-Type` names another type than the expected one, or the body itself has another type.
        public static let unexpectedType = Code(rawValue: "unexpectedType")
        /// The `Content-Type` names a charset that is not supported for this kind of body.
        public static let unsupportedCharset = Code(rawValue: "unsupportedCharset")
        /// Only the beginning of the body was received, since a client was going to replace the response
        /// (``Call/replacing(if:)``), but returned it nevertheless.
        public static let incompleteBody = Code(rawValue: "incompleteBody")
        /// The bytes are not text in the charset of the response.
        public static let invalidText = Code(rawValue: "invalidText")
        /// An element of a stream cannot be read; an iterator continues with the next one.
        public static let unreadableElement = Code(rawValue: "unreadableElement")
        /// An event of a stream that comes from no endpoint is a failure by the stream's rules.
        public static let failureEvent = Code(rawValue: "failureEvent")
        /// A file is not a HAR that can be replayed or continued.
        public static let invalidRecording = Code(rawValue: "invalidRecording")
    }

    /// The kind of problem.
    public let code: Code
    /// The problem.
    public let message: String
    /// The number of the element that the error is about, or of its line, in its stream, counted from 1; blank lines
    /// count.
    public private(set) var elementNumber: Int?
    /// The first bytes of that element as text, with secrets masked.
    public private(set) var excerpt: String?
    /// The error that caused this one, such as a decoder's.
    public let underlying: (any Error)?

    /// Creates an error. The description masks what looks like a secret in the message.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    package static func unsupported(charset: String) -> ContentError {
        let name = Masking.bounded(charset).debugDescription
        return ContentError(.unsupportedCharset, "the charset \(name) is not supported")
    }

    package static func unreadableElement(_ number: Int, of data: Data, _ error: any Error) -> ContentError {
        ContentError(.unreadableElement, "could not be read", number, data, error)
    }

    package static func failureEvent(_ number: Int, of data: Data) -> ContentError {
        ContentError(.failureEvent, "is a failure", number, data, nil)
    }

    private init(_ code: Code, _ problem: String, _ number: Int, _ data: Data, _ error: (any Error)?) {
        self.init(code, "element \(number) of the stream \(problem)", underlying: error)
        elementNumber = number
        excerpt = Masking.excerpt(of: data, limit: ResponseBody.excerptLimit, onOneLine: true)
    }
}

extension ContentError: CustomStringConvertible, LocalizedError {
    /// One line: what is wrong, the underlying error and the excerpt, with secrets masked; at most 1,000 bytes of each.
    public var description: String {
        var parts = [Masking.bounded(Masking.masked(message))]
        if let underlying { parts.append(ErrorText.of(underlying)) }
        if let excerpt { parts.append(Masking.bounded(excerpt)) }
        return Masking.oneLine(parts.joined(separator: ": "))
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
