/// A URI reference, parsed and resolved by RFC 3986, section 5, without its fragment, which is never sent.
///
/// It reads bytes, since a slash with a combining accent is a `Character` that is not a slash.
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
        if let colon = rest.firstIndex(where: { ":/?".utf8.contains($0) }), rest[colon] == UInt8(ascii: ":"),
            colon > rest.startIndex
        {
            scheme = rest[..<colon]
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex { $0 == Self.slash || $0 == Self.questionMark } ?? rest.endIndex
            authority = rest[..<end]
            rest = rest[end...]
        }
        let end = rest.firstIndex(of: Self.questionMark) ?? rest.endIndex
        path = rest[..<end]
        if end < rest.endIndex { query = rest[(end + 1)...] }
    }

    /// Resolves a reference against this URI (RFC 3986, section 5.2.2). User information of the reference is dropped.
    package func resolving(_ reference: URIReference) -> URIReference {
        let isRelative = reference.scheme == nil && reference.authority == nil
        var target = reference
        target.scheme = (reference.scheme ?? scheme).map { Bytes($0.map(\.lowercasedASCII)) }
        if isRelative { target.authority = authority }
        if isRelative, reference.path.isEmpty {
            target.path = path
            target.query = reference.query ?? query
        } else {
            target.path = Self.removingDotSegments(isRelative ? merged(reference.path) : reference.path)
        }
        target.dropUserInformation()
        return target
    }

    /// Whether the reference is empty except for a fragment, and so names the document itself (RFC 3986, section 4.4).
    package var isSameDocument: Bool {
        scheme == nil && authority == nil && path.isEmpty && query == nil
    }

    /// Scheme, host and port in one spelling (RFC 6454, section 4).
    package struct Origin: Equatable {
        package let scheme: [UInt8]
        package let host: [UInt8]
        package let port: Int

        /// The port of a scheme that is not followed by one.
        static func defaultPort(of scheme: [UInt8]) -> Int { scheme.elementsEqual("https".utf8) ? 443 : 80 }

        package var hasDefaultPort: Bool { port == Self.defaultPort(of: scheme) }
    }

    /// The origin; nil if the scheme or the host is missing, for user information, and for a port that is not a number.
    package var origin: Origin? {
        guard let scheme = scheme?.map(\.lowercasedASCII), let authority, !authority.contains(Self.at) else {
            return nil
        }
        let digits = authority.reversed().prefix(while: \.isDigit).count
        var port: Int? = Origin.defaultPort(of: scheme)
        var host = authority
        if authority.dropLast(digits).last == UInt8(ascii: ":") {
            host = authority.dropLast(digits + 1)
            if digits > 0 { port = String(decoding: authority.suffix(digits), as: UTF8.self).wholeNumber }
        }
        guard !host.isEmpty, let port else { return nil }
        return Origin(scheme: scheme, host: host.map(\.lowercasedASCII), port: port)
    }

    /// Whether programs could disagree about the host: the authority contains a `\`, which some take for a slash, a
    /// space, a control character or an ASCII character in percent-encoding.
    package var hasDubiousAuthority: Bool {
        guard let authority else { return false }
        return authority.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
            || Self.host(of: authority).indices.contains { index in
                authority[index...].startsWithPercentEscape
                    && authority[index + 1].hexValue.map { $0 < 8 } ?? false
            }
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
        authority.lastIndex(of: at).map { authority[($0 + 1)...] } ?? authority
    }

    /// A reference's path, completed by this one unless it begins with a slash (RFC 3986, section 5.2.3).
    private func merged(_ other: Bytes) -> Bytes {
        if other.first == Self.slash { return other }
        if path.isEmpty { return ([Self.slash] + other)[...] }
        guard let slash = path.lastIndex(of: Self.slash) else { return other }
        return (Array(path[...slash]) + other)[...]
    }

    /// RFC 3986, section 5.2.4. An encoded dot is a dot (section 6.2.2.2), as it is for libcurl.
    private static func removingDotSegments(_ path: Bytes) -> Bytes {
        guard path.first == slash else { return path }
        var result: [Bytes] = []
        var endsInDots = false
        for segment in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            let dots = segment.count > 6 ? "" : String(decoding: segment, as: UTF8.self).removingPercentEncodingOfASCII
            let isParent = dots == ".."
            endsInDots = isParent || dots == "."
            if isParent {
                _ = result.popLast()
            } else if !endsInDots {
                result.append(segment)
            }
        }
        if endsInDots { result.append([]) }  // keeps the slash before the dots
        return ([slash] + result.joined(by: slash))[...]
    }
}

extension [ArraySlice<UInt8>] {
    /// The slices with a byte between two.
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
    /// The bytes with those percent-encoded that a path or query must not contain, but that servers put into `Location`
    /// anyway.
    package var encodingStrayBytes: ArraySlice<UInt8> { percentEncodingStrayBytes(allBut: .path.union("?")) }

    /// The bytes with those percent-encoded that are not allowed; a valid `%XX` is kept.
    func percentEncodingStrayBytes(allBut allowed: ByteSet) -> ArraySlice<UInt8> {
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
