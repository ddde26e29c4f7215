import APIKitSupport

extension HTTPRequest {
    /// The smallest body that is compressed. A smaller one fits into one packet anyway.
    static let smallestCompressedBody = 1024

    /// Headers that are about the bytes of the body as they are sent: those of an upload in parts, and digests
    /// (RFC 9530).
    private static let headersAboutBytes: [HTTPHeaders.Name] = [
        .contentRange, "Content-Digest", "Content-MD5", "Digest", "Repr-Digest",
    ]

    /// Returns the request with its body compressed, if its ``RequestOptions/compressesBody`` asks for that and the
    /// body becomes smaller; otherwise the same request. The request is one that ``prepared(in:)`` has returned, whose
    /// headers have the type of the body.
    func compressingBody() -> HTTPRequest {
        guard let body, options.compressesBody == true, headers[.contentEncoding] == nil else { return self }
        let needsBytes = Self.headersAboutBytes.contains { headers[$0] != nil }
        guard !needsBytes else { return self }
        guard let data = body.data, data.count >= Self.smallestCompressedBody else { return self }
        guard let compressed = Gzip.compressed(data), compressed.count < data.count else { return self }
        var request = self
        request.body = .data(compressed, contentType: body.contentType)
        request.headers.append("gzip", for: .contentEncoding)
        return request
    }
}
