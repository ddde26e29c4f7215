// The errors with which an exchange itself fails.
extension TransportError {
    /// Returns the error of a request for which no data has arrived within its timeout.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - underlying: The error of the library that has noticed it, nil if there is none.
    /// - Returns: The error, with the code `timedOut`.
    package static func noData(for request: HTTPRequest, underlying: (any Error)? = nil) -> TransportError {
        let message = "no data received for \(request.options.effectiveTimeout)"
        return TransportError(.timedOut, message, request: request, underlying: underlying)
    }

    /// Returns the error of a response that ends without a head.
    static func noHead(for request: HTTPRequest) -> TransportError {
        TransportError(.badResponse, "the response has no head", request: request)
    }

    /// Returns the error of a body in memory that exceeds the size limit.
    static func bodyTooLarge(for request: HTTPRequest) -> TransportError {
        let limit = request.options.effectiveSizeLimit
        return TransportError(.bodyTooLarge, "the body is larger than the limit of \(limit) bytes", request: request)
    }

    /// Returns the error of a stream of which more unread bytes wait than the size limit allows.
    static func tooManyUnreadBytes(for request: HTTPRequest) -> TransportError {
        let limit = request.options.effectiveSizeLimit
        let message = "the body is read more slowly than it arrives: more than \(limit) bytes wait to be read"
        return TransportError(.bodyTooLarge, message, request: request)
    }
}
