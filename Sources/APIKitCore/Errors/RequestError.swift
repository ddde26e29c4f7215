import APIKitSupport

/// Why a request could not be created. Nothing was sent.
public struct RequestError: Error, Sendable {
    /// The kind of problem with a request.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The base URL is not an absolute http or https URL, or contains user information, a fragment, a dot segment
        /// or an invalid port.
        public static let baseURL = Code(rawValue: "baseURL")
        /// The URL that a request has been given by hand or by a client is not valid.
        public static let url = Code(rawValue: "url")
        /// The path contains a `?` or `#`, an empty value, a `.` or `..` segment, or a value that a path cannot hold,
        /// or is an absolute URL.
        public static let path = Code(rawValue: "path")
        /// A ``LinkedRequest/requestLink``, such as that of a page, leads to another origin than the base URL, leads
        /// out of the base URLs of the client's credential, or is not a valid URL.
        public static let link = Code(rawValue: "link")
        /// The request for the next page of a list equals one that was sent before.
        public static let repeatedPage = Code(rawValue: "repeatedPage")
        /// A parameter cannot be encoded.
        public static let parameters = Code(rawValue: "parameters")
        /// The method is not a token.
        public static let method = Code(rawValue: "method")
        /// A header's name or value is invalid, or the header is set by the engine.
        public static let header = Code(rawValue: "header")
        /// The body could not be created, or the method does not allow one.
        public static let body = Code(rawValue: "body")
    }

    private let content: ErrorContent

    /// The kind of problem.
    public var code: Code { Code(rawValue: content.code) }
    /// The problem, and what to do instead.
    public var message: String { content.message ?? "" }
    /// The request's method, if it is known.
    public var method: HTTPMethod? { content.method }
    /// The request's URL, as far as it is known.
    public var url: URL? { content.url }

    private init(_ content: ErrorContent) {
        self.content = content
    }

    /// Creates an error, for example in a client that refuses a request.
    @inline(never)
    public init(_ code: Code, _ message: String, method: HTTPMethod? = nil, url: URL? = nil) {
        self.init(ErrorContent(code.rawValue, message, method: method, url: url))
    }

    /// Returns the same error with a request's method and URL, unless it has its own.
    func withRequest(method: HTTPMethod, url: URL?) -> RequestError {
        RequestError(content.withRequest(method: method, url: url))
    }

    /// Returns the same error with the known parts of an endpoint's request.
    ///
    /// - Parameters:
    ///   - endpoint: The name of the endpoint's type.
    ///   - method: The endpoint's method.
    ///   - url: The URL, as far as it is known.
    ///   - secrets: Values of the path that are not shown.
    /// - Returns: The error.
    func withEndpoint(_ endpoint: String, method: HTTPMethod, url: URL?, secrets: [String]) -> RequestError {
        let error = RequestError(code, Masking.masked(message, hiding: secrets), method: self.method, url: self.url)
        let content = error.content.withRequest(method: method, url: url, endpoint: endpoint, secrets: secrets)
        return RequestError(content)
    }
}

extension RequestError: Hashable {
    /// Whether two errors say the same.
    public static func == (left: RequestError, right: RequestError) -> Bool {
        left.code == right.code && left.message == right.message && left.method == right.method
            && left.url == right.url
    }

    /// Hashes the code and the message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}

extension RequestError: CustomStringConvertible, LocalizedError {
    /// One line: method, URL with secrets masked, the endpoint's type, and what is wrong; at most 1,000 bytes of each.
    public var description: String {
        var request = content.request
        if request.isEmpty { request = "request" }
        return Masking.oneLine("\(request) was not sent: \(content.shown(message))")
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
