public import APIKitCore
import APIKitSupport

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

/// Newline-delimited JSON values as they arrive: `typealias Response = JSONLines<Change>`.
///
/// ```swift
/// for try await change in try await client.send(ChangesRequest()) { apply(change) }
/// ```
///
/// A line ends with LF; the last one may have no ending, and blank lines are skipped. A value that is a
/// ``JSONResponse`` is read by its own decoder. Reading a line that is not such a value fails with
/// ``ContentError/Code/unreadableElement``, after which the iterator continues with the next
/// line. After any other error the iterator is at its end, and an incomplete line is discarded.
public struct JSONLines<Value: Decodable & Sendable>: StreamedResponse {
    /// A value.
    public typealias Element = Value

    /// The bytes of the body.
    public let bytes: ByteStream
    /// The maximum number of bytes of a line; reading a longer one fails with the code `bodyTooLarge`.
    public var elementLimit = 16 << 20
    private let decoder = StandardJSON.decoder(for: Value.self)

    /// Creates values that are read from the given bytes.
    public init(bytes: ByteStream) {
        self.bytes = bytes
    }

    /// The types in use for newline-delimited JSON, neither of which is registered.
    public static var acceptedTypes: [MIMEType] { [.jsonLines, "application/jsonl"] }
    /// False: a CR is whitespace in JSON.
    public static var carriageReturnEndsLine: Bool { false }

    /// Decodes the value of a line, or returns nil for a blank line.
    public func element(from line: ByteStream.Line) throws -> Value? {
        // A blank line consists of spaces, tabs, and the CR of a line that ends with CR and LF.
        let isBlank = line.bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if isBlank { return nil }
        return try decoder.decode(Value.self, from: line.bytes)
    }
}
