public import APIKitCore

/// The lines of a text as they arrive: `typealias Response = TextLines`.
///
/// ```swift
/// for try await line in try await client.send(LogRequest()) { print(line) }
/// ```
///
/// A line ends with LF, CR, or CR and LF; the last one may have no ending. Empty lines are elements too. The text is
/// UTF-8; invalid bytes become U+FFFD. After an error the iterator is at its end, and an incomplete line is discarded.
public struct TextLines: StreamedResponse {
    /// A line, without its ending.
    public typealias Element = String

    /// The bytes of the body.
    public let bytes: ByteStream
    /// The maximum number of bytes of a line; reading a longer one fails with the code `bodyTooLarge`.
    public var elementLimit = 16 << 20

    /// Creates lines that are read from the given bytes.
    public init(bytes: ByteStream) {
        self.bytes = bytes
    }

    /// Returns the lines of the body as it arrives.
    ///
    /// - Throws: ``ContentError`` if the `Content-Type` names a charset other than UTF-8 or ASCII.
    public static func process(response: HTTPResponse) async throws -> TextLines {
        if let charset = response.head.charset, Charset(name: charset)?.isReadAsUTF8 != true {
            throw ContentError.unsupported(charset: charset)
        }
        return TextLines(bytes: response.body.bytes)
    }

    /// Returns the text of the line.
    public func element(from line: ByteStream.Line) -> String? {
        line.text
    }
}
