public import APIKitCore

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
        let isBlank = line.bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        return isBlank ? nil : try decoder.decode(Value.self, from: line.bytes)
    }
}
