/// A base URL, split and checked. One object, since each endpoint's ``APIBase`` is copied several times.
final class BaseURL: Sendable {
    let text: String
    /// The scheme in lower case, the authority and the path.
    let root: [UInt8]
    let query: [UInt8]
    /// Why the URL cannot be a base URL.
    let problem: String?

    init(_ url: String) {
        text = Self.withASCIIHost(url)
        var bytes = Array(text.utf8)
        for index in bytes.prefix(while: { $0 != UInt8(ascii: ":") }).indices {
            bytes[index] = bytes[index].lowercasedASCII
        }
        root = Array(bytes.prefix { $0 != UInt8(ascii: "?") })
        query = Array(bytes.dropFirst(root.count + 1))
        let scheme = ["https://", "http://"].first { bytes.starts(with: $0.utf8) } ?? ""
        let authority = root.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "/") }
        if scheme.isEmpty {
            let other = bytes.prefix { ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "+") }
            let isAbsolute = !other.isEmpty && bytes[other.endIndex...].starts(with: "://".utf8)
            problem =
                isAbsolute
                ? "has the scheme \(String(decoding: other, as: UTF8.self)), which is neither http nor https"
                : "is not absolute: it begins with neither http:// nor https://"
        } else if bytes.contains(UInt8(ascii: "#")) {
            problem = "has a fragment, which is never sent"
        } else if authority.contains(UInt8(ascii: "@")) {
            problem = "holds user information: send credentials in the Authorization header"
        } else if authority.first == nil || authority.first == UInt8(ascii: ":") {
            problem = "has no host"
        } else if authority.contains(where: { $0 >= 0x80 }) {
            problem = "has a host that is not ASCII: write it in its ASCII form, such as xn--bcher-kva.example"
        } else if URLPath.holdsDotSegment(String(decoding: root[authority.endIndex...], as: UTF8.self)) {
            problem = "has a path segment that is \".\" or \"..\""
        } else if authority.allSatisfy(ByteSet.unreserved.contains),
            [root[authority.endIndex...], query[...]].allSatisfy({ $0.allSatisfy(ByteSet.path.contains) })
        {
            // Valid, as most are. Parsing takes far longer, and a computed base is created several times for a request.
            problem = nil
        } else {
            problem = URL(strict: text) == nil ? "is not valid" : text.portProblem
        }
    }

    /// The URL with an internationalized host in its ASCII form (RFC 5891), where Foundation can convert it.
    private static func withASCIIHost(_ url: String) -> String {
        guard !url.utf8.allSatisfy({ $0 < 0x80 }), let start = url.firstRange(of: "://")?.upperBound else { return url }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        guard !authority.utf8.allSatisfy({ $0 < 0x80 }), let converted = URL(string: "https://\(authority)") else {
            return url
        }
        let host = converted.absoluteString.dropFirst("https://".count)
        guard !host.isEmpty, !host.contains(where: { "/?#%@".contains($0) }) else { return url }
        return String(url[..<start] + host + url[authority.endIndex...])
    }
}
