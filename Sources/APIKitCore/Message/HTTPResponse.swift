/// A response as an engine delivers it. Any status is a response: whether it is a failure is for the endpoint to say.
public struct HTTPResponse: Sendable {
    /// Status, headers and final URL.
    public var head: Head
    /// The body.
    public var body: ResponseBody
    /// When what happened, as far as the engine can tell.
    public var timing: HTTPResponse.Timing
    /// The method of the request, for the lines of errors; nil before `reply` has seen the response.
    var method: HTTPMethod?

    /// Makes a response of its parts.
    public init(head: Head, body: ResponseBody = ResponseBody(), timing: HTTPResponse.Timing = HTTPResponse.Timing()) {
        self.head = head
        self.body = body
        self.timing = timing
    }
}

extension HTTPResponse {
    /// What stands before the body of a response.
    public struct Head: Sendable, Hashable {
        /// The status code, such as 200 (RFC 9110, section 15).
        public var status: Int
        /// The headers.
        public var headers: HTTPHeaders
        /// Where the response came from: the request's URL, or the last redirect's.
        public var url: URL

        /// Makes a head of its parts.
        public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
            self.status = status
            self.headers = headers
            self.url = url
        }

        /// The type of the body, from `Content-Type`.
        public var contentType: MIMEType? {
            headers[.contentType].map(MIMEType.init(rawValue:))
        }
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// One line: method, URL with secrets masked, status and the first bytes of the body.
    public var description: String {
        let start = body.excerpt
        return "\(head.line(method: method))\(start.isEmpty ? "" : ": \(start)")"
    }
}

extension HTTPResponse.Head: CustomStringConvertible {
    /// Status and URL, and the headers with secrets masked.
    public var description: String {
        headers.isEmpty ? line(method: nil) : "\(line(method: nil))\n\(headers)"
    }

    func line(method: HTTPMethod?) -> String {
        "\(method.map { "\($0) " } ?? "")\(Masking.url(url)): \(status)"
    }
}
