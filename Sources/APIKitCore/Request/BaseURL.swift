import APIKitSupport

/// A base URL, split and checked. It is an object so that copies of an ``APIBase`` share it.
final class BaseURL: Sendable {
    let text: String
    /// The scheme in lower case, the authority and the path.
    let root: [UInt8]
    let query: [UInt8]
    /// Why a variable of the URL could not be set.
    let faultOfVariable: String?
    /// Why the URL cannot be a base URL.
    let problem: String?

    /// Splits a URL at the first `?`, and checks it. An invalid URL has a ``problem``.
    init(_ url: String, faultOfVariable: String? = nil) {
        self.faultOfVariable = faultOfVariable
        text = Self.withASCIIHost(url)
        var bytes = Array(text.utf8)
        let schemeEnd = Self.end(of: bytes, upTo: UInt8(ascii: ":"))
        var position = 0
        while position < schemeEnd {
            bytes[position] = bytes[position].lowercasedASCII
            position += 1
        }
        root = Array(bytes[..<Self.end(of: bytes, upTo: UInt8(ascii: "?"))])
        query = Array(bytes.dropFirst(root.count + 1))
        problem = faultOfVariable ?? Self.problem(of: text, root: root, query: query)
    }

    // Loops, since a base is often created for each request, and the searches of collections call a function for each
    // byte in a build without optimization.

    /// The position at which a byte first occurs; the end if it does not occur.
    static func end(of bytes: [UInt8], from start: Int = 0, upTo end: UInt8) -> Int {
        var position = start
        while position < bytes.count, bytes[position] != end { position += 1 }
        return position
    }

    /// What kinds of characters a part of a URL has.
    private struct Characters {
        var hasNumberSign = false
        var hasAt = false
        var isASCII = true
        /// Whether it has only characters that need no parsing.
        var isPlain = true

        init(_ bytes: [UInt8], from start: Int, to end: Int, plain: ByteSet) {
            let numberSign = UInt8(ascii: "#")
            let at = UInt8(ascii: "@")
            var position = start
            while position < end {
                let byte = bytes[position]
                if byte == numberSign { hasNumberSign = true }
                if byte == at { hasAt = true }
                if byte >= 0x80 { isASCII = false }
                if !plain.contains(byte) { isPlain = false }
                position += 1
            }
        }
    }

    /// Returns why a URL cannot be a base URL; nil if it can. The root is what is before the first `?`, and the query
    /// what is after it.
    private static func problem(of text: String, root: [UInt8], query: [UInt8]) -> String? {
        guard let authorityStart = startOfAuthority(in: root) else { return problem(ofScheme: root) }
        let authorityEnd = end(of: root, from: authorityStart, upTo: UInt8(ascii: "/"))
        let authority = Characters(root, from: authorityStart, to: authorityEnd, plain: .unreserved)
        let path = Characters(root, from: authorityEnd, to: root.count, plain: .path)
        let items = Characters(query, from: 0, to: query.count, plain: .path)
        if authority.hasNumberSign || path.hasNumberSign || items.hasNumberSign {
            return "has a fragment, which is never sent"
        }
        if authority.hasAt {
            return "holds user information: send credentials in the Authorization header"
        }
        let hasHost = authorityStart < authorityEnd && root[authorityStart] != UInt8(ascii: ":")
        guard hasHost else { return "has no host" }
        if !authority.isASCII {
            return "has a host that is not ASCII: write it in its ASCII form, such as xn--bcher-kva.example"
        }
        if String(decoding: root[authorityEnd...], as: UTF8.self).hasDotSegment {
            return "has a path segment that is \".\" or \"..\""
        }
        // Most URLs have only characters that need no parsing, which takes far longer than this test. It matters since
        // a computed base is created several times for each request.
        if authority.isPlain, path.isPlain, items.isPlain { return nil }
        if let problem = problemOfVariables(inPath: root[authorityEnd...], others: [root[..<authorityEnd], query[...]])
        {
            return problem
        }
        guard URL(strict: text) != nil else { return "is not valid" }
        return text.portProblem
    }

    /// The position after `https://` or `http://`; nil if the root begins with neither.
    static func startOfAuthority(in root: [UInt8]) -> Int? {
        let schemeEnd = end(of: root, upTo: UInt8(ascii: ":"))
        switch String(decoding: root.prefix(schemeEnd + 3), as: UTF8.self) {
        case "https://", "http://": return schemeEnd + 3
        default: return nil
        }
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
        let isASCIIAuthority = authority.allSatisfy { $0 < 0x80 }
        if isASCIIAuthority { return url }
        guard let asciiAuthority = asciiAuthority(of: String(decoding: authority, as: UTF8.self)) else { return url }
        let beforeAuthority = Array(bytes[..<authority.startIndex])
        return String(decoding: beforeAuthority + asciiAuthority + bytes[authority.endIndex...], as: UTF8.self)
    }

    /// Returns a host, and a port if there is one, in ASCII; nil if Foundation cannot convert it.
    private static func asciiAuthority(of authority: String) -> ArraySlice<UInt8>? {
        // Foundation converts the host of a URL, but not a host alone.
        guard let converted = URL(string: "https://\(authority)") else { return nil }
        let asciiAuthority = Array(converted.absoluteString.utf8).dropFirst("https://".utf8.count)
        // The conversion must not have turned a character of the host into one that ends the host.
        let endsEarly = asciiAuthority.isEmpty || asciiAuthority.contains { "/?#%@".utf8.contains($0) }
        return endsEarly ? nil : asciiAuthority
    }
}
