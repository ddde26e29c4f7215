/// A URI reference, taken apart and resolved as RFC 3986, sections 5.2 and 5.3, say. The fragment is left out: it is
/// never sent.
struct URIReference {
    private var scheme: Substring?
    private var authority: Substring?
    private var path: Substring
    private var query: Substring?

    /// Takes a reference apart (RFC 3986, appendix B).
    init(_ text: String) {
        var rest = text.prefix { $0 != "#" }
        if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":", colon > rest.startIndex {
            scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            authority = rest.prefix { $0 != "/" && $0 != "?" }
            rest = rest[(authority?.endIndex ?? rest.startIndex)...]
        }
        path = rest.prefix { $0 != "?" }
        if path.endIndex < rest.endIndex { query = rest[rest.index(after: path.endIndex)...] }
    }

    /// Resolves a reference against this URI (RFC 3986, section 5.2.2). User information of the reference is dropped.
    func resolving(_ reference: URIReference) -> URIReference {
        var target = reference
        target.scheme = (reference.scheme ?? scheme).map { Substring($0.lowercased()) }
        if reference.scheme == nil, reference.authority == nil {
            target.authority = authority
            if reference.path.isEmpty {
                target.path = path
                target.query = reference.query ?? query
            } else if !reference.path.hasPrefix("/") {
                target.path = merged(reference.path)
            }
        }
        if let at = target.authority?.lastIndex(of: "@") {
            target.authority = target.authority.map { $0[$0.index(after: at)...] }
        }
        if !(reference.scheme == nil && reference.authority == nil && reference.path.isEmpty) {
            target.path = Self.removingDotSegments(target.path)
        }
        return target
    }

    /// The same with the bytes of path and query encoded that cannot stand there.
    var encodingStrayBytes: URIReference {
        var result = self
        result.path = Substring(String(path).encodingStrayBytes)
        result.query = query.map { Substring(String($0).encodingStrayBytes) }
        return result
    }

    /// The reference as text (RFC 3986, section 5.3).
    var text: String {
        "\(scheme.map { "\($0):" } ?? "")\(authority.map { "//\($0)" } ?? "")\(path)\(query.map { "?\($0)" } ?? "")"
    }

    private func merged(_ other: Substring) -> Substring {
        if path.isEmpty { return "/\(other)" }
        guard let slash = path.lastIndex(of: "/") else { return other }
        return "\(path[...slash])\(other)"
    }

    /// RFC 3986, section 5.2.4.
    private static func removingDotSegments(_ path: Substring) -> Substring {
        guard path.hasPrefix("/") else { return path }
        var result: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default: result.append(segment)
            }
        }
        return Substring("/" + result.joined(separator: "/"))
    }
}

extension String {
    /// The text with the bytes encoded that cannot stand in a path or query, as servers write them into `Location` all
    /// the same; a valid `%XX` stays as it is.
    var encodingStrayBytes: String {
        let allowed = ByteSet.path.union("?")
        guard !utf8.allSatisfy(allowed.contains) else { return self }
        let text = Array(utf8)
        var bytes: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if allowed.contains(byte) || text[index...].startsWithPercentEscape {
                bytes.append(byte)
            } else {
                bytes.appendPercentEncoded(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
