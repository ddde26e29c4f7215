/// The trailer fields of a body (RFC 9110, section 6.5), which a stream has at its end.
final class Trailers: Sendable {
    private let state: Locked<HTTPHeaders>

    init(_ fields: HTTPHeaders = [:]) {
        state = Locked(fields)
    }

    var fields: HTTPHeaders { state.withLock { $0 } }

    func receive(_ fields: HTTPHeaders) {
        state.withLock { $0 = fields }
    }
}

extension HTTPHeaders {
    /// The fields that may follow a body. Those that frame, route or authenticate a message, control caches or say what
    /// the body is have no meaning after it, and would mislead code that adds trailers to the headers (RFC 9110,
    /// section 6.5.1).
    var allowedAsTrailers: HTTPHeaders {
        guard !isEmpty else { return self }
        return HTTPHeaders(filter { !Self.notTrailers.contains($0.name) })
    }

    private static let notTrailers: Set<Name> = [
        .contentLength, .transferEncoding, "Connection", "Keep-Alive", "Trailer", "Upgrade", .host, .wwwAuthenticate,
        "Proxy-Authenticate", .setCookie, .age, .cacheControl, .date, .expires, .location, "Pragma", .retryAfter,
        .vary, .contentEncoding, .contentRange, .contentType,
    ]
}
