import APIKitSupport

/// A base URL, split and checked. It is an object so that copies of an ``APIBase`` share it.
final class BaseURL: Sendable {
    let text: String
    /// The scheme in lower case, the authority and the path.
    let root: [UInt8]
    let query: [UInt8]
    /// Why the URL cannot be a base URL.
    let problem: String?

    /// Splits a URL at the first `?`, and checks it. An invalid URL has a ``problem``.
    init(_ url: String) {
        text = Self.withASCIIHost(url)
        var bytes = Array(text.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        bytes.replaceSubrange(scheme.indices, with: scheme.map(\.lowercasedASCII))
        root = Array(bytes.prefix { $0 != UInt8(ascii: "?") })
        query = Array(bytes.dropFirst(root.count + 1))
        problem = Self.problem(of: text, root: root, query: query)
    }

    /// Returns why a URL cannot be a base URL; nil if it can. The root is what is before the first `?`, and the query
    /// what is after it.
    private static func problem(of text: String, root: [UInt8], query: [UInt8]) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { root.starts(with: $0.utf8) }) else {
            return problem(ofScheme: root)
        }
        let afterScheme = root.dropFirst(scheme.utf8.count)
        let authority = afterScheme.prefix { $0 != UInt8(ascii: "/") }
        let path = root[authority.endIndex...]
        if text.utf8.contains(UInt8(ascii: "#")) { return "has a fragment, which is never sent" }
        if authority.contains(UInt8(ascii: "@")) {
            return "holds user information: send credentials in the Authorization header"
        }
        guard let first = authority.first, first != UInt8(ascii: ":") else { return "has no host" }
        if authority.contains(where: { $0 >= 0x80 }) {
            return "has a host that is not ASCII: write it in its ASCII form, such as xn--bcher-kva.example"
        }
        if String(decoding: path, as: UTF8.self).hasDotSegment {
            return "has a path segment that is \".\" or \"..\""
        }
        // Most URLs have only characters that need no parsing, which takes far longer than this test. It matters since
        // a computed base is created several times for each request.
        let isPlain =
            authority.allSatisfy(ByteSet.unreserved.contains) && path.allSatisfy(ByteSet.path.contains)
            && query.allSatisfy(ByteSet.path.contains)
        if isPlain { return nil }
        guard URL(strict: text) != nil else { return "is not valid" }
        return text.portProblem
    }

    private static func problem(ofScheme root: [UInt8]) -> String {
        guard root[...].startsWithScheme else {
            return "is not absolute: it begins with neither http:// nor https://"
        }
        let scheme = String(decoding: root.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        return "has the scheme \(scheme), which is neither http nor https"
    }

    /// Returns the URL with an internationalized host in its ASCII form (RFC 5891), where Foundation can convert it.
    private static func withASCIIHost(_ url: String) -> String {
        let isASCII = url.allBytesSatisfy { $0 < 0x80 }
        if isASCII { return url }
        let bytes = Array(url.utf8)
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") }
        let afterScheme = bytes.dropFirst(scheme.count)
        guard afterScheme.starts(with: "://".utf8) else { return url }
        let authority = afterScheme.dropFirst("://".utf8.count).prefix { !"/?#".utf8.contains($0) }
        let hasASCIIHost = authority.allSatisfy { $0 < 0x80 }
        guard !hasASCIIHost, let converted = URL(string: "https://\(String(decoding: authority, as: UTF8.self))") else {
            return url
        }
        let host = Array(converted.absoluteString.utf8).dropFirst("https://".utf8.count)
        // The conversion must not have turned a character of the host into one that ends the host.
        let isHost = !host.isEmpty && !host.contains { "/?#%@".utf8.contains($0) }
        guard isHost else { return url }
        let beforeHost = Array(bytes[..<authority.startIndex])
        return String(decoding: beforeHost + host + bytes[authority.endIndex...], as: UTF8.self)
    }
}
