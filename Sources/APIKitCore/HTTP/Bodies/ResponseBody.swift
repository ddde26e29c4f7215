import APIKitSupport

/// The body of a response, in the form in which it was delivered.
///
/// A typed answer of a `StubClient` is a body too: one that holds the model instead of bytes. Its ``data`` and ``file``
/// are nil, and reading its ``bytes`` throws ``TransportError`` with the code `unsupported`. A client that creates a
/// new response with the same body passes the model on.
///
/// Two bodies are equal if their bytes in memory and their trailers are, or if they are the same stream or file.
public struct ResponseBody: Sendable, Equatable {
    private enum Content: Sendable, Equatable {
        case data(Data)
        /// The beginning of a body whose rest was not received.
        case beginning(Data)
        case stream(ByteStream)
        case file(OwnedFile)
        /// No bytes, since a stream or a file was released.
        case released
        /// A model or an error instead of bytes.
        case typedAnswer(TypedAnswer)
    }

    /// The parts of a body, which its copies share, since each client and each function that waits copies the response.
    private final class Storage: Sendable {
        let content: Content
        /// The trailers of data or a file; nil for a stream, which keeps its own.
        let trailers: Trailers?

        /// Stores the parts.
        init(_ content: Content, _ trailers: Trailers?) {
            self.content = content
            self.trailers = trailers
        }
    }

    private let storage: Storage
    /// See ``keptModels``.
    ///
    /// Its type is not `KeptModels?`, because Swift 6.3.1 then crashes while it compiles
    /// `catch APIError<E>.rejected(let error?, let response)` in some functions.
    private let anyKeptModels: (any Sendable)?

    private init(_ content: Content, trailers: HTTPHeaders = [:], keptModels: KeptModels? = nil) {
        storage = Storage(content, trailers.isEmpty ? nil : Trailers(trailers))
        anyKeptModels = keptModels
    }

    private var content: Content { storage.content }
    private var ownTrailers: Trailers? { storage.trailers }
    /// The models that were read from the bytes, if a cache keeps them.
    package var keptModels: KeptModels? { anyKeptModels as? KeptModels }

    /// Creates a body that is delivered as data, empty by default.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - trailers: The trailer fields that follow them.
    public init(_ data: Data = Data(), trailers: HTTPHeaders = [:]) {
        self.init(.data(data), trailers: trailers)
    }

    /// Creates a body of which only the beginning was kept.
    init(beginning data: Data) {
        self.init(.beginning(data))
    }

    /// Whether only the beginning of the body was received, at most 64 KiB, since the rest was not needed: a client was
    /// going to replace the response (``Call/replacing(if:)``), or the response is a redirect.
    ///
    /// A cache must not store it. If an endpoint accepts such a response, `send` throws ``APIError/unreadable(_:_:)``
    /// with the code ``ContentError/Code/incompleteBody``.
    public var isBeginning: Bool {
        if case .beginning = content { true } else { false }
    }

    /// Creates a body that is delivered as a stream.
    public init(_ stream: ByteStream) {
        self.init(.stream(stream))
    }

    /// Creates a body that is delivered as a file, which is removed with the last copy of the body.
    ///
    /// - Parameter file: A complete file that nobody else needs.
    public init(removing file: URL) {
        self.init(OwnedFile(file))
    }

    /// Creates a body that is delivered as a file.
    package init(_ file: OwnedFile, trailers: HTTPHeaders = [:]) {
        self.init(.file(file), trailers: trailers)
    }

    /// The file of a body that was delivered as one, which is removed with the last reference; nil otherwise.
    var ownedFile: OwnedFile? {
        if case .file(let file) = content { file } else { nil }
    }

    /// Creates the body of a stub's typed answer.
    package init(_ answer: TypedAnswer) {
        self.init(.typedAnswer(answer))
    }

    /// The stub's answer that this body holds instead of bytes; nil for any other body.
    package var typedAnswer: TypedAnswer? {
        if case .typedAnswer(let answer) = content { answer } else { nil }
    }

    /// Returns the same body, which also keeps the models that are read from its bytes.
    package func keepingModels() -> ResponseBody {
        ResponseBody(content, trailers: trailers, keptModels: KeptModels())
    }

