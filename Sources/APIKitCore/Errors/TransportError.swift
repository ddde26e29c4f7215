import APIKitSupport

/// Why no complete response arrived. Thrown by engines and clients.
public struct TransportError: Error, Sendable {
    /// The kind of failure. Engines may add their own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No connection could be established.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The host's name has no address.
        public static let nameNotResolved = Code(rawValue: "nameNotResolved")
        /// The timeout or the deadline has passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The connection broke before the response was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// A proxy refused to connect to the server, for example because it wants other credentials. The message has
        /// the proxy's response.
        public static let proxyRefused = Code(rawValue: "proxyRefused")
        /// The TLS handshake failed, or the server's certificate is not trusted.
        public static let secureConnectionFailed = Code(rawValue: "secureConnectionFailed")
        /// The response is not valid HTTP.
        public static let badResponse = Code(rawValue: "badResponse")
        /// There were more redirects than ``RequestOptions/redirects`` allows.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// A redirect that must not be followed: from https to http, to something that is not http at all, or with a
        /// body to another origin although ``RequestOptions/sendsBodyAcrossOrigins`` is false.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The body is larger than ``RequestOptions/sizeLimit``.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The body of the request could not be read: a file is missing or has changed, or a stream failed or did not
        /// have its stated length.
        public static let requestBodyFailed = Code(rawValue: "requestBodyFailed")
        /// A file for the body of the request or the response could not be read, written or moved; the underlying
        /// error is the system's, such as a `POSIXError` with the code `ENOSPC` for a full volume.
        public static let fileFailed = Code(rawValue: "fileFailed")
        /// Another transfer, in this process or another one, uses the same file, such as a download to the same
        /// destination.
        public static let fileInUse = Code(rawValue: "fileInUse")
        /// The client does not support what the request asks for, or the server does not support what an upload needs.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A client failed with an error of its own, which is the underlying error.
        public static let other = Code(rawValue: "other")

        /// Failures that are often temporary, so that another attempt may succeed: `cannotConnect`, `nameNotResolved`,
        /// `timedOut` and `connectionLost`. ``TransportError/code(of:)`` finds the code of any error.
        public static let transient: Set<Code> = [.cannotConnect, .nameNotResolved, .timedOut, .connectionLost]
    }

    let content: ErrorContent

    /// The kind of failure.
    public var code: Code { Code(rawValue: content.code) }
    /// The details; nil if the code and the underlying error are enough.
    public var message: String? { content.message }
    /// The error that caused this one.
    public var underlying: (any Error)? { content.underlying }
    /// The method of the request that failed.
    public var method: HTTPMethod? { content.method }
    /// The URL of the request that failed; after a redirect, the URL of the last hop.
    public var url: URL? { content.url }

    init(_ content: ErrorContent) {
        self.content = content
    }

    /// Creates an error. The description masks what looks like a secret in the message.
    @inline(never)
    public init(
        _ code: Code,
        _ message: String? = nil,
        method: HTTPMethod? = nil,
        url: URL? = nil,
        underlying: (any Error)? = nil
    ) {
        self.init(ErrorContent(code.rawValue, message, method: method, url: url, underlying: underlying))
    }

    /// Returns the same error with a request's method and URL, unless it has its own.
    func withRequest(method: HTTPMethod?, url: URL?) -> TransportError {
        TransportError(content.withRequest(method: method, url: url))
    }
}

extension TransportError: CustomStringConvertible, LocalizedError {
    /// One line: method, URL with secrets masked, the code, and what happened; at most 1,000 bytes of each.
    public var description: String {
        var cause = message
        if cause == nil, let underlying { cause = ErrorText.whole(underlying) }
        let parts = [content.request, code.rawValue, content.shown(cause ?? "")].filter { !$0.isEmpty }
        return Masking.oneLine(parts.joined(separator: ": "))
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension TransportError.Code: CustomStringConvertible {
    /// The name of the code.
    public var description: String { rawValue }
}
