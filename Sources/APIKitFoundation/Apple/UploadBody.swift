import APIKitCore
import Foundation

#if canImport(Darwin)
/// The body of a request in a form that a session can send: data in memory or a file, which may be a temporary one.
struct UploadBody: Sendable {
    enum Source: Sendable {
        case data(Data)
        case file(URL)
    }

    let source: Source
    let length: Int
    private let temporary: OwnedFile?

    /// Prepares the body of a request. Returns nil if the request has none.
    ///
    /// A body that is neither data nor a file is written to a temporary file. The request's timeout applies to each of
    /// its pieces.
    ///
    /// - Throws: `TransportError` if the body cannot be read or the temporary file cannot be written;
    ///   `CancellationError` if the task is cancelled meanwhile.
    init?(of exchange: Exchange) async throws {
        guard let body = exchange.request.body else { return nil }
        if let data = body.data {
            source = .data(data)
            length = data.count
            temporary = nil
        } else if let file = body.file, let length = body.length {
            source = .file(file)
            self.length = length
            temporary = nil
        } else {
            let bytes = body.bytes.map { piece in
                exchange.restartTimeout()
                return piece
            }
            let file = try await exchange.withTimeout("the request body produced no data") {
                try await TemporaryFile(of: ByteStream(bytes))
            }
            source = .file(file.url)
            length = try OpenFile.size(of: file.url)
            temporary = file.ownedFile
        }
    }
}

extension URLSession {
    /// Creates an upload task if the body is a file, otherwise a data task, whose request contains the body.
    ///
    /// - Parameters:
    ///   - request: The request without its body.
    ///   - upload: The body, nil for none.
    ///   - completion: Gets the whole response at the end; nil if the session's delegate gets the events.
    /// - Returns: The task, which is not started yet.
    func task(
        with request: URLRequest, sending upload: UploadBody?,
        completion: (@Sendable (Data?, URLResponse?, (any Error)?) -> Void)? = nil
    ) -> URLSessionTask {
        var request = request
        switch upload?.source {
        case .file(let file):
            guard let completion else { return uploadTask(with: request, fromFile: file) }
            return uploadTask(with: request, fromFile: file, completionHandler: completion)
        case .data(let data): request.httpBody = data
        case nil: break
        }
        guard let completion else { return dataTask(with: request) }
        return dataTask(with: request, completionHandler: completion)
    }
}
#endif
