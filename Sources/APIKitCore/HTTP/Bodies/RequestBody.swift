import APIKitSupport

/// The body of a request and its type. It can be sent again, byte for byte, after a redirect or a lost connection.
///
/// Most endpoints declare no body, since their ``APIRequest/parameters`` become one. A value that cannot be encoded is
/// a ``RequestError``, thrown by ``APIRequest/httpRequest()``.
public struct RequestBody: Sendable, Equatable {
    /// The type, which becomes the `Content-Type` unless the request's own headers name one; nil sends
    /// `application/octet-stream`, the type that a receiver may assume anyway (RFC 9110, section 8.3).
    public let contentType: MIMEType?
    let content: Content

    enum Content: Sendable, Equatable {
        case data(Data)
        /// A file; its size is known once the body is prepared.
        case file(URL, size: Int?)
        indirect case fileRange(FileRange)
        indirect case stream(StreamSource)
        /// A form, which is encoded piece by piece as it is sent, so that its files are not copied in memory.
        indirect case multipart(MultipartForm)
        indirect case failure(RequestError)
    }

    /// The bytes if they are in memory; nil for a file, a range of a file, a stream, a form with one of these, and a
    /// body that could not be created.
    public var data: Data? {
        switch content {
        case .data(let data): return data
        case .multipart(let form):
            guard let form = try? form.prepared() else { return nil }
            return Self.joined(form.pieces)
        case .file, .fileRange, .stream, .failure: return nil
        }
    }

    /// The URL of a body that is a whole file; nil otherwise, also for a range of a file.
    public var file: URL? {
        if case .file(let url, _) = content { url } else { nil }
    }

    /// The number of bytes, sent as `Content-Length` (RFC 9110, section 8.6); nil for a stream of unknown length and
    /// for a body that cannot be read. A range of a file has its length even if the file is missing.
    public var length: Int? {
        switch content {
        case .data(let data): return data.count
        case .file(let url, let size): return size ?? (try? OpenFile.size(of: url))
        case .fileRange(let range): return range.bytes.count
        case .stream(let source):
            // A negative length is an error of `validate`.
            guard let length = source.length, length >= 0 else { return nil }
            return length
        case .multipart(let form):
            guard let form = try? form.prepared() else { return nil }
            return BodyReader.length(of: form.pieces)
        case .failure: return nil
        }
    }

    /// The bytes of any kind of body, piece by piece, as an engine that streams sends them. They can be read any number
    /// of times.
    ///
    /// Reading throws ``TransportError`` with the code `requestBodyFailed` if a file or stream cannot be read or does
    /// not have the length that was announced.
    public var bytes: ByteStream { ByteStream(pieces: pieces) }

    /// What an engine reads one after another to send the body.
    var pieces: [BodyReader.Piece] {
        switch content {
        case .data(let data): [.data(data)]
        case .file(let url, let size): [.file(url, size: size)]
        case .fileRange(let range): [.fileRange(range)]
        case .stream(let source): [.stream(source)]
        case .multipart(let form): form.pieces
        case .failure: []
        }
    }

    /// Returns the bytes of pieces that are all in memory, nil otherwise.
    private static func joined(_ pieces: [BodyReader.Piece]) -> Data? {
        var parts: [Data] = []
        for piece in pieces {
            guard case .data(let data) = piece else { return nil }
            parts.append(data)
        }
        var result = Data()
        result.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for part in parts { result.append(part) }
        return result
    }

    /// Whether the type contains a boundary, so that headers must not override it.
    var isMultipart: Bool { form != nil }

    /// The form of a multipart body, nil otherwise.
    package var form: MultipartForm? {
        if case .multipart(let form) = content { form } else { nil }
    }

    /// The same body for a record of the request. It equals this body, but does not keep the closures of streams, so
    /// that its streams cannot be read.
    package var withoutStreams: RequestBody {
        switch content {
        case .data, .file, .fileRange, .failure: self
        case .stream(let source): RequestBody(contentType: contentType, content: .stream(source.withoutClosure))
        case .multipart(let form): RequestBody(contentType: contentType, content: .multipart(form.withoutStreams))
        }
    }

