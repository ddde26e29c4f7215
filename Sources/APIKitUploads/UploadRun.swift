import APIKitClients
import APIKitCore
import APIKitSupport

/// Sends the requests of one upload, as its ``UploadState`` decides, and keeps its journal.
struct UploadRun<Upload: ResumableUpload> {
    typealias Failure = APIError<Upload.Failure.Model>

    private let client: any APIClient
    private let upload: Upload
    private let options: RequestOptions?
    private let file: UploadFile
    private let dialect: any UploadDialect
    private let journal: UploadJournal
    private let budget: TimeBudget
    private let report: (@Sendable (UploadProgress) -> Void)?
    private var state: UploadState
    private let retries: RetryPolicy

    /// Reads the version of the file and the journal.
    init(
        _ upload: Upload, over client: some APIClient, keepingStateIn folder: URL?, _ options: RequestOptions?,
        _ limit: Duration?, _ attempts: Int, report: (@Sendable (UploadProgress) -> Void)?
    ) throws(Failure) {
        self.client = client
        self.upload = upload
        self.options = options
        self.report = report
        dialect = upload.uploadProtocol.dialect
        budget = TimeBudget(client.clock, limit)
        retries = .backoff(attempts: attempts)
        do {
            file = UploadFile(url: upload.file, type: upload.fileType, version: try FileVersion.of(upload.file))
        } catch {
            throw .invalidRequest(RequestError(.body, error.message ?? error.description))
        }
        let creation: HTTPRequest
        do throws(RequestError) {
            creation = try upload.httpRequest(base: client.base(insteadOf: upload.base))
        } catch {
            throw .invalidRequest(error)
        }
        let contents: UploadJournal.Contents?
        do {
            journal = try UploadJournal(at: folder?.journal(of: upload.file, createdBy: creation))
            contents = try journal.contents()
        } catch {
            throw .transport(error)
        }
        state = UploadState(
            size: file.size, chunkSize: upload.chunkSize, chunkMultiple: dialect.chunkMultiple, attempts: attempts)
        // Bytes of another version would not fit those that the server has.
        if let contents, contents.record.version == file.version {
            state.resume(at: contents.record.url, sentEnd: contents.sentEnd)
        }
    }

    // MARK: - Uploading

    /// Sends requests until the server has the file, and returns the model of the last response.
    mutating func finish() async throws(Failure) -> Upload.Response.Model {
        defer { journal.removeIfEmpty() }
        while true {
            let step = try await step(for: state.next)
            let answer = try await answer(to: step)
            let action = try apply(answer, to: step)
            reportProgress(received: action == .finish ? file.size : state.received)
            switch action {
            case .proceed:
                break
            case .pause(let failures):
                guard let pause = pause(after: answer, failures: failures) else {
                    return try await model(of: answer, to: step)
                }
                try await wait(for: pause, after: step)
            case .finish:
                // The server has the file, so there is nothing to continue, even if the response cannot be read.
                journal.remove()
                return try await model(of: answer, to: step)
            case .fail:
                return try await model(of: answer, to: step)
            case .contradiction(let problem):
                journal.remove()
                throw .transport(TransportError(.badResponse, problem, url: step.requestLink))
            }
        }
    }

    /// Returns the request for the next step of the upload.
    private func step(for next: UploadState.Step) async throws(Failure) -> UploadStep<Upload> {
        switch next {
        case .create:
            return try await creation()
        case .ask(let url):
            return try step(dialect.question(about: file), at: url)
        case .send(let range, let url):
            var message = dialect.chunk(range, of: file)
            try await addChecksum(to: &message)
            return try step(message, at: url)
        }
    }

