import APIKitSupport

/// A response as an engine delivers it. Any status is a response; the endpoint decides which ones are failures.
public struct HTTPResponse: Sendable, Equatable {
    /// Status, headers and final URL.
    public var head: Head
    /// The body.
    public var body: ResponseBody
    /// The times of each step, as far as the engine knows them.
    public var timing: HTTPResponse.Timing
    /// Whether the response comes from the network or from a cache.
    public var source: HTTPResponse.Source
    /// The request as clients have changed it; set by engines, stubs and `send`, nil otherwise. Streams of its body
    /// cannot be read.
    public var request: HTTPRequest?

    /// Creates a response.
    public init(
        head: Head,
        body: ResponseBody = ResponseBody(),
        timing: HTTPResponse.Timing = HTTPResponse.Timing(),
        source: HTTPResponse.Source = .network,
        request: HTTPRequest? = nil
    ) {
        self.head = head
        self.body = body
        self.timing = timing
        self.source = source
        self.request = request
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
        public var url: URL {
            get { lazyURL.url }
            set { lazyURL = .parsed(newValue) }
        }
        /// The URL, for code that needs only its text.
        package var lazyURL: LazyURL

        /// Creates a head.
        public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
            self.init(status: status, headers: headers, lazyURL: .parsed(url))
        }

        /// Creates a head with the URL of a request.
        package init(status: Int, headers: HTTPHeaders = [:], lazyURL: LazyURL) {
            self.status = status
            self.headers = headers
            self.lazyURL = lazyURL
        }

        /// The type of the body, from `Content-Type`, which may be repeated with the same value.
        public var contentType: MIMEType? {
            guard let text = headers[.contentType] else { return nil }
            var values = headers.values(for: .contentType)
            // A single field may be several, which Foundation has joined by commas.
            if values.count == 1 { values = text.listElements.map(String.init) }
            // Several types are one text, which equals no type that a reader expects.
            guard let type = values.first, values.allSatisfy({ $0 == type }) else { return MIMEType(rawValue: text) }
            return MIMEType(rawValue: type)
        }
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// One line: method, URL with secrets masked, status and the first bytes of the body.
    public var description: String { line(adding: "") }

    /// One line: method, URL and status, a note about these, and the first bytes of the body.
    func line(adding note: String) -> String {
        let line = head.line(method: request?.method) + note
        let excerpt = excerpt
        guard !excerpt.isEmpty else { return masked(line) }
        return masked("\(line): \(excerpt)")
    }

    /// For a response that refuses access, which credentials its request had, such as ` (sent with Authorization)`;
    /// empty for any other status, and if the request is not known.
    var credentialNote: String {
        let refusesAccess = head.status == 401 || head.status == 403
        guard refusesAccess, let request else { return "" }
        return " (sent \(request.credentialSummary))"
    }

    /// The first bytes of the body, with secrets masked; empty without bytes in memory.
    var excerpt: String { body.excerpt(hiding: secrets) }

    /// Returns the first bytes of the list element that an error is about, or else of the body, with secrets masked.
    func excerpt(for error: any Error) -> String {
        guard let path = (error as? DecodingError)?.pathOfListElement, let data = body.data,
            let element = JSONReader().bytes(at: path, in: data)
        else { return excerpt }
        // The excerpt of `tokens[2]` would be the value alone, and masking could not see that its name is a secret's.
        let isSecret = path.contains { SecretNames.contains($0.stringValue) }
        if isSecret { return Masking.mask }
        return Masking.excerpt(of: element, limit: ResponseBody.excerptLimit, onOneLine: true, hiding: secrets)
    }

    /// The same response without a stream or a file, to be kept in an error.
    var withoutStream: HTTPResponse {
        var response = self
        response.body = body.withoutStream
        return response
    }

    /// Returns the same response. If its body is a stream, a loop over the bytes throws an endpoint's errors.
    func reading(in context: ReadingContext) -> HTTPResponse {
        var response = self
        response.body = body.reading(in: context)
        return response
    }

    /// A text about the response, with secrets masked.
    func masked(_ text: String) -> String { Masking.masked(text, hiding: secrets) }

    /// The secrets of the request, which the response's body may repeat.
    private var secrets: [String] { request?.credentialValues ?? [] }
}

