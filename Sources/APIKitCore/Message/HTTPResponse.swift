/// A response as an engine delivers it. Any status is a response; the endpoint decides which ones are failures.
public struct HTTPResponse: Sendable {
    /// Status, headers and final URL.
    public var head: Head
    /// The body.
    public var body: ResponseBody
    /// Timestamps of each step, as far as the engine knows them.
    public var timing: HTTPResponse.Timing
    /// Whether the response comes from the network or from a cache.
    public var source: HTTPResponse.Source
    /// The method of the request, for descriptions; set when the response comes out of the clients.
    package var method: HTTPMethod?
    /// The credentials that were sent, for descriptions: the body may repeat them.
    package var credentials = SentCredentials()

    /// Creates a response.
    public init(
        head: Head,
        body: ResponseBody = ResponseBody(),
        timing: HTTPResponse.Timing = HTTPResponse.Timing(),
        source: HTTPResponse.Source = .network
    ) {
        self.head = head
        self.body = body
        self.timing = timing
        self.source = source
    }
}

extension HTTPResponse {
    /// The status, headers and URL of a response.
    public struct Head: Sendable, Hashable {
        /// The status code, such as 200 (RFC 9110, section 15).
        public var status: Int
        /// The headers.
        public var headers: HTTPHeaders
        /// The URL that sent the response: the request's, or the last redirect's.
        public var url: URL

        /// Creates a head.
        public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
            self.status = status
            self.headers = headers
            self.url = url
        }

        /// The type of the body, from `Content-Type`, which may be repeated with the same value.
        public var contentType: MIMEType? {
            guard let text = headers[.contentType] else { return nil }
            let fields = headers.values(for: .contentType)
            // Foundation joins the fields of one name.
            let types = Set(fields.count > 1 ? fields : text.listElements.map(String.init))
            return MIMEType(rawValue: types.count == 1 ? types.first ?? text : text)
        }
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// One line: method, URL with secrets masked, status and the first bytes of the body.
    public var description: String {
        let start = excerpt
        return masked("\(head.line(method: method))\(start.isEmpty ? "" : ": \(start)")")
    }

    /// The first bytes of the body as one line of text, with secrets masked.
    var excerpt: String { body.excerpt(hiding: credentials.values) }

    /// A text without the credentials that were sent.
    func masked(_ text: String) -> String { Masking.text(text, hiding: credentials.values) }
}

extension HTTPResponse.Head: CustomStringConvertible {
    /// The status, the URL and the headers, with secrets masked.
    public var description: String {
        headers.isEmpty ? line(method: nil) : "\(line(method: nil))\n\(headers)"
    }

    func line(method: HTTPMethod?) -> String {
        "\(method.map { "\($0) " } ?? "")\(Masking.bounded(Masking.url(url))): \(status)"
    }
}

extension HTTPResponse {
    /// Where a response comes from.
    public enum Source: Sendable, Hashable {
        /// The server sent it for this request.
        case network
        /// A cache had it and did not ask the server, or could not reach it.
        case cache
        /// A cache had it, and the server has confirmed with a 304 that it is still current.
        case revalidated
    }
}

/// The credentials that a request was sent with, which a description of its response does not show.
package struct SentCredentials: Sendable, CustomReflectable {
    package var values: [String] = []

    /// A mirror without children, so that `dump` does not show the values.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
