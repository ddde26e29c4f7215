/// Cuts bytes into lines, however they come in chunks: a chunk is appended once all lines of the last one are taken.
struct LineSplitter {
    /// What ends a line.
    enum Ending {
        /// LF alone, as in JSON lines: a CR is a byte as any other.
        case lineFeed
        /// LF, CR, or CR and LF, as in an event stream.
        case any
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private let ending: Ending
    private let limit: Int
    private var chunk = Data()
    /// How many of the chunk's bytes are behind us.
    private var position = 0
    /// The start of a line that the chunks before this one have begun.
    private var begun: [UInt8] = []
    /// Whether the last byte that was taken is a CR, so that an LF behind it ends no line of its own.
    private var isBehindCarriageReturn = false

    /// Cuts at an ending, lines of so many bytes at the most.
    init(ending: Ending, limit: Int) {
        self.ending = ending
        self.limit = limit
    }

    /// Adds bytes.
    mutating func append(_ chunk: Data) {
        self.chunk = chunk
        position = 0
    }

    /// Takes the next line, without its end; nil where it has not ended yet.
    ///
    /// - Throws: ``TransportError`` for a line that is longer than the limit.
    mutating func next<Value>(_ read: (UnsafeRawBufferPointer) throws -> Value) throws -> Value? {
        try chunk.withUnsafeBytes { bytes in
            if isBehindCarriageReturn, position < bytes.count {
                if bytes[position] == Self.lineFeed { position += 1 }
                isBehindCarriageReturn = false
            }
            let start = position
            let end = endOfLine(in: bytes)
            guard begun.count + (end ?? bytes.count) - start <= limit else { throw tooLong }
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<(end ?? bytes.count)])
            guard let end else {
                begun.append(contentsOf: part)
                position = bytes.count
                return nil
            }
            position = end + 1
            isBehindCarriageReturn = ending == .any && bytes[end] == Self.carriageReturn
            return begun.isEmpty ? try read(part) : try readBegun(with: part, read)
        }
    }

    /// Takes what stands behind the last end of a line, nil where nothing does.
    mutating func last<Value>(_ read: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value? {
        begun.isEmpty ? nil : try readBegun(with: UnsafeRawBufferPointer(start: nil, count: 0), read)
    }

    private func endOfLine(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = position
        switch ending {
        case .lineFeed:
            while index < bytes.count, bytes[index] != Self.lineFeed { index += 1 }
        case .any:
            while index < bytes.count, bytes[index] != Self.lineFeed, bytes[index] != Self.carriageReturn { index += 1 }
        }
        return index < bytes.count ? index : nil
    }

    private mutating func readBegun<Value>(
        with part: UnsafeRawBufferPointer, _ read: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        begun.append(contentsOf: part)
        defer { begun.removeAll(keepingCapacity: true) }
        return try begun.withUnsafeBytes(read)
    }

    private var tooLong: TransportError {
        TransportError(.bodyTooLarge, "a line of the stream is longer than the limit of \(limit) bytes")
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as UTF-8, with what is none replaced by U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The same without a byte order mark at its start.
    var withoutByteOrderMark: UnsafeRawBufferPointer {
        starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: dropFirst(3)) : self
    }
}