extension HTTPResponse: CustomReflectable {
    /// A mirror without the request, so that `dump` does not show its secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["head": head, "body": body, "timing": timing, "source": source])
    }
}

extension HTTPResponse.Head: CustomStringConvertible {
    /// The status, the URL and the headers, with secrets masked.
    public var description: String {
        headers.isEmpty ? line(method: nil) : "\(line(method: nil))\n\(headers)"
    }

    func line(method: HTTPMethod?) -> String {
        let line = "\(Masking.bounded(Masking.url(url))): \(status)"
        guard let method else { return line }
        return "\(method) \(line)"
    }
}

extension HTTPResponse {
    /// The source of a response.
    public struct Source: RawRepresentable, Hashable, Sendable {
        /// The name of the source.
        public let rawValue: String

        /// Creates a source with the given name, for a client that responds in a way of its own.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The server sent it for this request.
        public static let network = Source(rawValue: "network")
        /// A cache had it and did not ask the server, or could not reach it.
        public static let cache = Source(rawValue: "cache")
        /// A cache had it, and the server has confirmed with a 304 that it is still current.
        public static let revalidated = Source(rawValue: "revalidated")
    }
}

extension HTTPResponse {
    /// When each step of a request was done, and how long the steps to its connection took.
    ///
    /// Times are measured by the call's clock, from when the engine received the request. A value is nil if the step
    /// did not happen or the engine cannot observe it.
    ///
    /// Over `URLSession` on Apple's platforms, `sent` is when the request was handed to it or, with a body, when it had
    /// taken the last byte.
    public struct Timing: Sendable, Hashable {
        /// The time at which the request was sent.
        public var sent: Duration?
        /// The time at which the head of the response arrived.
        public var firstByte: Duration?
        /// The time at which the body was complete.
        public var finished: Duration?
        /// Whether an earlier request had opened the connection, so that no step to it was needed.
        public var isConnectionReused: Bool?
        /// The duration of the name lookup.
        public var nameLookup: Duration?
        /// The duration of opening the connection, after the lookup.
        public var connect: Duration?
        /// The duration of the TLS handshake.
        public var secureHandshake: Duration?

        /// Creates a timing from the steps that are known.
        public init(
            sent: Duration? = nil, firstByte: Duration? = nil, finished: Duration? = nil,
            isConnectionReused: Bool? = nil, nameLookup: Duration? = nil, connect: Duration? = nil,
            secureHandshake: Duration? = nil
        ) {
            self.sent = sent
            self.firstByte = firstByte
            self.finished = finished
            self.isConnectionReused = isConnectionReused
            self.nameLookup = nameLookup
            self.connect = connect
            self.secureHandshake = secureHandshake
        }
    }
}

extension HTTPResponse.Head {
    /// Returns the body length that this head announces if the request had the given method: 0 if there is no body, nil
    /// if no length is announced.
    ///
    /// A HEAD and a 304 announce the length of a body that does not come, and a 204 has none (RFC 9110, section 8.6). A
    /// `Transfer-Encoding` overrides a `Content-Length` (RFC 9112, section 6.3).
    ///
    /// - Throws: ``TransportError`` with the code `badResponse` for a `Content-Length` that is not one number.
    package func bodyLength(for method: HTTPMethod) throws(TransportError) -> Int? {
        let hasNoBody = method == .head || status == 204 || status == 304
        if hasNoBody { return 0 }
        guard let text = headers[.contentLength], headers[.transferEncoding] == nil else { return nil }
        if let length = text.wholeNumber { return length }
        // A list that repeats one length is valid; an empty element is not.
        let lengths = text.listElements(omittingEmpty: false)
        guard let first = lengths.first, lengths.allSatisfy({ $0 == first }), let length = first.wholeNumber else {
            throw TransportError(.badResponse, "invalid Content-Length")
        }
        return length
    }

    /// The content codings of the body, in the order in which they were applied (RFC 9110, section 8.4): lowercased,
    /// `x-gzip` as `gzip`, and without `identity`. Empty if the body is not encoded.
    ///
    /// Engines that decode bodies themselves read them from here.
    public var contentCodings: [String] {
        guard let text = headers[.contentEncoding] else { return [] }
        return text.listElements.compactMap { element in
            let coding = element.lowercased()
            switch coding {
            case "", "identity": return nil
            case "x-gzip": return "gzip"
            default: return coding
            }
        }
    }
}
