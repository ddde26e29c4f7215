extension HTTPURLResponse {
    /// The length of the body that this announces as the response to a request, nil if it announces none.
    ///
    /// - Throws: `TransportError` if its Content-Length is not a number that a body can have: `URLSession` on Linux reads
    ///   what it can of such a value, and so delivers too little.
    func announcedLength(for request: HTTPRequest) throws(TransportError) -> Int? {
        // A HEAD and a 304 announce the length of a body that does not come (RFC 9110, section 8.6).
        guard request.method != .head, ![204, 304].contains(statusCode) else { return 0 }
        guard let text = value(forHTTPHeaderField: "Content-Length"),
            value(forHTTPHeaderField: "Transfer-Encoding") == nil
        else { return nil }
        // The same length, several times, is valid (RFC 9110, section 8.6).
        let lengths = Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard lengths.count == 1, let digits = lengths.first,
            digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let length = Int(digits)
        else { throw TransportError(.badResponse, "invalid Content-Length", request: request) }
        return length
    }
}
