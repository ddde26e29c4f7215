extension HTTPHeaders {
    /// A header's name: `.accept` or a literal such as `"X-Request-Id"`. It ignores case (RFC 9110, section 5.1).
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The name as it was written.
        public let rawValue: String

        /// Creates a name with the given spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Whether two names are equal, ignoring case.
        public static func == (left: Name, right: Name) -> Bool {
            left.rawValue.equalsIgnoringASCIICase(right.rawValue)
        }

        /// Hashes the name, ignoring case.
        public func hash(into hasher: inout Hasher) {
            for byte in rawValue.utf8 {
                hasher.combine(byte.lowercasedASCII)
            }
        }
    }
}

extension HTTPHeaders.Name: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a name with the given spelling.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The name as it was written.
    public var description: String { rawValue }
}

extension HTTPHeaders.Name {
    /// The media types that a client accepts (RFC 9110, section 12.5.1).
    public static let accept: Self = "Accept"
    /// The content codings that a client accepts (RFC 9110, section 12.5.3).
    public static let acceptEncoding: Self = "Accept-Encoding"
    /// The languages that a client prefers (RFC 9110, section 12.5.4).
    public static let acceptLanguage: Self = "Accept-Language"
    /// The seconds since a server created or confirmed a cached response (RFC 9111, section 5.1).
    public static let age: Self = "Age"
    /// Credentials (RFC 9110, section 11.6.2).
    public static let authorization: Self = "Authorization"
    /// Instructions for caches (RFC 9111, section 5.2).
    public static let cacheControl: Self = "Cache-Control"
    /// The language of a body (RFC 9110, section 8.5).
    public static let contentLanguage: Self = "Content-Language"
    /// The length of a body in bytes (RFC 9110, section 8.6); set by the engine.
    public static let contentLength: Self = "Content-Length"
    /// The coding of a body (RFC 9110, section 8.4).
    public static let contentEncoding: Self = "Content-Encoding"
    /// Which part of a resource a body is (RFC 9110, section 14.4).
    public static let contentRange: Self = "Content-Range"
    /// The media type of a body (RFC 9110, section 8.3).
    public static let contentType: Self = "Content-Type"
    /// Cookies that a client sends back (RFC 6265, section 4.2).
    public static let cookie: Self = "Cookie"
    /// When a message was created (RFC 9110, section 6.6.1).
    public static let date: Self = "Date"
    /// The version of a resource (RFC 9110, section 8.8.3).
    public static let eTag: Self = "ETag"
    /// When a response becomes stale (RFC 9111, section 5.3).
    public static let expires: Self = "Expires"
    /// The server's name and port (RFC 9110, section 7.2); set by the engine.
    public static let host: Self = "Host"
    /// Lets a server recognize a POST or PATCH that is sent again (draft-ietf-httpapi-idempotency-key-header).
    public static let idempotencyKey: Self = "Idempotency-Key"
    /// Makes a request conditional on a version (RFC 9110, section 13.1.1).
    public static let ifMatch: Self = "If-Match"
    /// Makes a request conditional on a time (RFC 9110, section 13.1.3).
    public static let ifModifiedSince: Self = "If-Modified-Since"
    /// Makes a request conditional on a version's absence (RFC 9110, section 13.1.2).
    public static let ifNoneMatch: Self = "If-None-Match"
    /// The version that a range is requested of (RFC 9110, section 13.1.5).
    public static let ifRange: Self = "If-Range"
    /// When a resource was last modified (RFC 9110, section 8.8.2).
    public static let lastModified: Self = "Last-Modified"
    /// The last event that a client has received of an event stream (WHATWG HTML, section 9.2.4).
    public static let lastEventID: Self = "Last-Event-ID"
    /// Links to other resources (RFC 8288).
    public static let link: Self = "Link"
    /// Where a redirect leads, or where a new resource is (RFC 9110, section 10.2.2).
    public static let location: Self = "Location"
    /// Credentials for a proxy (RFC 9110, section 11.7.2).
    public static let proxyAuthorization: Self = "Proxy-Authorization"
    /// The part of a resource that is requested (RFC 9110, section 14.2).
    public static let range: Self = "Range"
    /// When to retry (RFC 9110, section 10.2.3).
    public static let retryAfter: Self = "Retry-After"
    /// A cookie that a server sets (RFC 6265, section 4.1); never joined with another.
    public static let setCookie: Self = "Set-Cookie"
    /// How a message is framed (RFC 9112, section 6.1); set by the engine.
    public static let transferEncoding: Self = "Transfer-Encoding"
    /// The program that sends a request (RFC 9110, section 10.1.5).
    public static let userAgent: Self = "User-Agent"
    /// The request headers that a response depends on (RFC 9110, section 12.5.5).
    public static let vary: Self = "Vary"
    /// How to authenticate (RFC 9110, section 11.6.1).
    public static let wwwAuthenticate: Self = "WWW-Authenticate"
}
