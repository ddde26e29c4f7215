/// Splits bytes into lines, however they are divided into chunks.
struct LineSplitter {
    /// A line is longer than the limit.
    struct LineTooLong: Error {}

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let limit: Int
    private let carriageReturnEndsLine: Bool
    /// The bytes that are not split yet.
    private var chunk = Data()
    /// The start of a line whose ending has not arrived.
    private var partialLine = Data()
    /// Whether the last line ended at a CR, so that an LF after it belongs to the same ending.
    private var skipsLineFeed = false

    /// - Parameters:
    ///   - limit: The maximum number of bytes of a line, without its ending.
    ///   - carriageReturnEndsLine: Whether a line ends at LF, at CR, and at CR and LF, or at LF alone.
    init(limit: Int, carriageReturnEndsLine: Bool) {
        self.limit = limit
        self.carriageReturnEndsLine = carriageReturnEndsLine
    }

    /// Adds a chunk, after ``next()`` has returned nil for the previous one.
    mutating func append(_ chunk: Data) {
        self.chunk = chunk
    }

    /// Takes the next line, without its ending; nil if the ending has not arrived.
    mutating func next() throws(LineTooLong) -> Data? {
        if skipsLineFeed, let first = chunk.first {
            if first == Self.lineFeed { chunk = chunk.dropFirst() }
            skipsLineFeed = false
        }
        let end = endOfLine()
        let part = chunk[..<(end ?? chunk.endIndex)]
        guard partialLine.count + part.count <= limit else { throw LineTooLong() }
        guard let end else {
            partialLine.append(part)
            chunk = Data()
            return nil
        }
        skipsLineFeed = chunk[end] == Self.carriageReturn
        chunk = chunk[(end + 1)...]
        guard !partialLine.isEmpty else { return part }
        partialLine.append(part)
        return takeRest()
    }

    /// Takes the bytes after the last line ending; nil if there are none.
    mutating func takeRest() -> Data? {
        defer { partialLine = Data() }
        return partialLine.isEmpty ? nil : partialLine
    }

    private func endOfLine() -> Data.Index? {
        let offset = chunk.withUnsafeBytes { bytes in
            carriageReturnEndsLine
                ? bytes.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
                : bytes.firstIndex(of: Self.lineFeed)
        }
        return offset.map { chunk.startIndex + $0 }
    }
}
