/// A body that arrived completely cannot be read as what was expected.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ContentError: Error, Sendable {
    /// The `Content-Type` names another type than the expected one.
    case unexpectedType(MIMEType, expected: MIMEType)
    /// The `Content-Type` names a charset that is not supported for this kind of body, here in lower case.
    case unsupportedCharset(String)
    /// The bytes are not text in the charset of the response, here in lower case.
    case invalidText(charset: String)
    /// An element of a stream cannot be read; an iterator continues with the next one.
    ///
    /// - Parameters:
    ///   - number: The number of the element, or of its line, in the stream, counted from 1; blank lines count.
    ///   - excerpt: The first bytes of the element as text, with secrets masked.
    ///   - underlying: The decoder's error.
    case unreadableElement(number: Int, excerpt: String, underlying: any Error)

    package static func unreadableElement(_ number: Int, of data: Data, _ error: any Error) -> ContentError {
        let excerpt = Masking.excerpt(of: data, limit: 200, onOneLine: true)
        return .unreadableElement(number: number, excerpt: excerpt, underlying: error)
    }
}

extension ContentError: CustomStringConvertible, LocalizedError {
    /// One line that says what is wrong, with secrets masked.
    public var description: String {
        switch self {
        case .unexpectedType(let type, let expected):
            "the Content-Type is \(Masking.bounded(Masking.oneLine(Masking.masked(type.rawValue)))), not \(expected)"
        case .unsupportedCharset(let charset):
            "the charset \(Masking.bounded(charset).debugDescription) is not supported"
        case .invalidText(let charset):
            "the bytes are not valid \(charset)"
        case .unreadableElement(let number, let excerpt, let underlying):
            "element \(number) of the stream could not be read: \(ErrorText.of(underlying)): \(excerpt)"
        }
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
