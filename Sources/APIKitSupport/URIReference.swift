/// A URI reference, parsed and resolved by RFC 3986, section 5. The fragment is dropped, since it is never sent.
///
/// It works on bytes, since a slash with a combining accent is another `Character` than a slash.
package struct URIReference {
    package typealias Bytes = ArraySlice<UInt8>

    package private(set) var scheme: Bytes?
    package private(set) var authority: Bytes?
    package var path: Bytes
    package var query: Bytes?

    private static let slash = UInt8(ascii: "/")
    private static let questionMark = UInt8(ascii: "?")
    private static let at = UInt8(ascii: "@")

    /// Parses a reference (RFC 3986, appendix B).
    package init(_ text: String) {
        var rest = Array(text.utf8).prefix { $0 != UInt8(ascii: "#") }
        let beforeMark = rest.prefix { !":/?".utf8.contains($0) }
        let isScheme = !beforeMark.isEmpty && rest.dropFirst(beforeMark.count).first == UInt8(ascii: ":")
        if isScheme {
            scheme = beforeMark
            rest = rest.dropFirst(beforeMark.count + 1)
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let beforePath = rest.prefix { $0 != Self.slash && $0 != Self.questionMark }
            authority = beforePath
            rest = rest.dropFirst(beforePath.count)
        }
        path = rest.prefix { $0 != Self.questionMark }
        rest = rest.dropFirst(path.count)
        if rest.first == Self.questionMark { query = rest.dropFirst() }
    }

    /// Resolves a reference against this URI (RFC 3986, section 5.2.2). User information of the reference is dropped.
    package func resolving(_ reference: URIReference) -> URIReference {
        var target = reference
        target.scheme = (reference.scheme ?? scheme).map { Bytes($0.map(\.lowercasedASCII)) }
        let isRelative = reference.scheme == nil && reference.authority == nil
        if !isRelative {
            target.path = Self.removingDotSegments(reference.path)
        } else {
            target.authority = authority
            if reference.path.isEmpty {
                // Such as `?page=2`, or an empty reference.
                target.path = path
                target.query = reference.query ?? query
            } else {
                target.path = Self.removingDotSegments(merged(reference.path))
            }
        }
        target.dropUserInformation()
        return target
    }

    /// The scheme, the host and the port as text, without anything that may be secret; for messages, since it need not
    /// be a valid origin.
    package var originText: String {
        var origin = self
        origin.dropUserInformation()
        origin.path = []
        origin.query = nil
        return origin.text
    }

    /// Whether the reference is empty except for a fragment, and so names the document itself (RFC 3986, section 4.4).
    package var isSameDocument: Bool {
        scheme == nil && authority == nil && path.isEmpty && query == nil
    }

    /// Scheme, host and port in one spelling (RFC 6454, section 4).
    package struct Origin: Hashable {
        package let scheme: [UInt8]
        package let host: [UInt8]
        package let port: Int

        /// The port of a URL that names none.
        static func defaultPort(of scheme: [UInt8]) -> Int { scheme.elementsEqual("https".utf8) ? 443 : 80 }

        package var hasDefaultPort: Bool { port == Self.defaultPort(of: scheme) }
    }

    /// The origin; nil if the scheme or the host is missing, for user information, and for a port that is not a number.
    package var origin: Origin? {
        guard let scheme = scheme?.map(\.lowercasedASCII), let authority, !authority.contains(Self.at) else {
            return nil
        }
        var host = authority
        var port = Origin.defaultPort(of: scheme)
        // Digits without a colon before them are the end of the host.
        let digits = Bytes(authority.reversed().prefix(while: \.isDigit).reversed())
        if authority.dropLast(digits.count).last == UInt8(ascii: ":") {
            host = authority.dropLast(digits.count + 1)
            if !digits.isEmpty {
                guard let number = String(decoding: digits, as: UTF8.self).wholeNumber else { return nil }
                port = number
            }
        }
        guard !host.isEmpty else { return nil }
        return Origin(scheme: scheme, host: host.map(\.lowercasedASCII), port: port)
    }

    /// Whether programs could disagree about the host: the authority contains a `\`, which some take for a slash, a
    /// space, a control character or an ASCII character in percent-encoding.
    package var hasDubiousAuthority: Bool {
        guard let authority else { return false }
        let isAmbiguous = authority.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
        if isAmbiguous { return true }
        var host = Self.host(of: authority)
        while let (byte, source) = host.popPercentDecoded() {
            let wasEncoded = source.count > 1
            if wasEncoded, byte < 0x80 { return true }
        }
        return false
    }

    /// Removes everything up to the last `@` of the authority.
    package mutating func dropUserInformation() {
        authority = authority.map(Self.host)
    }

    /// The reference with the bytes percent-encoded that its path and query must not contain.
    package var encodingStrayBytes: URIReference {
        var result = self
        result.path = path.encodingStrayBytes
        result.query = query?.encodingStrayBytes
        return result
    }

    /// The reference as text (RFC 3986, section 5.3).
    package var text: String {
        var bytes: [UInt8] = []
        if let scheme {
            bytes += scheme
            bytes += ":".utf8
        }
        if let authority {
            bytes += "//".utf8
            bytes += authority
        } else if path.starts(with: "//".utf8) {
            bytes += "/.".utf8  // otherwise the path would begin with an authority
        }
        bytes += path
        if let query {
            bytes += "?".utf8
            bytes += query
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func host(of authority: Bytes) -> Bytes {
        guard let at = authority.lastIndex(of: at) else { return authority }
        return authority[(at + 1)...]
    }

    /// Merges a relative path with this path (RFC 3986, section 5.2.3). A path that begins with a slash is returned
    /// unchanged.
    private func merged(_ other: Bytes) -> Bytes {
        if other.first == Self.slash { return other }
        if path.isEmpty { return ([Self.slash] + other)[...] }
        guard let slash = path.lastIndex(of: Self.slash) else { return other }
        return (Array(path[...slash]) + other)[...]
    }

    /// Removes the segments `.` and `..` (RFC 3986, section 5.2.4). An encoded dot counts as a dot (section 6.2.2.2),
    /// as for libcurl. A path that does not begin with a slash is returned unchanged.
    private static func removingDotSegments(_ path: Bytes) -> Bytes {
        guard path.first == slash else { return path }
        var result: [Bytes] = []
        var endsInDots = false
        for segment in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            endsInDots = true
            switch decodedIfShort(segment) {
            case ".": break
            case "..": _ = result.popLast()
            default:
                result.append(segment)
                endsInDots = false
            }
        }
        if endsInDots { result.append([]) }  // keeps the slash before the dots
        return ([slash] + result.joined(by: slash))[...]
    }

    /// Returns a decoded segment; empty if the segment is too long to be `.` or `..`, even with encoded dots. The
    /// caller asks only whether it is one of these.
    private static func decodedIfShort(_ segment: Bytes) -> String {
        guard segment.count <= "%2e%2e".utf8.count else { return "" }
        return String(decoding: segment, as: UTF8.self).removingPercentEncodingOfASCII
    }
}

extension [ArraySlice<UInt8>] {
    /// Joins the slices, with a separator between them.
    package func joined(by separator: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, slice) in enumerated() {
            if index > 0 { bytes.append(separator) }
            bytes += slice
        }
        return bytes
    }
}

extension ArraySlice<UInt8> {
    /// Whether this is a URL with a scheme, such as `https://h/x`.
    package var startsWithScheme: Bool {
        let scheme = prefix { ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "+") }
        return !scheme.isEmpty && dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// The bytes with those percent-encoded that a path or query must not contain, but that servers put into `Location`
    /// anyway.
    package var encodingStrayBytes: ArraySlice<UInt8> { percentEncodingStrayBytes(allBut: .path.union("?")) }

    /// Returns the bytes with those percent-encoded that are not allowed; a valid `%XX` is kept.
    package func percentEncodingStrayBytes(allBut allowed: ByteSet) -> ArraySlice<UInt8> {
        guard !allSatisfy(allowed.contains) else { return self }
        var bytes: [UInt8] = []
        for (index, byte) in zip(indices, self) {
            if allowed.contains(byte) || self[index...].startsWithPercentEscape {
                bytes.append(byte)
            } else {
                bytes.appendPercentEncoded(byte)
            }
        }
        return bytes[...]
    }
}
