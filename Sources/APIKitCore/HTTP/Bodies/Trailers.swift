import APIKitSupport

/// The trailer fields of a body (RFC 9110, section 6.5). The copies of a stream share this object, since the trailers
/// are set only at the end of the stream.
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
    /// The fields that may follow a body (RFC 9110, section 6.5.1).
    ///
    /// Fields that frame, route or authenticate a message, control caches or describe the body have no meaning after
    /// the body. They are dropped, since they would mislead code that adds trailers to the headers.
    var allowedAsTrailers: HTTPHeaders {
        guard !isEmpty else { return self }
        return HTTPHeaders(filter { !Self.notTrailers.contains($0.name) })
    }

    private static let notTrailers: [Name] = [
        .contentLength, .transferEncoding, "Connection", "Keep-Alive", "Trailer", "Upgrade", .host, .wwwAuthenticate,
        "Proxy-Authenticate", .setCookie, .age, .cacheControl, .date, .expires, .location, "Pragma", .retryAfter,
        .vary, .contentEncoding, .contentRange, .contentType,
    ]
}
