/// The URL of a request: the base URL, the path appended to its path, and the parameters appended to its query.
enum RequestURL {
    static func make(
        base: BaseURL, path: URLPath, query: Parameters, style: ParameterStyle
    ) throws(RequestError) -> URL {
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
        var encoder = QueryEncoder(.query, style: style, bytes: bytes, separator: separator)
        try encoder.append(query)
        let text = String(decoding: encoder.bytes, as: UTF8.self)
        guard let url = URL(strict: text) else { throw fault("is not valid", in: text) }
        if base.mayNamePort, let problem = url.portProblem { throw fault(problem, in: base.text) }
        return url
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
        // A password may stand before an `@`, even in a text that is not a valid URL.
        let url = url.utf8.lastIndex(of: UInt8(ascii: "@")).map { "…\(url[$0...])" } ?? url
        return RequestError(.baseURL, "the base URL \(Masking.text(url).debugDescription) \(problem)")
    }
}

/// A base URL, split and checked. One object, since each endpoint's ``APIBase`` is copied several times.
final class BaseURL: Sendable {
    let text: String
    /// The scheme in lower case, the authority and the path.
    let root: [UInt8]
    let query: [UInt8]
    /// Whether the authority has a colon, which precedes a port or stands in an IPv6 address.
    let mayNamePort: Bool
    /// Why the URL cannot be a base URL.
    let problem: String?

    init(_ url: String) {
        text = url
        var bytes = Array(text.utf8)
        for index in bytes.prefix(while: { $0 != UInt8(ascii: ":") }).indices {
            bytes[index] = bytes[index].lowercasedASCII
        }
        root = Array(bytes.prefix { $0 != UInt8(ascii: "?") })
        query = Array(bytes.dropFirst(root.count + 1))
        let scheme = ["https://", "http://"].first { bytes.starts(with: $0.utf8) } ?? ""
        let authority = root.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
        mayNamePort = authority.contains(UInt8(ascii: ":"))
        if scheme.isEmpty {
            problem = "is not absolute: it begins with neither http:// nor https://"
        } else if bytes.contains(UInt8(ascii: "#")) {
            problem = "has a fragment, which is never sent"
        } else if authority.contains(UInt8(ascii: "@")) {
            problem = "holds user information: send credentials in the Authorization header"
        } else if authority.first == nil || authority.first == UInt8(ascii: ":") {
            problem = "has no host"
        } else if URLPath.holdsDotSegment(String(decoding: root[authority.endIndex...], as: UTF8.self)) {
            problem = "has a path segment that is \".\" or \"..\""
        } else {
            problem = nil
        }
    }
}
