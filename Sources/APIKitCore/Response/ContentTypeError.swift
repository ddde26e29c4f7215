/// A body of another type than its reader takes.
public struct ContentTypeError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// What the `Content-Type` names.
    public let contentType: MIMEType
    /// What the reader takes.
    public let expected: MIMEType

    /// Makes an error of its parts.
    public init(contentType: MIMEType, expected: MIMEType) {
        self.contentType = contentType
        self.expected = expected
    }

    /// What is wrong, in words.
    public var description: String { "it is \(contentType), not \(expected)" }

    /// The same, for `localizedDescription`.
    public var errorDescription: String? { description }
}
