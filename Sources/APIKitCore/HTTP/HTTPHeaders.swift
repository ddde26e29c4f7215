import APIKitSupport

/// The headers of a request or a response, in order. Names ignore case, and may repeat.
///
/// ```swift
/// var headers: HTTPHeaders {
///     [.accept: "text/csv", "X-Version": 3, .ifModifiedSince: lastSync, "X-Ids": ids]
/// }
/// ```
///
/// Values are text, numbers, Bools, dates and lists; ``append(_:for:)`` says how they are written. A nil value omits
/// its header. Names must be tokens, values must not contain control characters other than tabs (RFC
/// 9110, sections 5.1 and 5.5), and `Content-Length` and `Transfer-Encoding` are set by the engine: otherwise
/// ``APIRequest/httpRequest()`` throws a ``RequestError``.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The header's name.
        public var name: Name
        /// The header's value, as it is sent.
        public var value: String {
            didSet { problem = nil }
        }
        /// The error of a value that cannot be sent; nil for any other.
        fileprivate private(set) var problem: RequestError?

        /// Creates a header.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }

        /// Creates a header whose value cannot be sent. The request fails with the error.
        init(name: Name, problem: RequestError) {
            self.name = name
            value = ""
            self.problem = problem
        }

        /// Whether two headers have the same name and value.
        public static func == (left: Field, right: Field) -> Bool {
            left.name == right.name && left.value == right.value && left.problem?.message == right.problem?.message
        }

        /// Hashes the name and the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    private var fields: [Field] = []

    /// Creates an empty list of headers.
    public init() {}

    /// Creates headers from fields, in their order.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The value of a header, nil if it is missing; repeated values are joined by `", "` (RFC 9110, section 5.3), and
    /// values of `Cookie` by `"; "` (RFC 6265, section 4.2.1).
    ///
    /// `Set-Cookie` cannot be joined: this returns the first value, ``values(for:)`` all of them. Setting a value
    /// replaces the first header of that name and removes the others; setting nil removes all.
    public subscript(name: Name) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            let isRepeated = fields[(first + 1)...].contains { $0.name == name }
            guard isRepeated, name != .setCookie else { return fields[first].value }
            let separator = name == .cookie ? "; " : ", "
            return values(for: name).joined(separator: separator)
        }
        set {
            guard let first = fields.firstIndex(where: { $0.name == name }) else {
                if let newValue { append(newValue, for: name) }
                return
            }
            // The first header keeps its position and the spelling of its name.
            var replaced = fields[first]
            removeAll { $0.name == name }
            guard let newValue else { return }
            replaced.value = newValue
            fields.insert(replaced, at: first)
        }
    }

    /// Every value of a header, in order.
    public func values(for name: Name) -> [String] {
        var values: [String] = []
        for field in fields where field.name == name { values.append(field.value) }
        return values
    }

    /// Appends a header with text, without the existential that other values need.
    package mutating func append(_ value: String, for name: Name) {
        append(Field(name: name, value: value))
    }

    mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Adds the headers of `others` whose names are missing here; existing headers take precedence.
    public mutating func addMissing(from others: HTTPHeaders) {
        let ownCount = fields.count
        fields.reserveCapacity(ownCount + others.count)
        for field in others where !fields[..<ownCount].contains(where: { $0.name == field.name }) {
            fields.append(field)
        }
    }

    /// Whether other headers have the same names and values in the same order, with the same spelling. The comparison
    /// is exact if one of the two is ASCII.
    package func isSpelled(like others: HTTPHeaders) -> Bool {
        guard fields.count == others.fields.count else { return false }
        return zip(fields, others.fields).allSatisfy { own, other in
            let hasSameName = own.name.rawValue == other.name.rawValue
            // Comparing the lengths is cheap, and finds texts that Swift considers equal although their bytes differ,
            // such as the two spellings of é.
            let hasSameLength = own.value.utf8.count == other.value.utf8.count
            return hasSameName && hasSameLength && own.value == other.value
        }
    }

    /// Reserves memory for a number of headers.
    mutating func reserveCapacity(_ count: Int) {
        fields.reserveCapacity(count)
    }

    /// Removes every header that satisfies a condition.
    public mutating func removeAll(where shouldRemove: (Field) throws -> Bool) rethrows {
        fields = try fields.filter { try !shouldRemove($0) }
    }
}

// MARK: - Collection, text

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first header.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last header.
    public var endIndex: Int { fields.endIndex }
    /// The header at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One header per line, with secret values masked.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// The name and the value, with secrets masked.
    @inline(never)
    public var description: String {
        if SecretNames.contains(name.rawValue) { return "\(name): \(Masking.mask)" }
        return "\(name): \(Masking.masked(value))"
    }
}

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
    /// RFC 10008: the types of bodies that a QUERY of this resource may have.
    public static let acceptQuery: Self = "Accept-Query"
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

extension HTTPHeaders {
    /// Checks that every header may be sent, as every request does. For headers from elsewhere, such as a setting, that
    /// are to be refused before the first request.
    ///
    /// ```swift
    /// try HTTPHeaders([.init(name: "X-Api-Key", value: field.text)]).validate()
    /// ```
    ///
    /// - Throws: ``RequestError`` with the code `header` for the first one that may not.
    public func validate() throws(RequestError) {
        for field in self {
            if let problem = field.problem { throw problem }
            // Computed only for an error, since this runs for each header of each request.
            var name: String { field.name.rawValue.debugDescription }
            guard field.name.rawValue.isToken else {
                throw RequestError(.header, "the header name \(name) is not a token (letters, digits, -)")
            }
            guard field.value.isFieldValue else {
                let problem = "contains a line break or another control character"
                throw RequestError(.header, "the value of the header \(name) \(problem)")
            }
            if field.name == .contentLength || field.name == .transferEncoding {
                throw RequestError(.header, "the header \(name) is set by the engine, from the body")
            }
        }
    }
}

extension String {
    /// Whether this is a token, as the names of headers and methods are (RFC 9110, section 5.6.2).
    var isToken: Bool {
        let token = ByteSet.token
        return !isEmpty && allBytesSatisfy { token.contains($0) }
    }

    /// Whether this may be the value of a header (RFC 9110, section 5.5): it contains no control character but a tab.
    package var isFieldValue: Bool {
        allBytesSatisfy { byte in
            let isControl = byte < 0x20 || byte == 0x7F
            return !isControl || byte == UInt8(ascii: "\t")
        }
    }
}
