public import APIKitCore
import APIKitSupport

/// The links of a response's `Link` headers (RFC 8288), such as those to the other pages of a list.
///
/// ```swift
/// if let last = reply.links[.last] { print("the last page is \(last)") }
/// ```
///
/// Headers are read as appendix B of the RFC says: a link without a relation is skipped, and so are a link whose
/// `anchor` is not the response (section 3.2), any malformed part, and text before the `<` of a link. An empty target,
/// `<>`, is the response itself: it is skipped as the next or previous page, since some servers write it where there is
/// none.
///
/// A link whose target is not a valid URL is not skipped, since it says that there is, for example, a next page. Its
/// target begins with `about:invalid`. Nothing can be requested there: an endpoint with this
/// ``PagedRequest/pageLink`` throws a ``RequestError`` with the code `link`.
public struct LinkHeader: Sendable, Hashable {
    private let links: [Link]

    /// Reads the links of headers.
    ///
    /// - Parameters:
    ///   - headers: The headers of a response; all `Link` fields among them are read.
    ///   - url: The URL of the response, against which targets are resolved.
    public init(_ headers: HTTPHeaders, relativeTo url: URL) {
        let base = URIReference(url.absoluteString)
        var links: [Link] = []
        for value in headers.values(for: .link) {
            for read in LinkHeaderReader.links(of: value) {
                if let link = Link(read, relativeTo: base) { links.append(link) }
            }
        }
        self.links = links
    }

    /// The target of the first link with a relation, nil if there is none.
    ///
    /// If none of them is a valid URL, the result is the `about:invalid` of the first one.
    public subscript(relation: Relation) -> URL? {
        let targets = links.filter { $0.relations.contains(relation) }.map(\.target)
        return targets.first { !$0.isInvalidLink } ?? targets.first
    }
}

extension LinkHeader {
    /// One link: a target, and how it is related to the response.
    public struct Link: Sendable, Hashable {
        /// The absolute URL that the link leads to, without user information; `about:invalid` with a fragment if what
        /// the server wrote is not a valid URL, or if programs could disagree about its host.
        public let target: URL
        /// The relations of the target to the response; at least one.
        public let relations: [Relation]
        /// Names ignore case, as header names do.
        private let attributes: HTTPHeaders

        /// Reads a link; nil if it has no relation, or if its `anchor` names another resource than the response, so
        /// that its relations do not concern the response.
        fileprivate init?(_ link: LinkHeaderReader.Link, relativeTo base: URIReference) {
            var relations = Self.relations(of: link)
            let isEmpty = link.target.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            // An empty target is the response itself, which is neither its own next nor its own previous page.
            if isEmpty { relations.removeAll { Self.otherPages.contains($0) } }
            guard !relations.isEmpty else { return nil }
            // If a parameter appears more than once, the first one counts (appendix B.2).
            if let anchor = link.parameters.values(for: "anchor").first {
                let context = base.target(of: anchor)?.absoluteString
                guard context == base.text else { return nil }
            }
            target = base.target(of: link.target) ?? .invalid(link: link.target)
            self.relations = relations
            attributes = link.parameters
        }

        /// The relations that no page has to itself.
        private static let otherPages: Set<Relation> = [.next, .previous, "previous"]

        private static func relations(of link: LinkHeaderReader.Link) -> [Relation] {
            guard let names = link.parameters.values(for: "rel").first else { return [] }
            return names.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                .map { Relation(rawValue: String(Substring($0))) }
        }

        /// The first value of an attribute such as `type`, nil if there is none; names ignore case.
        public subscript(attribute: String) -> String? {
            attributes.values(for: HTTPHeaders.Name(rawValue: attribute)).first
        }

        /// The title of the target: `title*`, which may have any characters (RFC 8187), or else `title`.
        public var title: String? {
            if let extended = self["title*"], let title = ExtendedValue.text(of: extended) { return title }
            return self["title"]
        }
    }

    /// The relation of a link's target to the response: `.next` or another registered name, or the URI of an
    /// extension. It ignores case (RFC 8288, section 2.1).
    public struct Relation: RawRepresentable, Hashable, Sendable {
        /// The name in lower case.
        public let rawValue: String

        /// Creates a relation with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue.lowercased()
        }

        /// The first page.
        public static let first = Relation(rawValue: "first")
        /// The last page.
        public static let last = Relation(rawValue: "last")
        /// The next page.
        public static let next = Relation(rawValue: "next")
        /// The previous page, as `prev`; some APIs write `previous`.
        public static let previous = Relation(rawValue: "prev")
    }
}

// MARK: - Of responses

extension HTTPResponse.Head {
    /// The links of the `Link` headers (RFC 8288), resolved against the response's URL.
    public var links: LinkHeader { LinkHeader(headers, relativeTo: url) }
}

extension APIReply {
    /// The links of the response's `Link` headers (RFC 8288), such as that to the next page.
    public var links: LinkHeader { head.links }
}

// MARK: - Sequence, literals, text

extension LinkHeader: Sequence {
    /// Iterates over all links, in order.
    public func makeIterator() -> IndexingIterator<[Link]> {
        links.makeIterator()
    }
}

extension LinkHeader.Relation: ExpressibleByStringLiteral {
    /// Creates a relation with a name.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }
}

extension LinkHeader: CustomStringConvertible {
    /// One link per line, with secrets masked.
    public var description: String {
        links.map(\.description).joined(separator: "\n")
    }
}

extension LinkHeader.Link: CustomStringConvertible {
    /// The target and the relations, with secrets masked.
    public var description: String {
        let names = relations.map(\.rawValue).joined(separator: " ")
        return "<\(Masking.url(target))>; rel=\"\(Masking.masked(names))\""
    }
}

extension URIReference {
    /// Resolves a reference against this one, and keeps its fragment; nil if the result is not an absolute URL, or if
    /// programs could disagree about its host, so that a request might go to another server than the one checked.
    /// Spaces and control characters around the reference are ignored.
    package func target(of text: String) -> URL? {
        let text = text.trimmingLink
        let reference = URIReference(text)
        guard !reference.hasDubiousAuthority else { return nil }
        var target = resolving(reference.encodingStrayBytes).text
        let fragment = Array(text.utf8).drop { $0 != UInt8(ascii: "#") }.dropFirst()
        if !fragment.isEmpty { target += "#" + String(decoding: fragment.encodingStrayBytes, as: UTF8.self) }
        // A URL without a scheme is not absolute.
        guard let url = URL(strict: target), url.scheme != nil else { return nil }
        return url
    }
}
