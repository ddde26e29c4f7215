import APIKitClients
import APIKitCore
import APIKitSupport

/// Sends the requests of one upload, as its ``UploadState`` decides, and keeps its journal.
struct UploadRun<Upload: ResumableUpload> {
    typealias Failure = APIError<Upload.Failure.Model>

    private let endpoint: UploadEndpoint<Upload>
    private let file: UploadFile
    private let dialect: any UploadDialect
    private let journal: UploadJournal
    private let budget: TimeBudget
    private let onProgress: (@Sendable (UploadProgress) -> Void)?
    private var state: UploadState
    private let retries: RetryPolicy

    /// Reads the version of the file and the journal.
    init(
        _ endpoint: UploadEndpoint<Upload>, keepingStateIn folder: URL?, within limit: Duration?, attempts: Int,
        onProgress: (@Sendable (UploadProgress) -> Void)?
    ) throws(Failure) {
        self.endpoint = endpoint
        self.onProgress = onProgress
        dialect = endpoint.dialect
        budget = TimeBudget(endpoint.client.clock, limit)
        retries = .backoff(attempts: attempts)
        do {
            file = endpoint.file(try FileVersion.of(endpoint.upload.file))
        } catch {
            throw .invalidRequest(RequestError(.body, error.message ?? error.description))
        }
        journal = try endpoint.journal(in: folder)
        state = UploadState(
            size: file.size,
            chunks: ChunkSizes.Wish(
                longest: endpoint.upload.chunkSize, shortest: endpoint.upload.minimumChunkSize,
                multiple: dialect.chunkMultiple),
            attempts: attempts, inquiry: dialect.inquiry)
        let contents: UploadJournal.Contents?
        do {
            contents = try journal.contents()
        } catch {
            throw .transport(error)
        }
        if let contents, canContinue(contents.record) {
            state.resume(at: contents.record.url, sentEnd: contents.sentEnd, within: contents.record.limits)
        }
    }

