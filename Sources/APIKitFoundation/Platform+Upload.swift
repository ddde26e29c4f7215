#if canImport(FoundationNetworking)
extension Platform {
    /// Makes a task whose body is a stream that can be opened anew. A body sent in another way is lost where a kept
    /// connection turns out to be dead, and that of a file ends the process where its task is cancelled.
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

    /// A stream of a body from its start.
    static func openBody(_ upload: UploadBody, for transfer: Transfer) -> InputStream? {
        BodyInputStream(upload) { [weak transfer] url in transfer?.failAsUnreadable(url) }
    }

    /// A body that starts over each time it is opened, as it is when a request is sent again with credentials.
    ///
    /// Of a file it is as much as the file held when its length was announced: bytes appended meanwhile would be taken for
    /// the next request, and for missing ones the server would wait.
    private final class BodyInputStream: InputStream {
        private let upload: UploadBody
        private let becomeShort: (URL) -> Void
        private var source: InputStream
        private var left = 0

        init?(_ upload: UploadBody, becomeShort: @escaping (URL) -> Void) {
            guard let source = Self.source(of: upload) else { return nil }
            self.upload = upload
            self.source = source
            self.becomeShort = becomeShort
            super.init(data: Data())
        }

        private static func source(of upload: UploadBody) -> InputStream? {
            switch upload.source {
            case .data(let data): InputStream(data: data)
            case .file(let url): InputStream(url: url)
            }
        }

        override var streamStatus: Stream.Status { source.streamStatus }
        override var hasBytesAvailable: Bool { left > 0 }

        override func open() {
            if source.streamStatus != .notOpen, let fresh = Self.source(of: upload) {
                source.close()
                source = fresh
            }
            source.open()
            left = upload.length
        }

        override func close() {
            source.close()
        }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = left == 0 ? 0 : source.read(buffer, maxLength: min(maxLength, left))
            guard count > 0 || left == 0 else {
                if case .file(let url) = upload.source { becomeShort(url) }
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
