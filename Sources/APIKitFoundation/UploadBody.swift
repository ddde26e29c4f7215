/// The body of a request as a session sends it: from memory, or from a file, the body's own or a temporary one.
struct UploadBody: Sendable {
    enum Source: Sendable {
        case data(Data)
        case file(URL)
    }

    let source: Source
    let length: Int
    private let temporary: TemporaryFile?

    /// Makes a body that is neither data nor a file one, by writing it to a temporary file.
    ///
    /// - Throws: ``/APIKitCore/TransportError`` where the body cannot be read or the file not be written,
    ///   `CancellationError` if the task is cancelled meanwhile.
    init?(of request: HTTPRequest) async throws {
        guard let body = request.body else { return nil }
        if let data = body.data {
            self.init(.data(data), length: data.count)
        } else if let file = body.file, let length = body.length {
            self.init(.file(file), length: length)
        } else {
            let timeout = Platform.timeoutInterval(request.options.timeout)
            let file = try await Self.write(body.bytes, timeout: .seconds(timeout), for: request)
            do throws(FileError) {
                self.init(.file(file.url), length: try file.size(), keeping: file)
            } catch {
                throw TransportError(.other, request: request, underlying: error)
            }
        }
    }

    /// Writes a stream to a temporary file; each of its pieces has the request's timeout to come.
    private static func write(
        _ bytes: ByteStream, timeout: Duration, for request: HTTPRequest
    ) async throws -> TemporaryFile {
        let lastPiece = Locked(ContinuousClock.now)
        let observed = ByteStream(
            bytes.map { piece in
                lastPiece.withLock { $0 = .now }
                return piece
            })
        return try await withThrowingTaskGroup(of: TemporaryFile.self) { group in
            group.addTask { try await TemporaryFile(of: observed) }
            group.addTask {
                while case let rest = timeout - lastPiece.withLock({ $0.duration(to: .now) }), rest > .zero {
                    try await Task.sleep(for: rest)
                }
                let message = "the request body produced no data for \(request.options.timeout)"
                throw TransportError(.timedOut, message, request: request)
            }
            defer { group.cancelAll() }
            guard let file = try await group.next() else { throw CancellationError() }
            return file
        }
    }

    private init(_ source: Source, length: Int, keeping temporary: TemporaryFile? = nil) {
        self.source = source
        self.length = length
        self.temporary = temporary
    }
}
