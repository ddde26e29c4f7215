public import APIKitCore

/// An endpoint that uploads a file in as many requests as necessary.
///
/// After a lost connection, and in the next process if this one ends, the upload continues with the bytes that the
/// server does not have.
///
/// ```swift
/// struct VideoUpload: ResumableUpload {
///     typealias Response = UploadedFile
///     var file: URL
///     var base: APIBase { .videos }
///     var path: URLPath { "files" }
///     var uploadProtocol: UploadProtocol { .tus }
/// }
/// ```
///
/// ```swift
/// let video = try await client.upload(VideoUpload(file: url), keepingStateIn: folder) {
///     print($0.fraction)
/// }
/// print(video.url)
/// ```
///
/// The endpoint's own request creates the upload: its path, parameters, headers and body are those that the API expects
/// there, and its method is by default POST. The ``uploadProtocol`` adds its headers, and defines the requests after
/// that, which are sent to the URL that the server names. They have the headers and the query of ``APIRequest/base``
/// and the endpoint's options, but none of the endpoint's own headers and parameters.
///
/// `Response` reads the last response: see ``UploadProtocol`` for what that contains. Send the endpoint with
/// ``APIClient/upload(_:keepingStateIn:options:within:attempts:onProgress:)``, not with `send`.
public protocol ResumableUpload: APIRequest {
    /// The file, a regular one. It must not change until it is uploaded: a change is an error before any changed byte
    /// is sent.
    var file: URL { get }
    /// The protocol that the server speaks.
    var uploadProtocol: UploadProtocol { get }
    /// The media type of the file; by default guessed from the extension of its name.
    ///
    /// ``UploadProtocol/sessionURL`` and ``UploadProtocol/googleUpload`` send it when the upload is created, and
    /// ``UploadProtocol/graph`` with each chunk. The other protocols do not send it; with tus, many servers read it
    /// from the metadata.
    var fileType: MIMEType { get }
    /// The most bytes of the file in one request, 25 MiB by default.
    ///
    /// A break costs at most these bytes. Smaller chunks cost time, since each is a request. If a protocol or a server
    /// needs multiples of a size, the chunk size is rounded down to one, but not to zero. If breaks prevent progress,
    /// chunks become shorter, down to ``minimumChunkSize``, and with progress longer again.
    var chunkSize: Int { get }
    /// The size below which chunks do not become shorter if breaks prevent progress, 256 KiB by default. Some servers
    /// need chunks of a minimum size; for one that needs a certain size, return the ``chunkSize``.
    var minimumChunkSize: Int { get }
    /// The hosts, besides that of the base URL, that the server may name for the upload; by default none.
    ///
    /// Some APIs create uploads at one host and receive the file at another. Names are without a port, and ignore case;
    /// one that begins with a dot, such as `".up.1drv.com"`, stands for all hosts that end in it. A host must be
    /// reached over https, unless the base URL is http.
    ///
    /// It gets only the file and the headers of the protocol: none of the base's headers and query, and nothing that a
    /// client adds and that may be a credential, unless ``RequestOptions/credentialHosts`` has it. A client
    /// `based(at:insteadOf:)` must say which API's URL it replaces; otherwise it refuses the host.
    var uploadHosts: Set<String> { get }

    /// Returns the URL of the upload in the response to the request that creates it, absolute or relative to the
    /// response's URL; by default nil, if it is where the protocol has it. Implement this for an API that names the URL
    /// in a body of its own, such as Vimeo's.
    func uploadLocation(in response: HTTPResponse) -> String?
}

// MARK: - Default implementations

extension ResumableUpload {
    /// POST.
    public var method: HTTPMethod { .post }
    /// Guessed from the extension of the file's name.
    public var fileType: MIMEType { MIMEType(filename: file.lastPathComponent) }
    /// 25 MiB, which is a multiple of what each protocol needs.
    public var chunkSize: Int { 20 * UploadProtocol.commonMultiple }
    /// 256 KiB.
    public var minimumChunkSize: Int { 256 << 10 }
    /// None.
    public var uploadHosts: Set<String> { [] }
    /// Nil: the URL is where the protocol has it.
    public func uploadLocation(in response: HTTPResponse) -> String? { nil }
}

extension ResumableUpload {
    /// Whether ``uploadHosts`` names the host of a URL.
    func namesHost(of url: URL) -> Bool {
        guard let host = url.host?.lowercased() else { return false }
        return uploadHosts.contains { name in
            let name = name.lowercased()
            return name.hasPrefix(".") ? host.hasSuffix(name) : host == name
        }
    }
}
