#if canImport(FoundationNetworking)
extension Platform {
    /// Creates a task whose body is a stream that can be opened again. The upload of a file ends the process if its
    /// task is cancelled, and takes four times as long.
    static func makeTask(
        with request: URLRequest, sending upload: UploadBody?, for transfer: Transfer, on session: URLSession,
        completion: Completion?
    ) -> URLSessionTask {
        var request = request
        if let upload {
            request.httpBodyStream = transfer.openBody()
            request.setValue("\(upload.length)", forHTTPHeaderField: "Content-Length")
            // A blank one is not sent, and keeps the body from being sent in chunks.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
        }
        return session.dataTask(with: request, completion)
    }

    /// Opens a body from its start.
    static func openBody(_ upload: UploadBody, for exchange: Exchange) -> InputStream? {
        switch upload.source {
        case .data(let data): InputStream(data: data)
        case .file(let url):
            FileInputStream(url, length: upload.length) { [weak exchange] in
                let message = "the file \(url.path) became shorter, or cannot be read, while it was sent"
                exchange?.fail(TransportError(.requestBodyFailed, message))
            }
        }
    }

    /// A file as long as it was when its length was announced: bytes that are appended meanwhile would be taken for the
    /// next request, and the server would wait for bytes that are missing.
    private final class FileInputStream: InputStream {
        private let url: URL
        private let length: Int
        private let becameShort: () -> Void
        private var file: OpenFile?
        private var offset = 0

        init(_ url: URL, length: Int, becameShort: @escaping () -> Void) {
            self.url = url
            self.length = length
            self.becameShort = becameShort
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { file == nil ? .notOpen : .open }
        override var hasBytesAvailable: Bool { offset < length }

        override func open() {
            file = try? OpenFile.reading(url)
        }

        override func close() {
            file = nil
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = min(maxLength, length - offset)
            guard count > 0 else { return 0 }
            let bytes = file?.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            guard let bytes, bytes > 0 else {
                becameShort()
                return -1
            }
            offset += bytes
            return bytes
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
            guard let completion else { return session.uploadTask(with: request, fromFile: file) }
            return session.uploadTask(with: request, fromFile: file, completionHandler: completion)
        case .data(let data): request.httpBody = data
        case nil: break
        }
        return session.dataTask(with: request, completion)
    }

    /// No body is sent as a stream.
    static func openBody(_ upload: UploadBody, for exchange: Exchange) -> InputStream? {
        nil
    }
}
#endif

extension URLSession {
    fileprivate func dataTask(with request: URLRequest, _ completion: Platform.Completion?) -> URLSessionTask {
        guard let completion else { return dataTask(with: request) }
        return dataTask(with: request, completionHandler: completion)
    }
}
