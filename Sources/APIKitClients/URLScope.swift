package import APIKitCore
import APIKitSupport

/// The part of a server below a base URL, for which a credential is meant: a URL is in it if it has the same origin,
/// and a path that begins with all segments of the base's path.
package final class URLScope: Sendable {
    private let reference: URIReference
    private let origin: URIReference.Origin?
    /// The scheme and the host in lower case, with which every URL of the origin begins.
    private let start: [UInt8]
    /// Whether the base has no path and the default port. Every URL that continues with a slash after the host is then
    /// below it.
    private let isWholeOrigin: Bool

    /// Creates a base.
    ///
    /// - Throws: ``RequestError`` with the code `baseURL` if an endpoint could not have it as its base URL.
    package init(_ base: APIBase) throws(RequestError) {
        guard let url = base.url, base.problem == nil else {
            let problem = base.problem ?? "is not valid"
            throw RequestError(.baseURL, "the base URL \(base.description.debugDescription) \(problem)")
        }
        var reference = URIReference(url.absoluteString)
        origin = reference.origin
        if let origin {
            start = origin.scheme + "://".utf8 + origin.host
        } else {
            start = []
        }
        while reference.path.last == UInt8(ascii: "/") { reference.path.removeLast() }
        isWholeOrigin = reference.path.isEmpty && origin?.hasDefaultPort == true
        self.reference = reference
    }

    /// Whether a URL is below this base. One with user information is not, and below a base with a path neither is one
    /// with a segment `.` or `..`, encoded or not.
    package func contains(_ url: String) -> Bool {
        var text = url
        return text.withUTF8 { bytes in
            guard bytes.count >= start.count else { return false }
            for position in start.indices where bytes[position].lowercasedASCII != start[position] { return false }
            // This suffices for most URLs. Parsing them would take longer.
            let continuesWithPath = bytes.count > start.count && bytes[start.count] == UInt8(ascii: "/")
            if isWholeOrigin, continuesWithPath { return true }
            return isBase(of: URIReference(url))
        }
    }

    /// The base URL without its query, as errors show it.
    package var description: String {
        var base = reference
        base.query = nil
        return Masking.masked(base.text)
    }

    /// Whether another URL has the same origin, and a path that begins with all segments of this one's path.
    ///
    /// The segments after these must not be `.` or `..`: a server could resolve `/v1/../admin` to a path outside of
    /// `/v1`, which must not get the credential.
    private func isBase(of other: URIReference) -> Bool {
        guard let origin, other.origin == origin, other.path.starts(with: reference.path) else { return false }
        if reference.path.isEmpty { return true }
        // The path `/v10` begins with the text `/v1`, but not with the segment.
        let rest = other.path.dropFirst(reference.path.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return false }
        return !String(decoding: rest, as: UTF8.self).hasDotSegment
    }
}
