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
            let file = try await TemporaryFile(of: body.bytes)
            do throws(FileError) {
                self.init(.file(file.url), length: try file.size(), keeping: file)
            } catch {
                throw TransportError(.clientFailed, request: request, underlying: error)
            }
        }
    }

    private init(_ source: Source, length: Int, keeping temporary: TemporaryFile? = nil) {
        self.source = source
        self.length = length
        self.temporary = temporary
    }
}
