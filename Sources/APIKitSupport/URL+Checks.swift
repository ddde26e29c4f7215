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
        // This runs for each request, and reading a buffer is faster than the `utf8` view.
        return text.withUTF8 { bytes in
            let afterScheme = bytes.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count)
            // Three comparisons are faster than a search in a text.
            let authority = afterScheme.prefix { byte in
                byte != UInt8(ascii: "/") && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            }
            guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return nil }
            let digits = authority[(colon + 1)...]
            guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
            return String(decoding: digits, as: UTF8.self)
        }
    }
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
