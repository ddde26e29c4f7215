extension HTTPHeaders {
    /// Checks that every header may be sent.
    ///
    /// - Throws: ``RequestError`` for the first one that may not.
    package func validate() throws(RequestError) {
        for field in self {
            // Not quoted before it is needed: this runs for each header of each request.
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
        !isEmpty && allBytesSatisfy { ByteSet.token.contains($0) }
    }

    /// Whether this may be the value of a header (RFC 9110, section 5.5): it contains no control character but a tab.
    package var isFieldValue: Bool {
        allBytesSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Whether all bytes satisfy a condition. For a `utf8` view this takes far longer: it finds out anew for each byte
    /// where the text is stored.
    func allBytesSatisfy(_ condition: (UInt8) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy(condition) }
    }
}
