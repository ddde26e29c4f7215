import APIKitClients
import APIKitCore
import APIKitSupport

/// An endpoint that uploads a file, with the client that sends its requests: where they go, and where the state is.
struct UploadEndpoint<Upload: ResumableUpload> {
    typealias Failure = APIError<Upload.Failure.Model>

    let client: any APIClient
    let upload: Upload
    let options: RequestOptions?
    let dialect: any UploadDialect

    init(_ upload: Upload, over client: some APIClient, _ options: RequestOptions?) {
        self.client = client
        self.upload = upload
        self.options = options
        dialect = upload.uploadProtocol.dialect
    }

    /// The base of the requests, which a client may have replaced.
    private var base: APIBase { client.base(insteadOf: upload.base) }

    /// Returns the file in one version.
    func file(_ version: FileVersion) -> UploadFile {
        UploadFile(url: upload.file, type: upload.fileType, version: version)
    }

    // MARK: - Requests to the upload's URL

    /// Returns the URL that a response names for the upload.
    ///
    /// - Throws: `badResponse` if it names none, and the error of a request that must not be sent if the URL is
    ///   elsewhere or not valid.
    func location(in response: HTTPResponse, for file: UploadFile) throws(Failure) -> URL {
        // An empty reference would be the URL of the endpoint itself.
        guard let text = upload.uploadLocation(in: response) ?? dialect.location(in: response),
            !text.trimmingLink.isEmpty,
            let url = URIReference(response.head.url.absoluteString).target(of: text)
        else {
            let problem = "the server names no URL for the upload"
            throw .transport(TransportError(.badResponse, problem, url: response.head.url))
        }
        // Checked before anything is stored: otherwise, each process that continues the upload would fail.
        try checkRequests(about: file, to: url)
        return url
    }

    /// Throws an error if no request can be sent to a URL for the upload: it is elsewhere, or has user information.
    func checkRequests(about file: UploadFile, to url: URL) throws(Failure) {
        let question = try step(dialect.question(about: file), about: file, at: url)
        do {
            _ = try question.httpRequest(base: client.base(insteadOf: question.base), options: options)
        } catch {
            throw .invalidRequest(error)
        }
    }

    /// Returns the step that sends a message to the URL of the upload.
    func step(_ message: UploadMessage, about file: UploadFile, at url: URL) throws(Failure) -> UploadStep<Upload> {
        UploadStep(upload: upload, file: file, message: message, target: try target(of: url))
    }

    /// Returns how the URL of an upload is requested: with what the base has at its origin, and without that at one of
    /// the hosts that the endpoint names.
    private func target(of url: URL) throws(Failure) -> UploadStep<Upload>.Target {
        let base = base.url
        if let base, url.hasSameOrigin(as: base) { return .upload(url) }
        let isNamed = upload.namesHost(of: url)
        let isAsSecure = url.scheme?.lowercased() == "https" || base?.scheme?.lowercased() == "http"
        guard let base, isNamed, isAsSecure else {
            let origin = "\(url.scheme ?? "")://\(url.host ?? "")"
            let problem =
                "the server wants the file at \(origin.debugDescription), which is another origin than the base URL; if "
                + "that is right, name the host in uploadHosts"
            throw .invalidRequest(RequestError(.link, problem, method: upload.method, url: base))
        }
        return .foreignUpload(url, namedBy: base)
    }

    /// Sends a request.
    ///
    /// - Throws: `APIError` if there is no response.
    func response(
        to step: UploadStep<Upload>, progress: TransferProgress.Handler? = nil, within budget: TimeBudget? = nil
    ) async throws(Failure) -> (Call, HTTPResponse) {
        try await client.response(to: step, options, progress, namedBy: step.namingOrigin) { budget?.limit(&$0) }
    }

    // MARK: - The state

    /// Opens and locks the journal of the upload in a folder.
    func journal(in folder: URL?) throws(Failure) -> UploadJournal {
        var url: URL?
        if let folder {
            do throws(RequestError) {
                url = folder.appendingPathComponent(try journalName())
                    .appendingPathExtension(UploadJournal.pathExtension)
            } catch {
                throw .invalidRequest(error)
            }
        }
        do throws(TransportError) {
            return try UploadJournal(at: url)
        } catch {
            throw .transport(error)
        }
    }

    /// The name of the journal: a hash of the file's path and of what the endpoint says when it creates the upload, but
    /// for its credentials, and for headers that are different each time.
    private func journalName() throws(RequestError) -> String {
        let creation = try upload.httpRequest(base: base)
        var hasher = SHA256Hasher()
        let parts = [creation.method.rawValue, creation.url.absoluteString, upload.file.storedPath, dialect.identity]
        for part in parts + distinguishingHeaders {
            hasher.update("\(part)\n".utf8Data)
        }
        if let body = creation.body?.data { hasher.update(body) }
        return hasher.finish().prefix(16).base64URLEncodedString()
    }

    /// The endpoint's own headers, which may name the destination of the file.
    private var distinguishingHeaders: [String] {
        let ignored: [HTTPHeaders.Name] = [.idempotencyKey, .date, "X-Request-Id"]
        let headers = upload.headers.filter { !ignored.contains($0.name) && !SecretNames.contains($0.name.rawValue) }
        return headers.map { "\($0.name.rawValue.lowercased()): \($0.value)" }.sorted()
    }

    // MARK: - Abandoning

    /// Asks the server to forget the upload whose state is in a folder, and removes the state. The file may be missing
    /// or have changed.
    func abandon(keptIn folder: URL) async throws(Failure) {
        let journal = try journal(in: folder)
        defer { journal.removeIfEmpty() }
        let contents: UploadJournal.Contents?
        do {
            contents = try journal.contents()
        } catch {
            throw .transport(error)
        }
        guard let record = contents?.record else {
            journal.remove()
            return
        }
        let file = file(record.version)
        let step: UploadStep<Upload>
        do throws(Failure) {
            try checkRequests(about: file, to: record.url)
            step = try self.step(dialect.abandonment, about: file, at: record.url)
        } catch {
            // Nobody could continue this upload.
            journal.remove()
            throw error
        }
        let (call, response) = try await response(to: step)
        journal.remove()
        let isUnknown = dialect.report(on: response, to: step.message, about: file) == .unknown
        let isDone = isUnknown || 200..<300 ~= response.head.status
        if !isDone { _ = try await step.model(of: response, in: call) }
    }
}
