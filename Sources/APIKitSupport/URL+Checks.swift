extension URL {
    /// Creates a URL from encoded text; nil if the text contains characters that need encoding. `URL(string:)` would
    /// encode the whole text, and so a part of it twice.
    package init?(strict text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, macCatalyst 17, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)  // is strict on these systems
        }
    }

    /// Whether scheme, host and port are the same (RFC 6454, section 5).
    package func hasSameOrigin(as other: URL) -> Bool {
        guard let origin else { return false }
        return origin == other.origin
    }

    /// Scheme, host and port, without user information; nil without a scheme or a host.
    package var origin: URIReference.Origin? {
        var reference = URIReference(absoluteString)
        reference.dropUserInformation()
        return reference.origin
    }

    /// The scheme, the host and the port as text, without anything that may be secret.
    package var originText: String { URIReference(absoluteString).originText }
}

extension String {
    /// The problem with the port of this URL; nil for a port from 1 to 65535, and without one.
    ///
    /// Foundation accepts any number, and some engines end the process if it is not a valid port.
    package var portProblem: String? {
        guard let digits = digitsOfPort else { return nil }
        guard let port = digits.wholeNumber else { return "names a port above 65535" }
        guard 1...65_535 ~= port else { return "names the port \(port), but ports are 1 to 65535" }
        return nil
    }

    /// The digits after the last colon of the authority; nil if there are none.
    private var digitsOfPort: String? {
        var text = self
        // This runs for each request. The `utf8` view is slower than a buffer, and in a build without optimization, the
        // searches of collections are slower than loops.
        return text.withUTF8 { bytes in
            let colon = UInt8(ascii: ":")
            var position = 0
            while position < bytes.count, bytes[position] != colon { position += 1 }
            position += "://".utf8.count
            var digitsStart: Int?
            var areDigits = true
            while position < bytes.count, !bytes[position].endsAuthority {
                if bytes[position] == colon {
                    digitsStart = position + 1
                    areDigits = true
                } else if !bytes[position].isDigit {
                    areDigits = false
                }
                position += 1
            }
            guard let digitsStart, areDigits, digitsStart < position else { return nil }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[digitsStart..<position]), as: UTF8.self)
        }
    }
}

extension UInt8 {
    /// Whether the byte is a slash, a question mark or a number sign, which end the authority of a URL.
    fileprivate var endsAuthority: Bool { self == 0x2F || self == 0x3F || self == 0x23 }
}

extension URL {
    /// The encoded items of the query, cut at each `&`.
    package var queryItems: [ArraySlice<UInt8>] {
        guard let query = URIReference(absoluteString).query, !query.isEmpty else { return [] }
        return query.queryItems
    }

    /// Returns the URL with encoded items in place of its query, and without a fragment; nil if that is not a URL.
    package func withQueryItems(_ items: [ArraySlice<UInt8>]) -> URL? {
        var reference = URIReference(absoluteString)
        let query = items.joined(by: UInt8(ascii: "&"))
        reference.query = query.isEmpty ? nil : query[...]
        return URL(strict: reference.text)
    }
}

extension ArraySlice<UInt8> {
    /// The items of this query or form, which may be empty.
    @inline(never)
    package var queryItems: [ArraySlice<UInt8>] {
        split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    }

    /// The name of an encoded query item, with percent-encoded ASCII characters decoded, so that names can be compared.
    package var queryItemName: String {
        String(decoding: prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).removingPercentEncodingOfASCII
    }
}
