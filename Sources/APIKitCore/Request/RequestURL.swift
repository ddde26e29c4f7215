import APIKitSupport

/// The URL of a request: the base URL, the path appended to its path, and the parameters appended to its query.
enum RequestURL {
    /// Creates the URL.
    ///
    /// - Throws: ``RequestError`` for an invalid base URL, path or parameter.
    static func make(
        base: BaseURL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> LazyURL {
        try path.validate()
        if let problem = base.problem { throw fault(problem, in: base.text) }
        var bytes: [UInt8] = []
        // Room for a usual parameter; the array grows if they are longer.
        let usualParameterSize = 24
        let separatorCount = 2
        let sizeOfQuery = query.count * usualParameterSize
        bytes.reserveCapacity(base.text.utf8.count + path.encoded.utf8.count + separatorCount + sizeOfQuery)
        bytes += base.root
        append(path, to: &bytes)
        var separator = UInt8(ascii: "?")
        if !base.query.isEmpty {
            bytes.append(separator)
            bytes += base.query
            separator = UInt8(ascii: "&")
        }
        var encoder = QueryEncoder(.query, style: style, bytes: consume bytes, separator: separator)
        try encoder.append(query)
        return .text(LazyURL.Text(String(decoding: encoder.bytes, as: UTF8.self)))
    }

    /// Appends a path with exactly one slash before it; nothing if it is empty.
    private static func append(_ path: URLPath, to bytes: inout [UInt8]) {
        let slash = UInt8(ascii: "/")
        var text = path.encoded
        text.withUTF8 { encoded in
            let segments = encoded.drop { $0 == slash }
            guard !segments.isEmpty else { return }
            while bytes.last == slash { bytes.removeLast() }
            bytes.append(slash)
            bytes += segments
        }
    }

    private static func fault(_ problem: String, in url: String) -> RequestError {
        var shown = url
        let bytes = Array(url.utf8)
        // There may be a password before an `@`, even in a text that is not a valid URL.
        if let at = bytes.lastIndex(of: UInt8(ascii: "@")) {
            shown = "…\(String(decoding: bytes[at...], as: UTF8.self))"
        }
        return RequestError(.baseURL, "the base URL \(Masking.masked(shown).debugDescription) \(problem)")
    }
}
