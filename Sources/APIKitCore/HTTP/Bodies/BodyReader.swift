/// Reads the pieces of a body one after another: the pieces of a ``RequestBody``, or of a ``ByteStream`` whose bytes
/// are in memory or in a file.
final class BodyReader {
    /// A part of a body.
    enum Piece: Sendable {
        case data(Data)
        /// A file. If a size is given, that many bytes are read. `keeping` keeps a temporary file from being removed.
        case file(URL, size: Int?, keeping: OwnedFile? = nil)
        case fileRange(FileRange)
        case stream(StreamSource)

        /// The number of bytes; nil if it is unknown, also for a file that cannot be read. Reading the piece then
        /// throws the error.
        var length: Int? {
            switch self {
            case .data(let data): data.count
            case .file(let url, let size, _): size ?? (try? OpenFile.size(of: url))
            case .fileRange(let range): range.bytes.count
            case .stream(let source): source.length
            }
        }
    }

    /// Returns the number of bytes of several pieces, nil if it is unknown.
    static func length(of pieces: [Piece]) -> Int? {
        var total = 0
        for piece in pieces {
            guard let length = piece.length else { return nil }
            let sum = total.addingReportingOverflow(length)
            guard !sum.overflow else { return nil }
            total = sum.partialValue
        }
        return total
    }

    /// The source of the current piece, and the number of bytes that are still missing.
    private enum Source {
        case data(Data)
        case file(OpenFile, version: FileVersion?, missing: Int)
        case stream(ByteStream.Iterator, missing: Int?)
    }

    /// The maximum size of a chunk, 256 KiB: large enough that system calls take little time, small enough for many
    /// requests at once.
    private static let readSize = 1 << 18
    private var rest: ArraySlice<Piece>
    private var source: Source?

    init(_ pieces: [Piece]) {
        rest = pieces[...]
    }

    /// Reads the next chunk; nil after the last piece. Any error but a cancel is thrown as a ``TransportError``
    /// with the code `requestBodyFailed`.
    @concurrent
    func next() async throws -> Data? {
        do {
            return try await nextChunk()
        } catch let error as TransportError where error.code == .requestBodyFailed {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError(.requestBodyFailed, underlying: error)
        }
    }

    /// Reads chunks of the current piece, and opens the next piece when it has ended, until a chunk has bytes.
    /// Returns nil after the last piece. The piece is read from `source`, which is nil between two pieces.
    @concurrent
    private func nextChunk() async throws -> Data? {
        while true {
            try Task.checkCancellation()
            if source == nil {
                guard let piece = rest.popFirst() else { return nil }
                source = try await Self.open(piece)
            }
            if let data = try await readSource(), !data.isEmpty { return data }
        }
    }

    /// Opens the file or the stream of a piece.
    private static func open(_ piece: Piece) async throws -> Source {
        switch piece {
        case .data(let data):
            return .data(data)
        case .file(let url, let size, _):
            let file = try OpenFile.reading(url)
            let actualSize = try file.size()
            return .file(file, version: nil, missing: size ?? actualSize)
        case .fileRange(let range):
            return .file(try range.open(), version: range.version, missing: range.bytes.count)
        case .stream(let stream):
            return .stream(try await stream.open().makeAsyncIterator(), missing: stream.length)
        }
    }

    /// Reads the next bytes of the current piece; nil at its end. Clears the source at the end of the piece, which a
    /// piece in memory reaches with its last bytes.
    @concurrent
    private func readSource() async throws -> Data? {
        switch source {
        case nil: nil
        case .data(let data): read(data)
        case .file(let file, let version, let missing): try read(file, version, missing: missing)
        case .stream(let stream, let missing): try await read(stream, missing: missing)
        }
    }

    /// Takes the next bytes of a piece in memory.
    private func read(_ data: Data) -> Data {
        let remaining = data.dropFirst(Self.readSize)
        source = remaining.isEmpty ? nil : .data(remaining)
        return data.subdata(in: data.startIndex..<remaining.startIndex)
    }

    /// Reads the next bytes of a file, of which `missing` bytes were not read yet; nil at its end. A file is read
    /// only up to the size that was announced, although it may have become longer. If a version is given and the file
    /// has another one, this throws an error.
    private func read(_ file: OpenFile, _ version: FileVersion?, missing: Int) throws -> Data? {
        if missing == 0 {
            source = nil
            return nil
        }
        let data = try file.read(upTo: min(Self.readSize, missing))
        // A change before the bytes were read is noticed now, and a later one does not affect them.
        if let version { try file.check(version) }
        if data.isEmpty {
            throw TransportError(.requestBodyFailed, "a file became \(missing) bytes shorter while it was read")
        }
        source = .file(file, version: version, missing: missing - data.count)
        return data
    }

    /// Reads the next chunk of a stream, of which `missing` bytes were not read yet; nil at its end. If its length
    /// is known, it must have exactly that many bytes.
    @concurrent
    private func read(_ stream: ByteStream.Iterator, missing: Int?) async throws -> Data? {
        var stream = stream
        guard let data = try await stream.next() else {
            if let missing, missing > 0 { throw Self.wrongLength("fewer") }
            source = nil
            return nil
        }
        var stillMissing: Int?
        if let missing {
            guard data.count <= missing else { throw Self.wrongLength("more") }
            stillMissing = missing - data.count
        }
        source = .stream(stream, missing: stillMissing)
        return data
    }

    private static func wrongLength(_ comparison: String) -> TransportError {
        TransportError(.requestBodyFailed, "a stream gave \(comparison) bytes than its length says")
    }
}

extension ByteStream {
    /// Creates a stream of the pieces of a body, which can be read any number of times.
    init(pieces: [BodyReader.Piece]) {
        self.init(reading: {
            let reader = BodyReader(pieces)
            return Iterator { try await reader.next() }
        })
    }
}

/// Opens the stream of a request's body each time the request is sent.
///
/// Two sources are equal if one is a copy of the other, since closures cannot be compared. ``withoutClosure`` is such a
/// copy.
struct StreamSource: Sendable, Equatable {
    private final class Identity: Sendable {}

    let length: Int?
    private let identity = Identity()
    private var opening: (@Sendable () async throws -> ByteStream)?

    init(length: Int?, _ opening: @escaping @Sendable () async throws -> ByteStream) {
        self.length = length
        self.opening = opening
    }

    /// The same source for a record of the request. It does not keep the closure, so that it cannot be opened.
    var withoutClosure: StreamSource {
        var source = self
        source.opening = nil
        return source
    }

    @concurrent
    func open() async throws -> ByteStream {
        guard let opening else {
            throw TransportError(.unsupported, "a record of a request does not keep the bytes of a stream")
        }
        return try await opening()
    }

    static func == (left: StreamSource, right: StreamSource) -> Bool { left.identity === right.identity }
}
