import APIKitCore
import APIKitSupport

/// What differs between the protocols of uploads: the requests, and what the responses to them mean.
protocol UploadDialect: Sendable {
    /// The size that each chunk but the last must be a multiple of.
    var chunkMultiple: Int { get }

    /// Whether the request that creates the upload has the first chunk as its body. It then has no other.
    var sendsFirstChunk: Bool { get }

    /// The hash that each chunk is sent with; nil for none.
    var checksum: UploadProtocol.Checksum? { get }

    /// What distinguishes uploads of the same file, as far as the protocol knows it; empty if only the endpoint does.
    var identity: String { get }

    /// The request that asks what the server supports, before the upload is created; nil if that need not be known.
    var inquiry: UploadMessage? { get }

    /// Returns the headers that the protocol adds to the endpoint's own request, which creates the upload.
    ///
    /// - Throws: ``RequestError`` if a value that the endpoint states cannot be sent.
    func creationHeaders(for file: UploadFile) throws(RequestError) -> HTTPHeaders

    /// Returns the URL of the upload in the response to its creation; nil if there is none.
    func location(in response: HTTPResponse) -> String?

    /// Returns what a response states about the sizes of chunks and files; nil if it states nothing.
    func limits(in response: HTTPResponse) -> UploadLimits?

    /// The request that asks how many bytes the server has.
    func question(about file: UploadFile) -> UploadMessage

    /// The request that sends a range of the file's bytes.
    func chunk(_ range: Range<Int>, of file: UploadFile) -> UploadMessage

    /// The request that makes the server forget the upload.
    var abandonment: UploadMessage { get }

    /// Returns what a response to a message means.
    func report(on response: HTTPResponse, to message: UploadMessage, about file: UploadFile) -> UploadReport
}

extension UploadDialect {
    var chunkMultiple: Int { 1 }
    var sendsFirstChunk: Bool { false }
    var checksum: UploadProtocol.Checksum? { nil }
    var identity: String { "" }
    var inquiry: UploadMessage? { nil }

    func location(in response: HTTPResponse) -> String? { response.head.headers[.location] }
    func limits(in response: HTTPResponse) -> UploadLimits? { nil }
}

/// The file of an upload, as its requests describe it.
struct UploadFile: Sendable {
    let url: URL
    let type: MIMEType
    let version: FileVersion

    /// The size in bytes.
    var size: Int { version.size }
}

/// A request of an upload's protocol.
struct UploadMessage: Sendable {
    /// What a request is for.
    enum Kind {
        /// To ask what the server supports.
        case inquiry
        /// To create the upload.
        case creation
        /// To ask how many bytes the server has.
        case question
        /// To send a chunk.
        case chunk
        /// To make the server forget the upload.
        case abandonment
    }

    let kind: Kind
    var method: HTTPMethod
    var headers: HTTPHeaders = [:]
    /// The bytes of the file that are the body; empty for an empty body, nil for none.
    var range: Range<Int>?
    /// The type of the body.
    var contentType: MIMEType?
}

/// What a response says about an upload.
enum UploadReport: Equatable {
    /// The server supports what the upload needs, which can be created.
    case suitable
    /// The server does not support what the upload needs, or does not say so.
    case unsuitable(String)
    /// The server has this many bytes from the beginning of the file, and may miss the rest.
    case received(Int)
    /// The server has the whole file, and this is the last response.
    case complete
    /// The chunk does not fit what the server has, or has arrived damaged, so it has to be asked.
    case mismatch
    /// The server does not know the upload (any longer).
    case unknown
    /// A failure that can pass: the upload is locked by another request, or the server is overloaded.
    case busy
    /// Any other failure.
    case refused
}

extension UploadReport {
    /// What a status of failure means in every protocol.
    init(status: Int) {
        switch status {
        case 404, 410: self = .unknown
        case 408, 423, 425, 429, 500, 502, 503, 504, 529: self = .busy
        default: self = .refused
        }
    }
}

extension MIMEType {
    /// The type of a chunk in tus.
    static let offsetOctetStream: MIMEType = "application/offset+octet-stream"
    /// The type of a chunk in the IETF draft.
    static let partialUpload: MIMEType = "application/partial-upload"
}

extension HTTPHeaders.Name {
    static let uploadOffset: Self = "Upload-Offset"
    static let uploadLength: Self = "Upload-Length"
    static let uploadComplete: Self = "Upload-Complete"
}

extension HTTPResponse.Head {
    /// The number of bytes that the server has, in tus and the IETF draft.
    var uploadOffset: Int? { headers[.uploadOffset].flatMap(\.wholeNumber) }

    /// Whether the server says that the upload has another length than the file, in tus and the IETF draft: then its
    /// URL was given to another upload, for example after a restart of the server.
    func namesOtherLength(than file: UploadFile) -> Bool {
        guard let length = headers[.uploadLength].flatMap(\.wholeNumber) else { return false }
        return length != file.size
    }
}