    /// Whether ``withoutStreams`` may remove something.
    var mayHaveStreams: Bool {
        switch content {
        case .data, .file, .fileRange, .failure: false
        case .stream, .multipart: true
        }
    }

    /// Returns the body as it can be sent: checked, and with the sizes of its files, so that each file is opened once,
    /// when it is sent.
    ///
    /// - Throws: ``RequestError`` if the bytes could not be created, or a file cannot be read or is shorter than its
    ///   range needs.
    package func prepared() throws(RequestError) -> RequestBody {
        switch content {
        case .data: return self
        case .file(let url, _):
            return RequestBody(contentType: contentType, content: .file(url, size: try Self.size(of: url)))
        case .fileRange(let range):
            let problem = range.problem(inFileOfSize: try Self.size(of: range.url))
            if let problem { throw RequestError(.body, problem) }
            return self
        case .stream: return self
        case .multipart(let form):
            return RequestBody(contentType: contentType, content: .multipart(try form.prepared()))
        case .failure(let error): throw error
        }
    }

    /// Returns the size of a file that can be read.
    private static func size(of file: URL) throws(RequestError) -> Int {
        do throws(TransportError) {
            return try OpenFile.size(of: file)
        } catch {
            throw RequestError(.body, error.message ?? error.description)
        }
    }

    /// Whether the body may have files whose sizes ``prepared()`` reads.
    var isUnmeasured: Bool {
        switch content {
        case .data, .stream, .failure: false
        case .file, .fileRange, .multipart: true
        }
    }

    /// Checks everything that needs no access to files.
    func validate() throws(RequestError) {
        switch content {
        case .data: break
        case .file(let url, _): try Self.validateFileURL(url)
        case .fileRange(let range): try Self.validateFileURL(range.url)
        case .stream(let source):
            if let length = source.length, length < 0 { throw RequestError(.body, "the length \(length) is negative") }
        case .multipart(let form): try form.validate()
        case .failure(let error): throw error
        }
    }

    private static func validateFileURL(_ url: URL) throws(RequestError) {
        if !url.isFileURL { throw RequestError(.body, "\(Masking.url(url)) is not the URL of a file") }
    }

    init(contentType: MIMEType?, content: Content) {
        self.contentType = contentType
        self.content = content
    }

    /// Creates a body of data. If `make` throws an error, validating the body throws it.
    init(contentType: MIMEType, _ make: () throws(RequestError) -> Data) {
        self.contentType = contentType
        do throws(RequestError) {
            content = .data(try make())
        } catch {
            content = .failure(error)
        }
    }

