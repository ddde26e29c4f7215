import APIKitCore

/// The protocol by which a server receives the file of a ``ResumableUpload``.
///
/// | Protocol | Servers | Last response |
/// | --- | --- | --- |
/// | ``tus`` | Supabase, Cloudflare Stream, Transloadit, tusd | without a body; its URL is that of the upload |
/// | ``sessionURL`` | Google Cloud Storage, Drive, YouTube | describes the file |
/// | ``googleUpload`` | Firebase Storage, Gemini, Google Photos | describes the file |
/// | ``graph`` | Microsoft OneDrive, SharePoint | describes the file |
/// | ``draft`` | servers with SwiftNIO's handlers, and others that follow the IETF draft | the endpoint's own |
///
/// If the last response is lost, the server is asked. If it has forgotten the upload because it is complete, the file
/// is uploaded again.
public struct UploadProtocol: Sendable {
    let dialect: any UploadDialect

    /// A size of which each protocol's chunks may be a multiple: 1.25 MiB.
    static let commonMultiple = 5 * (256 << 10)

    /// [tus](https://tus.io/protocols/resumable-upload), version 1.0, without metadata and checksums.
    public static var tus: UploadProtocol { .tus(metadata: [:]) }

    /// [tus](https://tus.io/protocols/resumable-upload), version 1.0.
    ///
    /// The server responds to the last chunk without a body. If that response is lost, the response to a question
    /// about the upload takes its place, which has other headers. So `Response` is usually ``UploadedFile``, or a type
    /// of your own that reads `response.head`.
    ///
    /// - Parameters:
    ///   - metadata: Names and values that describe the file, such as `["filename": "film.mp4"]`. A name consists of
    ///     ASCII characters without spaces and commas, and is not empty; a value is any text.
    ///   - checksum: The hash with which the server checks each chunk; a damaged chunk is sent again. Each chunk is
    ///     read twice. Servers without the extension `checksum` would ignore the hash. So before the upload is created,
    ///     an OPTIONS request to the endpoint's URL asks for the hashes that the server supports
    ///     (`Tus-Checksum-Algorithm`). If it does not say that this is one of them, the upload fails with a
    ///     ``TransportError`` with the code `unsupported`.
    ///   - sendsFirstChunk: Whether the first chunk is sent with the request that creates the upload, which saves a
    ///     request. The server must support the extension `creation-with-upload`. If the connection breaks during that
    ///     request, the upload starts over.
    /// - Returns: The protocol.
    public static func tus(
        metadata: [String: String], checksum: Checksum? = nil, sendsFirstChunk: Bool = false
    ) -> UploadProtocol {
        UploadProtocol(dialect: TusDialect(metadata: metadata, checksum: checksum, sendsFirstChunk: sendsFirstChunk))
    }

    /// A session URL and `Content-Range`, as in Google's APIs
    /// ([resumable uploads](https://cloud.google.com/storage/docs/performing-resumable-uploads)).
    ///
    /// The endpoint is the request that starts the session: `uploadType=resumable` is among its parameters, and its
    /// body describes the file. Chunks are multiples of 256 KiB. Anyone who knows the URL of a session can continue it,
    /// without credentials.
    ///
    /// If the API's documentation has the header `X-Goog-Upload-Protocol` instead, use ``googleUpload``.
    public static var sessionURL: UploadProtocol { UploadProtocol(dialect: SessionDialect()) }

    /// The protocol of Google's APIs with the header `X-Goog-Upload-Protocol: resumable`, which Firebase Storage, the
    /// Gemini Files API and the Google Photos Library API speak
    /// ([resumable uploads](https://developers.google.com/photos/library/guides/resumable-uploads)).
    ///
    /// The endpoint is the request that starts the upload, without the headers of the protocol. Unlike with
    /// ``sessionURL``, each request is a POST, whose header `X-Goog-Upload-Command` says what it is for. The response
    /// to the first one names the URL of the upload in `X-Goog-Upload-URL`.
    ///
    /// Chunks are multiples of the size that the server states when the upload begins, which is usually 256 KiB. With
    /// Gemini it is 8 MiB, so that chunks have 24 MiB unless the endpoint states another ``ResumableUpload/chunkSize``.
    ///
    /// If the last response is lost, the response to a question about the upload takes its place. Some servers repeat
    /// their response there, others respond without a body, which an optional type reads as nil.
    public static var googleUpload: UploadProtocol { UploadProtocol(dialect: GoogleDialect()) }

    /// Microsoft Graph's upload sessions
    /// ([createUploadSession](https://learn.microsoft.com/graph/api/driveitem-createuploadsession)).
    ///
    /// The endpoint is the request for `createUploadSession`. Its response names the upload's URL, which is at another
    /// host: name it in ``ResumableUpload/uploadHosts``. Chunks are multiples of 320 KiB. The server forgets the
    /// session once it has the file, so if the last response is lost, the file is uploaded again.
    ///
    /// The URL of the upload and the offsets are in the bodies of responses, so that `Response` must be read from data,
    /// not from a stream or a file.
    public static var graph: UploadProtocol { UploadProtocol(dialect: GraphDialect()) }

    /// The IETF draft
    /// ([Resumable Uploads for HTTP](https://datatracker.ietf.org/doc/draft-ietf-httpbis-resumable-upload/)) in its
    /// interop version 6.
    ///
    /// Chunks have the sizes that the server states in `Upload-Limit`. If it states that the file is too large or too
    /// small, no byte of it is sent: the upload fails with a ``RequestError`` with the code `body`.
    ///
    /// The last response is the endpoint's own. If it is lost, the server does not repeat it: `Response` reads a
    /// response without a body, which an optional type reads as nil, or, if the server has forgotten the upload, the
    /// file is uploaded again.
    public static var draft: UploadProtocol { UploadProtocol(dialect: DraftDialect()) }

    /// A hash of the bytes of a chunk.
    public enum Checksum: String, Sendable, Hashable {
        /// SHA-1, which each server with checksums supports.
        case sha1
        /// SHA-256.
        case sha256
    }
}