    /// Returns the request that creates the upload.
    private func creation() async throws(Failure) -> UploadStep<Upload> {
        do {
            var message = UploadMessage(
                kind: .creation, method: upload.method, headers: try dialect.creationHeaders(for: file))
            if dialect.sendsFirstChunk {
                let chunk = dialect.chunk(state.chunk(from: 0), of: file)
                message.range = chunk.range
                message.contentType = chunk.contentType
                try await addChecksum(to: &message)
            }
            return UploadStep(upload: upload, file: file, message: message, target: .endpoint)
        } catch let error as RequestError {
            throw .invalidRequest(error)
        } catch {
            throw Failure(thrownBy: error)
        }
    }

    /// Adds the hash of a message's bytes, if the protocol asks for one.
    private func addChecksum(to message: inout UploadMessage) async throws(Failure) {
        guard let checksum = dialect.checksum, let range = message.range, !range.isEmpty else { return }
        do {
            let hash = try await checksum.hash(of: range, in: file)
            message.headers["Upload-Checksum"] = "\(checksum.rawValue) \(hash.base64EncodedString())"
        } catch {
            throw Failure(thrownBy: error)
        }
    }

    // MARK: - Requests

    /// What came back for a request.
    private enum Answer {
        case response(HTTPResponse, Call)
        /// The connection broke, or there was none.
        case failure(TransportError)
    }

    /// Sends a request.
    ///
    /// - Throws: What is not worth another attempt.
    private mutating func answer(to step: UploadStep<Upload>) async throws(Failure) -> Answer {
        if let range = step.message.range, !range.isEmpty {
            // The journal of an upload begins only once it is created.
            let hasJournal = step.message.kind == .chunk
            do {
                if hasJournal { try journal.willSend(range) }
            } catch {
                throw .transport(error)
            }
            state.willSend(range)
        }
        do throws(Failure) {
            let (call, response) = try await client.response(to: step, options, progressHandler) { budget.limit(&$0) }
            return .response(response, call)
        } catch {
            guard case .transport(let error) = error else { throw error }
            if error.code == .requestBodyFailed, (try? FileVersion.of(file.url)) != file.version {
                // The server has bytes of a version of the file that no longer exists.
                journal.remove()
            }
            guard retries.failures.contains(error.code) else { throw .transport(error) }
            return .failure(error)
        }
    }

    /// Reports the bytes of the request as it is sent; nil if nobody wants to know.
    private var progressHandler: TransferProgress.Handler? {
        guard report != nil else { return nil }
        let received = state.received
        return .anywhere { [self] in reportProgress(received: received, sending: $0.bytesSent) }
    }

    private func reportProgress(received: Int, sending count: Int = 0) {
        report?(UploadProgress(bytesReceived: received, bytesSent: received + count, totalBytes: file.size))
    }

    /// Decides what follows from an answer, and keeps the URL of a created upload.
    private mutating func apply(_ answer: Answer, to step: UploadStep<Upload>) throws(Failure) -> UploadState.Action {
        guard case .response(let response, _) = answer else { return state.breakOff() }
        let kind = step.message.kind
        let report = dialect.report(on: response, to: kind, about: file)
        if kind == .creation, case .received = report {
            let url = try location(in: response)
            do {
                try journal.begin(UploadRecord(of: file, at: url), sent: step.message.range)
            } catch {
                throw Failure(thrownBy: error)
            }
            state.created(at: url)
        }
        return state.apply(report, to: kind)
    }

    /// Returns the time until the next request is worth an attempt; nil if the server asks for more than is sensible.
    private func pause(after answer: Answer, failures: Int) -> Duration? {
        let backoff = retries.jitter(retries.backoff(after: failures))
        guard case .response(let response, _) = answer, let requested = response.head.retryAfter else { return backoff }
        guard requested <= retries.retryAfterLimit else { return nil }
        return max(backoff, requested)
    }

    private func wait(for pause: Duration, after step: UploadStep<Upload>) async throws(Failure) {
        do {
            try await budget.pause(for: pause, of: "the upload", at: step.requestLink)
        } catch {
            throw Failure(thrownBy: error)
        }
    }

    /// Returns the model of the last response, or throws the failure of it.
    private func model(
        of answer: Answer, to step: UploadStep<Upload>
    ) async throws(Failure) -> Upload.Response.Model {
        switch answer {
        case .response(let response, let call): return try await step.model(of: response, in: call)
        case .failure(let error): throw .transport(error)
        }
    }

