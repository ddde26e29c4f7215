extension HTTPResponse.Head {
    /// The body length that this head announces if the request had the given method: 0 if there is no body, nil if no
    /// length is announced.
    ///
    /// A HEAD and a 304 announce the length of a body that does not come, and a 204 has none (RFC 9110, section 8.6). A
    /// `Transfer-Encoding` overrides a `Content-Length` (RFC 9112, section 6.3).
    ///
    /// - Throws: ``TransportError`` with the code `badResponse` for a `Content-Length` that is not one number.
    package func bodyLength(for method: HTTPMethod) throws(TransportError) -> Int? {
        guard method != .head, status != 204, status != 304 else { return 0 }
        guard let text = headers[.contentLength], headers[.transferEncoding] == nil else { return nil }
        if let length = text.wholeNumber { return length }
        // The same length several times is valid; an empty one is not.
        let lengths = Set(
            text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { Substring($0).trimmingSpaces() })
        guard lengths.count == 1, let length = lengths.first?.wholeNumber else {
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
        return text.listElements.map { $0.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
            .map { $0 == "x-gzip" ? "gzip" : $0 }
    }
}
