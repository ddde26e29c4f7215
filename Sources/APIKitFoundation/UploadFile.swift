/// The file that a request's body is sent from: the body itself where it is one, and else a temporary one that holds it.
struct UploadFile: Sendable {
    let url: URL
    let length: Int?
    private let temporary: TemporaryFile?

    /// - Throws: ``/APIKitCore/TransportError`` where the body cannot be read or the file not be written, `CancellationError`
    ///   if the task is cancelled meanwhile.
    init?(of body: RequestBody?, for request: HTTPRequest) async throws {
        guard let body else { return nil }
        if let file = body.file {
            url = file
            length = body.length
            temporary = nil
            return
        }
        do {
            let file = try TemporaryFile()
            var count = 0
            for try await chunk in body.bytes {
                try file.write(chunk)
                count += chunk.count
            }
            url = file.url
            length = count
            temporary = file
        } catch let error as FileError {
            throw TransportError(.clientFailed, request: request, underlying: error)
        }
    }
}
