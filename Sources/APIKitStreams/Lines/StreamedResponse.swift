public import APIKitCore

/// A response whose elements are read line by line as the body arrives.
///
/// A stream format of your own names its element and reads it from a line:
///
/// ```swift
/// nonisolated struct Readings: StreamedResponse {
///     typealias Element = Double
///     let bytes: ByteStream
///     func element(from line: ByteStream.Line) -> Double? { Double(line.text) }
/// }
/// ```
///
/// A loop over a response of `send` throws the endpoint's ``APIError``; an error of reading is inside it. A loop over
/// other bytes throws that error itself.
///
/// An iterator reads with a copy of the response. Values that span lines are therefore kept in its properties, by an
/// ``element(from:)`` that is `mutating`.
public protocol StreamedResponse: APIResponse, AsyncSequence where Model == Self {
    /// The type that calls ``element(from:)`` for each line.
    associatedtype AsyncIterator = ByteStream.ElementIterator<Self>

    /// The bytes of the body.
    var bytes: ByteStream { get }
    /// The maximum number of bytes of a line, without its ending; 16 MiB by default.
    ///
    /// A longer line ends the stream with the code `bodyTooLarge`.
    var elementLimit: Int { get }
    /// Whether a line ends at CR, at LF and at both together, as by default, or at LF alone.
    static var carriageReturnEndsLine: Bool { get }

    /// Creates a response that reads the given bytes.
    init(bytes: ByteStream)

    /// Returns the element that a line completes, or nil if it completes none.
    ///
    /// - Throws: Any error if the line cannot be read. The iterator fails with
    ///   ``ContentError/Code/unreadableElement`` and continues with the next line. A
    ///   ``TransportError`` or a `CancellationError` stays what it is, and ends the iterator.
    mutating func element(from line: ByteStream.Line) throws -> Element?
}

// MARK: - Default implementations

extension StreamedResponse {
    /// 16 MiB.
    public var elementLimit: Int { 16 << 20 }
    /// True: a line ends at LF, at CR, and at CR and LF.
    public static var carriageReturnEndsLine: Bool { true }
    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }

    /// Returns the elements of bytes in memory.
    public static func process(data: Data) throws -> Self {
        Self(bytes: ByteStream([data]))
    }

    /// Returns the elements of the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> Self {
        Self(bytes: response.body.bytes)
    }

    /// Returns an iterator over the elements.
    public func makeAsyncIterator() -> ByteStream.ElementIterator<Self> {
        ByteStream.ElementIterator(self)
    }
}