    // MARK: - The upload's URL

    /// Returns the URL that a response names for the upload.
    ///
    /// - Throws: `badResponse` if it names none, and the error of a request that must not be sent if the URL is
    ///   elsewhere.
    private func location(in response: HTTPResponse) throws(Failure) -> URL {
        guard let text = dialect.location(in: response),
            let url = URIReference(response.head.url.absoluteString).target(of: text)
        else {
            let problem = "the server names no URL for the upload"
            throw .transport(TransportError(.badResponse, problem, url: response.head.url))
        }
        // The target is checked before anything is stored.
        _ = try target(of: url)
        return url
    }

    /// Returns the step that sends a message to the URL of the upload.
    private func step(_ message: UploadMessage, at url: URL) throws(Failure) -> UploadStep<Upload> {
        UploadStep(upload: upload, file: file, message: message, target: try target(of: url))
    }

    /// Returns how the URL of an upload is requested: with what the base has at its origin, and without that at one of
    /// the hosts that the endpoint names.
    private func target(of url: URL) throws(Failure) -> UploadStep<Upload>.Target {
        let base = client.base(insteadOf: upload.base).url
        if let base, url.hasSameOrigin(as: base) { return .upload(url) }
        let isNamed = upload.uploadHosts.contains { $0.lowercased() == url.host?.lowercased() }
        let isAsSecure = url.scheme?.lowercased() == "https" || base?.scheme?.lowercased() == "http"
        guard isNamed, isAsSecure else {
            let origin = "\(url.scheme ?? "")://\(url.host ?? "")"
            throw .invalidRequest(
                RequestError(
                    .link,
                    "the server wants the file at \(origin.debugDescription), which is another origin than the base URL;"
                        + " if that is right, name the host in uploadHosts",
                    method: .post, url: base))
        }
        return .foreignUpload(url)
    }

    // MARK: - Abandoning

    /// Asks the server to forget the upload, and removes the journal.
    func abandon() async throws(Failure) {
        defer { journal.removeIfEmpty() }
        guard case .ask(let url) = state.next else {
            journal.remove()
            return
        }
        let step = try step(dialect.abandonment, at: url)
        let (call, response) = try await client.response(to: step, options, nil)
        journal.remove()
        let report = dialect.report(on: response, to: .abandonment, about: file)
        let isForgotten = report == .unknown || 200..<300 ~= response.head.status
        guard isForgotten else {
            _ = try await step.model(of: response, in: call)
            return
        }
    }
}

extension UploadProtocol.Checksum {
    /// Returns the hash of a range of a file's bytes.
    ///
    /// - Throws: ``TransportError`` if the file cannot be read or has changed.
    func hash(of range: Range<Int>, in file: UploadFile) async throws -> Data {
        let body = RequestBody.file(file.url, range: range, version: file.version, contentType: nil)
        switch self {
        case .sha1:
            var hasher = SHA1Hasher()
            for try await piece in body.bytes { hasher.update(piece) }
            return hasher.finish()
        case .sha256:
            var hasher = SHA256Hasher()
            for try await piece in body.bytes { hasher.update(piece) }
            return hasher.finish()
        }
    }
}

extension URL {
    /// The journal of an upload in this folder. Its name is a hash of the file's path and of the request that creates
    /// the upload: without headers, since these have credentials and dates.
    fileprivate func journal(of file: URL, createdBy request: HTTPRequest) -> URL {
        var hasher = SHA256Hasher()
        for part in [request.method.rawValue, request.url.absoluteString, file.storedPath] {
            hasher.update("\(part)\n".utf8Data)
        }
        if let body = request.body?.data { hasher.update(body) }
        let name = hasher.finish().prefix(16).base64URLEncodedString()
        return appendingPathComponent(name).appendingPathExtension(UploadJournal.pathExtension)
    }
}
