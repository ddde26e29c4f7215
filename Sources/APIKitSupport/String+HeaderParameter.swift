extension String {
    /// The value of a parameter in the value of a header, such as `charset` in `text/plain; charset="utf-8"`, without
    /// its quotes (RFC 9110, section 5.6.6); nil if it is missing. Its name ignores case. The first of several counts.
    ///
    /// Parameters begin at the first semicolon.
    package func headerParameter(_ name: String) -> String? {
        var rest = Array(utf8)[...]
        while !rest.isEmpty {
            // Skips to the next semicolon: past what precedes the parameters first, later past the previous parameter.
            rest = rest.drop { $0 != UInt8(ascii: ";") }.dropFirst()
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[key.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            let value = rest.takeParameterValue()
            let ownName = String(String(decoding: key, as: UTF8.self).trimmingSpaces())
            if ownName.equalsIgnoringASCIICase(name) { return value }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Returns the value after the `=` at the front of the bytes, a token or a quoted string (RFC 9110, section 5.6.4).
    ///
    /// Removes the `=` and a quoted string, which may contain a semicolon. A token stays, since the search for the next
    /// semicolon skips it.
    fileprivate mutating func takeParameterValue() -> String {
        self = dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard first == UInt8(ascii: "\"") else {
            let token = prefix { $0 != UInt8(ascii: ";") }
            return String(String(decoding: token, as: UTF8.self).trimmingSpaces())
        }
        self = dropFirst()
        var value: [UInt8] = []
        while let byte = popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), let escaped = popFirst() {
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return String(decoding: value, as: UTF8.self)
    }
}
