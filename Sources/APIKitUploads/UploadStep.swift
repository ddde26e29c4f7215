import APIKitCore
import APIKitSupport

/// One request of an upload, which passes through all clients as the endpoint's own would: the endpoint's request, with
/// the headers of the protocol, or one to the URL of the upload.
struct UploadStep<Upload: ResumableUpload>: LinkedRequest, EndpointPart {
    typealias Response = Upload.Response
    typealias Failure = Upload.Failure

    /// Where a request goes.
    enum Target {
        /// To the endpoint's own URL, to create the upload.
        case endpoint
        /// To the URL of an upload at the origin of the base URL.
        case upload(URL)
        /// To the URL of an upload at one of the ``ResumableUpload/uploadHosts``, which the API at the base URL named.
        case foreignUpload(URL, namedBy: URL)
    }

    static var wholeEndpoint: any APIRequest.Type { Upload.self }

    let upload: Upload
    let file: UploadFile
    let message: UploadMessage
    let target: Target

    var requestLink: URL? {
        switch target {
        case .endpoint: nil
        case .upload(let url), .foreignUpload(let url, _): url
        }
    }

    /// The base URL, if the request goes to another host, which must not get any client's credentials.
    var namingOrigin: URL? {
        guard case .foreignUpload(_, let base) = target else { return nil }
        return base
    }

    /// The URL of the upload for errors: without its query, which may be enough to continue the upload.
    var shownLink: URL? {
        guard let requestLink else { return nil }
        var reference = URIReference(requestLink.absoluteString)
        reference.query = nil
        return URL(strict: reference.text)
    }

    /// Whether this request creates the upload, with what the endpoint sends.
    private var isCreation: Bool { message.kind == .creation }

    /// Whether this request goes to the endpoint's own URL, with its headers.
    private var isOwnRequest: Bool { isCreation || message.kind == .inquiry }

    var base: APIBase {
        switch target {
        case .endpoint, .upload: upload.base
        case .foreignUpload(let url, _): APIBase(url.originText)
        }
    }

    var path: URLPath { isOwnRequest ? upload.path : "" }
    var method: HTTPMethod { message.method }
    var query: Parameters { isOwnRequest ? upload.query : [:] }

    var headers: HTTPHeaders {
        guard isOwnRequest else { return message.headers }
        var headers = upload.headers
        if !isCreation { headers.removeAll { $0.name == .contentType || $0.name == .idempotencyKey } }
        headers.addMissing(from: message.headers)
        return headers
    }

    var body: RequestBody? {
        guard let range = message.range else { return isCreation ? upload.body : nil }
        guard !range.isEmpty else { return .data(Data(), contentType: message.contentType) }
        return .file(file.url, range: range, version: file.version, contentType: message.contentType)
    }

    var options: RequestOptions {
        var options = upload.options
        // Another host than the base's has no options of its own.
        if case .foreignUpload = target {
            options = options.addingMissing(from: upload.base.options)
            options.sendsBodyAcrossOrigins = true
        }
        if isOwnRequest, message.range != nil {
            // A redirect must not take the first chunk to another origin, unless the endpoint allows that.
            let ownOptions = upload.options.addingMissing(from: upload.base.options)
            options.sendsBodyAcrossOrigins = ownOptions.sendsBodyAcrossOrigins ?? false
        }
        if !isOwnRequest {
            // A redirect of an upload's URL is not followed: it would take the file elsewhere. In Google's protocol,
            // the status of one means that the upload is incomplete.
            options.redirects = .refuse
        }
        // After a break, the server has to be asked before anything is sent again.
        let onlyAsks: Set<HTTPMethod> = [.head, .get, .options]
        if !onlyAsks.contains(message.method) { options.retries = .never }
        return options
    }

    func process(_ response: HTTPResponse) async throws -> Response.Model {
        try await upload.process(response)
    }
}
