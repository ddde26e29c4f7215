/// Makes the URL of a request: bytes encoded once into one buffer, one `URL` made from it.
enum RequestURL {
    static func make(
        base: URL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> URL {
        try path.validate()
        var base = base.absoluteString
        var encoder = QueryEncoder(style: style, encoding: .query)
        encoder.bytes.reserveCapacity(base.utf8.count + path.encoded.utf8.count + 1 + query.count * 24)
        var baseQuery: [UInt8] = []
        let problem = base.withUTF8 { text in
            let parts = BaseParts(text)
            encoder.bytes += parts.scheme.map(\.lowercasedASCII)
            encoder.bytes += parts.rest
            baseQuery = Array(parts.query)
            return parts.problem
        }
        if let problem { throw fault(base, problem) }
        append(path, to: &encoder.bytes)
        if !baseQuery.isEmpty || !query.isEmpty { try append(baseQuery, query, to: &encoder) }
        let result = String(decoding: encoder.bytes, as: UTF8.self)
        guard let url = URL(strict: result) else { throw fault(result, "is not valid") }
        if let problem = url.portProblem { throw fault(base, problem) }
        return url
    }

    private static func fault(_ url: String, _ message: String) -> RequestError {
        // Whatever it is that is no URL may hold a password: what stands before an @ is left out.
        let url = url.utf8.lastIndex(of: UInt8(ascii: "@")).map { "…\(url[$0...])" } ?? url
        return RequestError(.baseURL, "the base URL \(Masking.text(url).debugDescription) \(message)")
    }

    /// The endpoint's path behind the base's, with exactly one slash between.
    private static func append(_ path: URLPath, to bytes: inout [UInt8]) {
        let path = path.encoded.utf8.drop { $0 == UInt8(ascii: "/") }
        guard !path.isEmpty else { return }
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        bytes.append(UInt8(ascii: "/"))
        bytes += path
    }

    /// The base's query first, then the endpoint's.
    private static func append(
        _ base: [UInt8], _ query: Parameters, to encoder: inout QueryEncoder
    ) throws(RequestError) {
        let end = encoder.bytes.count
        encoder.bytes.append(UInt8(ascii: "?"))
        encoder.bytes += base
        if !base.isEmpty { encoder.bytes.append(UInt8(ascii: "&")) }
        let start = encoder.bytes.count
        try encoder.append(query)
        // An empty list writes nothing: no lone `?` or `&` then.
        if encoder.bytes.count == start { encoder.bytes.removeSubrange((base.isEmpty ? end : start - 1)...) }
    }
}

/// A base URL, taken apart and checked.
private struct BaseParts {
    typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    let scheme: Bytes
    /// `://`, authority and path.
    let rest: Bytes
    let query: Bytes
    /// What is wrong with it.
    private(set) var problem: String?

    init(_ text: UnsafeBufferPointer<UInt8>) {
        let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? 0
        let mark = text.firstIndex(of: UInt8(ascii: "?")) ?? text.count
        scheme = text[..<colon]
        rest = text[colon..<max(colon, mark)]
        query = text[max(colon, mark)...].dropFirst()
        let authority = rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
        if !isAbsoluteHTTP {
            problem = "is not absolute: it begins with neither http:// nor https://"
        } else if text.contains(UInt8(ascii: "#")) {
            problem = "has a fragment, which is never sent"
        } else if authority.contains(UInt8(ascii: "@")) {
            problem = "holds user information: send credentials in the Authorization header"
        } else if authority.first == nil || authority.first == UInt8(ascii: ":") {
            problem = "names no host"
        } else if holdsDotSegment(behind: authority) {
            problem = "has a path segment that reads \".\" or \"..\""
        }
    }

    /// As in a path: clients and servers disagree about what such a segment means.
    private func holdsDotSegment(behind authority: Bytes) -> Bool {
        let path = rest[authority.endIndex...]
        guard path.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return false }
        return path.split(separator: UInt8(ascii: "/")).contains { segment in
            URLPath.isDots(String(decoding: segment, as: UTF8.self)[...].utf8)
        }
    }

    private var isAbsoluteHTTP: Bool {
        let isHTTP = scheme.count == 4 || (scheme.count == 5 && scheme.last.map(\.lowercasedASCII) == UInt8(ascii: "s"))
        return isHTTP && zip(scheme, "http".utf8).allSatisfy { $0.lowercasedASCII == $1 }
            && rest.starts(with: "://".utf8)
    }
}