    /// Returns the same body. If it is a stream, a loop over its bytes throws an endpoint's errors.
    func reading(in context: ReadingContext) -> ResponseBody {
        guard case .stream(let stream) = content else { return self }
        return ResponseBody(stream.failing(in: context))
    }

    /// The bytes of a body that was delivered as data, nil otherwise.
    public var data: Data? {
        switch content {
        case .data(let data), .beginning(let data): data
        case .stream, .file, .released, .typedAnswer: nil
        }
    }

    /// The ``data`` as UTF-8, in which invalid bytes become U+FFFD.
    public var text: String? { data?.utf8Text }

    /// The file of a body that was delivered as one, nil otherwise. It is removed with the last copy of the body.
    public var file: URL? { ownedFile?.url }

    /// The bytes piece by piece, however they were delivered.
    public var bytes: ByteStream {
        switch content {
        case .data(let data), .beginning(let data): ByteStream([data]).followed(by: ownTrailers)
        case .stream(let stream):
            stream
        case .file(let file):
            ByteStream(pieces: [.file(file.url, size: nil, keeping: file)]).followed(by: ownTrailers)
        case .released:
            ByteStream([])
        case .typedAnswer:
            // Reading the bytes of a typed answer is a mistake, unlike those of a stream that was released.
            ByteStream(reading: {
                ByteStream.Iterator {
                    let problem = "a typed answer of a stub has no bytes: answer with a canned response"
                    throw TransportError(.unsupported, problem)
                }
            })
        }
    }

    /// The fields that the server sent after the body, such as a checksum of it (RFC 9110, section 6.5); empty if it
    /// sent none. Read a stream to its end first: until then, they may not have arrived. Some servers send them only to
    /// requests with the header `TE: trailers`.
    ///
    /// Trailers never become headers, and fields that have a meaning only there, such as `Content-Length` and
    /// `Set-Cookie`, are dropped. `URLSession` on Apple's platforms reports no trailers, and a recording keeps none;
    /// <doc:Streaming> says where libcurl drops them.
    public var trailers: HTTPHeaders {
        if case .stream(let stream) = content { stream.trailers } else { ownTrailers?.fields ?? [:] }
    }

    /// Whether the body is a stream, whose bytes arrive while it is read.
    public var isStream: Bool {
        if case .stream = content { true } else { false }
    }

    /// All of the bytes. A body that was not delivered as data may have at most 64 MiB, the default size limit of data.
    ///
    /// Not inlined, since the function that calls this is compiled for each response type.
    var wholeData: Data {
        @inline(never)
        get async throws {
            if let data { return data }
            return try await bytes.data(upTo: 64 << 20)
        }
    }

    /// The body without what must be released: bytes in memory are kept, a stream or a file is not.
    ///
    /// For errors and logs, and for a client that lets go of a response before it sends the request again: its transfer
    /// ends, and so does its place in a limited client.
    public var withoutStream: ResponseBody {
        data == nil ? .released : self
    }

    private static let released = ResponseBody(.released)

    /// Whether two bodies have the same bytes, or are the same stream or file.
    public static func == (left: ResponseBody, right: ResponseBody) -> Bool {
        left.content == right.content && left.ownTrailers?.fields == right.ownTrailers?.fields
    }

    /// Returns the first bytes as one line of text, with secrets and some values masked; the number of bytes if they
    /// are not text.
    func excerpt(hiding values: [String] = []) -> String {
        guard let data, !data.isEmpty else { return "" }
        return Masking.excerpt(of: data, limit: Self.excerptLimit, onOneLine: true, hiding: values)
    }

    /// The length of an excerpt in an error, in characters.
    package static let excerptLimit = 200
}

extension ResponseBody: CustomStringConvertible {
    /// The first bytes, with secrets masked.
    public var description: String { excerpt() }
}

extension ResponseBody {
    /// The form in which the body of a response is delivered.
    ///
    /// An engine honors it if the endpoint accepts the status; any other body is delivered as data, so that a failure
    /// can be read.
    public enum Delivery: Sendable, Hashable {
        /// Whole and in memory, within ``RequestOptions/sizeLimit``.
        case data
        /// As a ``ByteStream`` as soon as the head has arrived; ``RequestOptions/sizeLimit`` bounds the unread bytes.
        case stream
        /// Whole and in a temporary file, of any size.
        case file
    }
}