    /// Whether the upload of a record can be continued, rather than started over.
    private func canContinue(_ record: UploadRecord) -> Bool {
        // Bytes of another version would not fit those that the server has.
        guard record.version == file.version else { return false }
        // The endpoint may no longer name the host, or somebody has changed the journal.
        do throws(Failure) {
            try endpoint.checkRequests(about: file, to: record.url)
            return true
        } catch {
            return false
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
                    throw await failure(of: answer, to: step)
                }
                try await wait(for: pause, after: step)
            case .finish:
                // The server has the file, so there is nothing to continue, even if the response cannot be read.
                journal.remove()
                return try await model(of: answer, to: step)
            case .fail:
                throw await failure(of: answer, to: step)
            case .giveUp(let problem):
                throw .transport(TransportError(.unsupported, problem, method: step.method, url: answer.url))
            case .contradiction(let problem):
                journal.remove()
                throw .transport(TransportError(.badResponse, problem, url: step.shownLink))
            case .refuseSize(let problem):
                // Before there is an upload, the request that would create it is not sent.
                let method = state.url == nil ? endpoint.upload.method : step.method
                await cancelUpload()
                journal.remove()
                let url = step.shownLink ?? answer.url
                throw .invalidRequest(RequestError(.body, problem, method: method, url: url))
            }
        }
    }

    /// Returns the request for the next step of the upload.
    private func step(for next: UploadState.NextRequest) async throws(Failure) -> UploadStep<Upload> {
        switch next {
        case .inquire(let message):
            return UploadStep(upload: endpoint.upload, file: file, message: message, target: .endpoint)
        case .create:
            return try await creation()
        case .ask(let url):
            return try endpoint.step(dialect.question(about: file), about: file, at: url)
        case .send(let range, let url):
            var message = dialect.chunk(range, of: file)
            try await addChecksum(to: &message)
            return try endpoint.step(message, about: file, at: url)
        }
    }

    /// Returns the request that creates the upload.
    private func creation() async throws(Failure) -> UploadStep<Upload> {
        do {
            var message = UploadMessage(
                kind: .creation, method: endpoint.upload.method, headers: try dialect.creationHeaders(for: file))
            if dialect.sendsFirstChunk {
                let chunk = dialect.chunk(state.chunk(from: 0), of: file)
                message.range = chunk.range
                message.contentType = chunk.contentType
                try await addChecksum(to: &message)
            }
            return UploadStep(upload: endpoint.upload, file: file, message: message, target: .endpoint)
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

        /// The URL that has responded; nil without a response.
        var url: URL? {
            if case .response(let response, _) = self { response.head.url } else { nil }
        }
    }

    /// Sends a request.
    ///
    /// - Throws: What is not worth another attempt.
    private mutating func answer(to step: UploadStep<Upload>) async throws(Failure) -> Answer {
        if let range = step.message.range, !range.isEmpty {
            try prepareToSend(range, with: step.message.kind)
        }
        do throws(Failure) {
            let progress = progressHandler(for: step.message)
            let (call, response) = try await endpoint.response(to: step, progress: progress, within: budget)
            return .response(response, call)
        } catch {
            guard case .transport(let error) = error else { throw error }
            if error.code == .requestBodyFailed { try checkFile() }
            guard retries.failures.contains(error.code) else { throw .transport(error) }
            return .failure(error)
        }
    }

    /// Notes that a range of the file is about to be sent.
    private mutating func prepareToSend(_ range: Range<Int>, with kind: UploadMessage.Kind) throws(Failure) {
        try checkFile()
        // The journal of an upload begins only once it is created.
        if kind == .chunk {
            do {
                try journal.willSend(range)
            } catch {
                throw .transport(error)
            }
        }
        state.willSend(range)
    }

    /// Throws an error if the file has changed, and ends the upload: the server has bytes of a version that no longer
    /// exists. A file that cannot be read may come back.
    private func checkFile() throws(Failure) {
        let version: FileVersion
        do {
            version = try FileVersion.of(file.url)
        } catch {
            throw .transport(error)
        }
        guard version != file.version else { return }
        journal.remove()
        let problem = "the file \(file.url.path) has changed since its upload began; send again to start over"
        throw .transport(TransportError(.requestBodyFailed, problem))
    }

    /// Reports the bytes of a chunk as they are sent; nil for a request without bytes of the file, and if nobody wants
    /// to know.
    ///
    /// The handler does not refer to the run, which has the lock of the journal: a client may keep it for longer.
    private func progressHandler(for message: UploadMessage) -> TransferProgress.Handler? {
        guard let onProgress, let range = message.range, !range.isEmpty else { return nil }
        let received = state.received
        let totalBytes = file.size
        return .anywhere { progress in
            let sent = received + min(progress.bytesSent, range.count)
            onProgress(UploadProgress(bytesReceived: received, bytesSent: sent, totalBytes: totalBytes))
        }
    }

    private func reportProgress(received: Int) {
        onProgress?(UploadProgress(bytesReceived: received, bytesSent: received, totalBytes: file.size))
    }

    /// Decides what follows from an answer, and keeps the URL of a created upload.
    private mutating func apply(_ answer: Answer, to step: UploadStep<Upload>) throws(Failure) -> UploadState.Action {
        guard case .response(let response, _) = answer else { return state.breakOff() }
        let kind = step.message.kind
        let report = dialect.report(on: response, to: step.message, about: file)
        let limits = dialect.limits(in: response)
        if kind == .creation, case .received = report {
            let url = try endpoint.location(in: response, for: file)
            do {
                let record = UploadRecord(of: file, by: Upload.self, at: url, within: limits)
                try journal.begin(record, sent: step.message.range)
            } catch {
                throw Failure(thrownBy: error)
            }
            state.created(at: url, within: limits)
        } else if let limits {
            state.setLimits(limits)
        }
        if report == .unknown { try clearJournal() }
        return state.apply(report, to: kind)
    }

    /// Asks the server to forget an upload that cannot go on. Without this, it does so after a time.
    private func cancelUpload() async {
        guard let url = state.url, let step = try? endpoint.step(dialect.abandonment, about: file, at: url) else {
            return
        }
        _ = try? await endpoint.response(to: step, within: budget)
    }

    /// Removes the record of an upload that the server has forgotten, so that no process asks for it again.
    private func clearJournal() throws(Failure) {
        do {
            try journal.clear()
        } catch {
            throw .transport(error)
        }
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
            try await budget.pause(for: pause, of: "the upload", at: step.shownLink)
        } catch {
            throw Failure(thrownBy: error)
        }
    }

    /// Returns the model of the last response.
    private func model(
        of answer: Answer, to step: UploadStep<Upload>
    ) async throws(Failure) -> Upload.Response.Model {
        switch answer {
        case .response(let response, let call): return try await step.model(of: response, in: call)
        case .failure(let error): throw .transport(error)
        }
    }

    /// Returns the failure of an answer with which the upload ends: the endpoint's own or, if the endpoint counts the
    /// response as a success, the error that it does not fit the protocol.
    private func failure(of answer: Answer, to step: UploadStep<Upload>) async -> Failure {
        do throws(Failure) {
            _ = try await model(of: answer, to: step)
        } catch .unreadable {
            // A success, but not the last response, which is the one that has a model.
        } catch {
            return error
        }
        let problem = "the response does not fit the protocol of the upload"
        return .transport(TransportError(.badResponse, problem, method: step.method, url: step.shownLink))
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
