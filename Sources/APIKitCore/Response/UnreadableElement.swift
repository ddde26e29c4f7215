/// An element of a stream that could not be decoded: which one, how it begins, and why.
public struct UnreadableElement: Error, Sendable {
    /// Its number in the stream, counted from 1; lines are counted with the blank ones.
    public let number: Int
    /// What its first bytes are, with secrets masked.
    public let excerpt: String
    /// Why it could not be decoded.
    public let underlying: any Error

    /// Makes an error of its parts.
    public init(number: Int, excerpt: String, underlying: any Error) {
        self.number = number
        self.excerpt = excerpt
        self.underlying = underlying
    }
}

extension UnreadableElement: CustomStringConvertible, LocalizedError {
    /// One line: number, cause and the first bytes.
    public var description: String {
        "element \(number) of the stream could not be read: \(ErrorText.of(underlying)): \(excerpt)"
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
