/// The method of a request: `.get`, `.post`, or any other token such as `"PURGE"`.
///
/// Methods are case-sensitive (RFC 9110, section 9.1). One that is not a token throws a ``RequestError`` before
/// anything is sent.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it is sent.
    public let rawValue: String

    /// Creates a method with the given name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reads a resource (RFC 9110, section 9.3.1). Parameters go into the query.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Reads only the status and headers of a GET (RFC 9110, section 9.3.2). Parameters go into the query.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Reads what the body asks for, such as a search too long for a query (RFC 10008). Parameters go into the body.
    public static let query = HTTPMethod(rawValue: "QUERY")
    /// Passes data to a resource (RFC 9110, section 9.3.3). Parameters go into the body.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource (RFC 9110, section 9.3.4). Parameters go into the body.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes a part of a resource (RFC 5789). Parameters go into the body.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource (RFC 9110, section 9.3.5). Parameters go into the query.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what a resource allows (RFC 9110, section 9.3.7). Parameters go into the query.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Asks the server to echo the request (RFC 9110, section 9.3.8). Parameters go into the query.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether a request only reads, so that a client may send it without user action (RFC 9110, section 9.2.1).
    public var isSafe: Bool {
        switch self {
        case .get, .head, .query, .options, .trace: true
        default: false
        }
    }

    /// Whether sending a request twice has the same effect as sending it once, so that it may be sent again after its
    /// connection breaks (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool {
        switch self {
        case .get, .head, .query, .put, .delete, .options, .trace: true
        default: false
        }
    }

    /// Whether a request may have a body: servers need not read one of GET, HEAD or TRACE (RFC 9110, section 9.3).
    var allowsBody: Bool {
        switch self {
        case .get, .head, .trace: false
        default: true
        }
    }
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a method with the given name.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The method as it is sent.
    public var description: String { rawValue }
}
