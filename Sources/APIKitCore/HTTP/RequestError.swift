/// Why a request could not be made. Nothing was sent.
public struct RequestError: Error, Sendable, Hashable {
    /// What is wrong with a request.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code of the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The base URL is not an absolute http or https URL, holds user information, a fragment or a dot segment, or
        /// its port is not one; or the URL of a request that was made by hand has no valid port.
        public static let baseURL = Code(rawValue: "baseURL")
        /// The path holds a `?` or `#`, an empty value, or a segment that reads `.` or `..`, or is an absolute URL.
        public static let path = Code(rawValue: "path")
        /// A parameter cannot be written where it belongs.
        public static let parameters = Code(rawValue: "parameters")
        /// The method is not a token.
        public static let method = Code(rawValue: "method")
        /// A header's name or value cannot stand on the wire, or the header is the engine's.
        public static let header = Code(rawValue: "header")
        /// The body could not be made, or the method has none.
        public static let body = Code(rawValue: "body")
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong, in words, and what to write instead.
    public let message: String
    /// The request's method, where it is known.
    public private(set) var method: HTTPMethod?
    /// The request's URL, as far as it was made.
    public private(set) var url: URL?

    /// Makes an error of a code and a message; clients that refuse a request throw it too.
    public init(_ code: Code, _ message: String, method: HTTPMethod? = nil, url: URL? = nil) {
        self.code = code
        self.message = message
        self.method = method
        self.url = url
    }

    /// The same error with a request's method and URL, unless it has its own.
    func withRequest(method: HTTPMethod, url: URL?) -> RequestError {
        var error = self
        error.method = self.method ?? method
        error.url = self.url ?? url
        return error
    }
}

extension RequestError: CustomStringConvertible, LocalizedError {
    /// One line: method, URL with secrets masked, and what is wrong.
    public var description: String {
        let request = [method?.rawValue, url.map(Masking.url)].compactMap(\.self).joined(separator: " ")
        return Masking.oneLine("\(request.isEmpty ? "request" : request) was not sent: \(Masking.text(message))")
    }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
