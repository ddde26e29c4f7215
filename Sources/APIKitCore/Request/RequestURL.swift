/// The URL of a request: the base URL, the path appended to its path, and the parameters appended to its query.
enum RequestURL {
    static func make(
        base: BaseURL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> LazyURL {
        try path.validate()
        if let problem = base.problem { throw fault(problem, in: base.text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(base.text.utf8.count + path.encoded.utf8.count + 2 + query.count * 24)
        bytes += base.root
        append(path, to: &bytes)
        if !base.query.isEmpty {
            bytes.append(UInt8(ascii: "?"))
            bytes += base.query
        }
        let separator = base.query.isEmpty ? UInt8(ascii: "?") : UInt8(ascii: "&")
        var encoder = QueryEncoder(.query, style: style, bytes: consume bytes, separator: separator)
        try encoder.append(query)
        return .text(LazyURL.Text(String(decoding: encoder.bytes, as: UTF8.self)))
    }

    /// Appends the path with exactly one slash before it.
    private static func append(_ path: URLPath, to bytes: inout [UInt8]) {
        var path = path.encoded
        path.withUTF8 { path in
            let path = path.drop { $0 == UInt8(ascii: "/") }
            guard !path.isEmpty else { return }
            while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            bytes.append(UInt8(ascii: "/"))
            bytes += path
        }
    }

    private static func fault(_ problem: String, in url: String) -> RequestError {
        var shown = url
        // A password may stand before an `@`, even in a text that is not a valid URL.
        if let at = url.utf8.lastIndex(of: UInt8(ascii: "@")) { shown = "…\(url[at...])" }
        return RequestError(.baseURL, "the base URL \(Masking.masked(shown).debugDescription) \(problem)")
    }
}
