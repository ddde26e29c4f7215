/// The body of a request as a session sends it: from memory, or from a file, the body's own or a temporary one.
struct UploadBody: Sendable {
    enum Source: Sendable {
        case data(Data)
        case file(URL)
    }

    let source: Source
    let length: Int
    private let temporary: FileRemoval?

    /// Prepares the body of a request; one that is neither data nor a file is written to a temporary file.
    ///
    /// - Throws: ``/APIKitCore/TransportError`` if the body cannot be read or the temporary file not be written,
    ///   `CancellationError` if the task is cancelled meanwhile.
    init?(of request: HTTPRequest) async throws {
        guard let body = request.body else { return nil }
        if let data = body.data {
            (source, length, temporary) = (.data(data), data.count, nil)
        } else if let file = body.file, let length = body.length {
            (source, self.length, temporary) = (.file(file), length, nil)
        } else {
            let timeout = Platform.timeoutInterval(request.options.timeout)
            let file = try await Self.write(body.bytes, timeout: .seconds(timeout), for: request)
            do throws(FileError) {
                (source, length, temporary) = (.file(file.url), try OpenFile.size(of: file.url), file.removal)
            } catch {
                throw TransportError(.fileFailed, request: request, underlying: error)
            }
        }
    }

    /// Writes a stream to a temporary file. The request's timeout holds for each piece.
    private static func write(
        _ bytes: ByteStream, timeout: Duration, for request: HTTPRequest
    ) async throws -> TemporaryFile {
        let lastPiece = LastPiece()
        let observed = ByteStream(
            bytes.map { piece in
                lastPiece.time.withLock { $0 = .now }
                return piece
            })
        return try await withThrowingTaskGroup(of: TemporaryFile.self) { group in
            group.addTask { try await TemporaryFile(of: observed) }
            group.addTask {
                while case let rest = timeout - lastPiece.time.withLock({ $0.duration(to: .now) }), rest > .zero {
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

    /// When the last piece of a stream came.
    private final class LastPiece: Sendable {
        let time = Locked(ContinuousClock.now)
    }
}
