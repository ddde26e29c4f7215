/// Why no complete answer arrived. Thrown by engines, and by clients around them.
public struct TransportError: Error, Sendable {
    /// What kind of trouble it was. The set is open: an engine may add its own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code of the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No connection could be made.
        public static let cannotConnect = Code(rawValue: "cannotConnect")
        /// The host's name has no address.
        public static let nameNotResolved = Code(rawValue: "nameNotResolved")
        /// A limit of time was reached.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The connection broke before the answer was complete.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// TLS could not be agreed on, or the server's certificate is not trusted.
        public static let secureConnectionFailed = Code(rawValue: "secureConnectionFailed")
        /// What came back is not HTTP.
        public static let badResponse = Code(rawValue: "badResponse")
        /// A redirect more than ``RequestOptions/redirects`` allows.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// A redirect that must not be followed: from https to http, to something that is not http at all, or with a
        /// body to another origin although ``RequestOptions/sendsBodyAcrossOrigins`` is false.
        public static let redirectRefused = Code(rawValue: "redirectRefused")
        /// The body is larger than ``RequestOptions/sizeLimit``.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// The body of the request could not be read to its end: a file has gone or changed, or a stream failed or was
        /// not as long as it said.
        public static let requestBodyFailed = Code(rawValue: "requestBodyFailed")
        /// A file for the body of the request or the response could not be written; the underlying error says why.
        public static let fileFailed = Code(rawValue: "fileFailed")
        /// The client cannot do what the request asks for.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A client on the way failed in its own way; the underlying error says how.
        public static let other = Code(rawValue: "other")
    }

    /// What kind of trouble it was.
    public let code: Code
    /// What happened, in words; nil where the code and the underlying error say it all.
    public let message: String?
    /// The error behind this one.
    public let underlying: (any Error)?
    /// The method of the request that failed.
    public private(set) var method: HTTPMethod?
    /// The URL of the request that failed; after a redirect, the one it led to.
    public private(set) var url: URL?

    /// Makes an error. Its message should hold no secrets: what looks like one is masked in the description.
    public init(
        _ code: Code,
        _ message: String? = nil,
        method: HTTPMethod? = nil,
        url: URL? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.method = method
        self.url = url
        self.underlying = underlying
    }

    /// The same error with a request's method and URL, unless it has its own.
    func withRequest(method: HTTPMethod?, url: URL?) -> TransportError {
        var error = self
        error.method = self.method ?? method
        error.url = self.url ?? url
        return error
    }
}

extension TransportError: CustomStringConvertible, LocalizedError {
    /// One line: method, URL with secrets masked, the code, and what happened.
    public var description: String {
        let request = [method?.rawValue, url.map(Masking.url)].compactMap(\.self).joined(separator: " ")
        let cause = message.map(Masking.text) ?? underlying.map(ErrorText.of)
        return Masking.oneLine([request, code.rawValue, cause ?? ""].filter { !$0.isEmpty }.joined(separator: ": "))
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}

extension TransportError.Code: CustomStringConvertible {
    /// The name of the code.
    public var description: String { rawValue }
}