    /// A form with files, `multipart/form-data` (RFC 7578).
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(contentType: form.contentType, content: .multipart(form))
    }

    /// Bytes, sent as they are.
    public static func data(_ data: Data, contentType: MIMEType?) -> RequestBody {
        RequestBody(contentType: contentType, content: .data(data))
    }

    /// Text in UTF-8, by default of the type `text/plain`.
    public static func text(_ text: String, contentType: MIMEType = .plainText) -> RequestBody {
        data(text.utf8Data, contentType: contentType)
    }

    /// A file of any size, which is not read into memory. By default its type is guessed from the extension of its
    /// name.
    ///
    /// The file must not change until the request has ended.
    public static func file(_ url: URL, contentType: MIMEType? = nil) -> RequestBody {
        let contentType = contentType ?? MIMEType(filename: url.lastPathComponent)
        return RequestBody(contentType: contentType, content: .file(url, size: nil))
    }

    /// A range of a file's bytes, such as one chunk of a large upload, which is not read into memory. By default its
    /// type is guessed from the extension of the file's name.
    ///
    /// ```swift
    /// .file(film, range: 0..<8_388_608, contentType: .octetStream)
    /// ```
    ///
    /// The file must not change until the request has ended. An empty range is an empty body. Over `URLSession` on
    /// Apple's platforms, the bytes are first written to a temporary file, since it sends only whole files.
    ///
    /// - Parameters:
    ///   - url: The URL of the file. Validating the request throws a ``RequestError`` if it is not the URL of a file
    ///     that can be read.
    ///   - range: The offsets of the bytes, from 0. Validating the request throws a ``RequestError`` if the range
    ///     begins below 0 or if the file has fewer than `range.upperBound` bytes.
    ///   - contentType: The type of the bytes.
    /// - Returns: The body.
    public static func file(_ url: URL, range: Range<Int>, contentType: MIMEType? = nil) -> RequestBody {
        fileRange(url, range, version: nil, contentType: contentType)
    }

    /// A range of the bytes of a file that must have a certain version while it is sent.
    ///
    /// Each piece is checked before it is sent. If the file has changed, reading throws ``TransportError`` with the
    /// code `requestBodyFailed`, and none of the piece is sent.
    package static func file(
        _ url: URL, range: Range<Int>, version: FileVersion, contentType: MIMEType?
    ) -> RequestBody {
        fileRange(url, range, version: version, contentType: contentType)
    }

    private static func fileRange(
        _ url: URL, _ range: Range<Int>, version: FileVersion?, contentType: MIMEType?
    ) -> RequestBody {
        let contentType = contentType ?? MIMEType(filename: url.lastPathComponent)
        guard range.lowerBound >= 0 else {
            let error = RequestError(.body, "the range of a file begins at \(range.lowerBound), which is below 0")
            return RequestBody(contentType: contentType, content: .failure(error))
        }
        let fileRange = FileRange(url: url, bytes: range, version: version)
        return RequestBody(contentType: contentType, content: .fileRange(fileRange))
    }

    /// Bytes that come piece by piece from a sequence. The closure that opens the sequence is called each time the
    /// request is sent.
    ///
    /// ```swift
    /// .stream(length: nil, contentType: "text/csv") { rows.map { Data("\($0)\n".utf8) } }
    /// ```
    ///
    /// Over `URLSession` on Apple's platforms, the bytes are first written to a temporary file, since it sends no
    /// length otherwise. A sequence that ignores the cancellation of its task delays timeouts and cancels.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, nil if it is unknown. More or fewer bytes are an error.
    ///   - contentType: The type of the bytes.
    ///   - open: Opens the bytes. An error of it or its sequence becomes the underlying error of a ``TransportError``
    ///     with the code `requestBodyFailed`.
    /// - Returns: The body.
    public static func stream<Bytes: AsyncSequence & Sendable>(
        length: Int?,
        contentType: MIMEType?,
        _ open: @escaping @Sendable () async throws -> Bytes
    ) -> RequestBody where Bytes.Element == Data {
        let source = StreamSource(length: length) { ByteStream(try await open()) }
        return RequestBody(contentType: contentType, content: .stream(source))
    }
}

extension HTTPHeaders {
    /// Adds the type of a body unless there is one already. The type of a multipart body always wins, since it holds
    /// the boundary.
    package mutating func addContentType(of body: RequestBody) {
        guard lackContentType(of: body) else { return }
        let type = body.contentType ?? .octetStream
        self[.contentType] = type.rawValue
    }

    /// Whether ``addContentType(of:)`` changes these headers.
    func lackContentType(of body: RequestBody) -> Bool {
        if body.isMultipart { return self[.contentType] != body.contentType?.rawValue }
        return !contains { $0.name == .contentType }
    }
}

extension RequestBody: CustomStringConvertible {
    /// The first 2,000 characters, with secrets masked; the number of bytes if they are not text. A file or a stream is
    /// not read: only its path, range or length is shown.
    public var description: String {
        switch content {
        case .data(let data): Masking.excerpt(of: data, limit: 2_000, onOneLine: false)
        case .file(let url, _):
            if let length { "(the file \(url.path), \(length) bytes)" } else { "(the file \(url.path))" }
        case .fileRange(let range): range.description
        case .stream:
            if let length { "(a stream of \(length) bytes)" } else { "(a stream)" }
        case .multipart(let form): form.description
        case .failure(let error): "(\(error.message))"
        }
    }
}
