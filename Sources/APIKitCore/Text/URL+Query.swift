extension URL {
    /// The encoded items of the query, cut at each `&`.
    package var queryItems: [ArraySlice<UInt8>] {
        guard let query = URIReference(absoluteString).query, !query.isEmpty else { return [] }
        return query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    }

    /// The URL with encoded items in place of its query, and without a fragment; nil if that is not a URL.
    package func withQueryItems(_ items: some Sequence<ArraySlice<UInt8>>) -> URL? {
        var reference = URIReference(absoluteString)
        let query = Array(items.joined(separator: [UInt8(ascii: "&")]))
        reference.query = query.isEmpty ? nil : query[...]
        return URL(strict: reference.text)
    }
}

extension ArraySlice<UInt8> {
    /// The name of an encoded query item in its one spelling: of ASCII characters, none is percent-encoded.
    package var queryItemName: String {
        String(decoding: prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).removingPercentEncodingOfASCII
    }
}
