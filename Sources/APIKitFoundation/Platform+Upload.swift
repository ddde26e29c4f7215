#if canImport(FoundationNetworking)
extension Platform {
    /// Creates a task whose body is a stream that can be opened again. The upload of a file ends the process if its task is
    /// cancelled, and takes four times as long.
    static func makeTask(
        with request: URLRequest, sending upload: UploadBody?, for transfer: Transfer, on session: URLSession,
        completion: Completion?
    ) -> URLSessionTask {
        var request = request
        if let upload {
            request.httpBodyStream = openBody(upload, for: transfer)
            request.setValue("\(upload.length)", forHTTPHeaderField: "Content-Length")
            // A blank one is not sent, and keeps the body from being sent in chunks.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
        return completion.map { session.dataTask(with: request, completionHandler: $0) }
            ?? session.dataTask(with: request)
    }

    /// Opens a body from its start.
    static func openBody(_ upload: UploadBody, for transfer: Transfer) -> InputStream? {
        switch upload.source {
        case .data(let data): InputStream(data: data)
        case .file(let url):
            BoundedInputStream(url, length: upload.length) { [weak transfer] in transfer?.failAsUnreadable(url) }
        }
    }

    /// A file as it was when its length was told: what is written behind it meanwhile would be taken for the next
    /// request, and for what is missing the server would wait.
    private final class BoundedInputStream: InputStream {
        private let file: InputStream
        private var left: Int
        private let becomeShort: () -> Void

        init?(_ url: URL, length: Int, becomeShort: @escaping () -> Void) {
            guard let file = InputStream(url: url) else { return nil }
            self.file = file
            left = length
            self.becomeShort = becomeShort
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { file.streamStatus }
        override var hasBytesAvailable: Bool { left > 0 }

        override func open() {
            file.open()
        }

        override func close() {
            file.close()
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = left == 0 ? 0 : file.read(buffer, maxLength: min(maxLength, left))
            guard count > 0 || left == 0 else {
                becomeShort()
                return -1
            }
            left -= count
            return count
        }
    }
}
#else
extension Platform {
    /// Makes a task that sends a file as one.
    static func makeTask(
        with request: URLRequest, sending upload: UploadBody?, for transfer: Transfer, on session: URLSession,
        completion: Completion?
    ) -> URLSessionTask {
        var request = request
        switch upload?.source {
        case .file(let file):
            return completion.map { session.uploadTask(with: request, fromFile: file, completionHandler: $0) }
                ?? session.uploadTask(with: request, fromFile: file)
        case .data(let data): request.httpBody = data
        case nil: break
        }
        return completion.map { session.dataTask(with: request, completionHandler: $0) }
            ?? session.dataTask(with: request)
    }

    /// Nothing: no body is a stream.
    static func openBody(_ upload: UploadBody, for transfer: Transfer) -> InputStream? {
        nil
    }
}
#endif
