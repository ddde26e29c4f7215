import APIKitCore

/// Splits bytes into lines, however they are divided into chunks.
struct LineSplitter {
    /// A line is longer than the limit.
    struct LineTooLong: Error {}

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let limit: Int
    private let carriageReturnEndsLine: Bool
    private var chunk: [UInt8] = []
    /// The index of the first byte of the chunk that is not split yet.
    private var position = 0
    /// The start of a line whose ending has not arrived.
    private var partialLine: [UInt8] = []
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
        self.chunk = Array(chunk)
        position = 0
    }

    /// Takes the next line, without its ending; nil if the ending has not arrived.
    mutating func next() throws(LineTooLong) -> ArraySlice<UInt8>? {
        if skipsLineFeed, position < chunk.count {
            if chunk[position] == Self.lineFeed { position += 1 }
            skipsLineFeed = false
        }
        let end = endOfLine()
        let part = chunk[position..<(end ?? chunk.count)]
        guard partialLine.count + part.count <= limit else { throw LineTooLong() }
        guard let end else {
            partialLine += part
            position = chunk.count
            return nil
        }
        skipsLineFeed = chunk[end] == Self.carriageReturn
        position = end + 1
        guard !partialLine.isEmpty else { return part }
        partialLine += part
        return takeRest()
    }

    /// Takes the bytes after the last line ending; nil if there are none.
    mutating func takeRest() -> ArraySlice<UInt8>? {
        defer { partialLine = [] }
        return partialLine.isEmpty ? nil : partialLine[...]
    }

    private func endOfLine() -> Int? {
        chunk[position...].firstIndex {
            $0 == Self.lineFeed || carriageReturnEndsLine && $0 == Self.carriageReturn
        }
    }
}
