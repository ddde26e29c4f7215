public import APIKitCore

/// The links of a response's `Link` headers (RFC 8288), such as those to the other pages of a list.
///
/// ```swift
/// if let last = reply.links[.last] { print("the last page is \(last)") }
/// ```
///
/// Headers are read as appendix B of the RFC says: a link without a target or a relation is skipped, as is any other
/// part that is malformed.
public struct LinkHeader: Sendable, Hashable {
    private let links: [Link]

    /// Reads the links of headers.
    ///
    /// - Parameters:
    ///   - headers: The headers of a response; all `Link` fields among them are read.
    ///   - url: The URL of the response, against which targets are resolved.
    public init(_ headers: HTTPHeaders, relativeTo url: URL) {
        let base = URIReference(url.absoluteString)
        links = headers.values(for: .link).flatMap(LinkReader.links).compactMap { Link($0, relativeTo: base) }
    }

    /// The target of the first link with a relation, nil if there is none.
    ///
    /// A link whose `anchor` is another resource than the response does not count (RFC 8288, section 3.2).
    public subscript(relation: Relation) -> URL? {
        links.first { $0.anchor == nil && $0.relations.contains(relation) }?.target
    }
}

extension LinkHeader {
    /// One link: a target, and how it is related to the response.
    public struct Link: Sendable, Hashable {
        /// What the link leads to: an absolute URL, without user information.
        public let target: URL
        /// How the target is related to the response; at least one.
        public let relations: [Relation]
        /// What the link starts from, if that is another resource than the response (RFC 8288, section 3.2).
        public let anchor: URL?
        /// Names ignore case and may repeat, as those of headers do.
        private let attributes: HTTPHeaders

        fileprivate init?(_ link: LinkReader.Link, relativeTo base: URIReference) {
            let relations = link["rel"]?.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? []
            guard !relations.isEmpty, let target = base.target(of: link.target) else { return nil }
            var anchor: URL?
            if let text = link["anchor"] {
                guard let context = base.target(of: text) else { return nil }
                anchor = context.absoluteString == base.text ? nil : context
            }
            self.target = target
            self.relations = relations.map { Relation(rawValue: String(Substring($0))) }
            self.anchor = anchor
            attributes = link.attributes
        }

        /// The first value of an attribute such as `type`, nil if there is none; names ignore case.
        ///
        /// An attribute in the form of RFC 8187, such as `title*`, is found by its name without the asterisk, in place
        /// of the one in the plain form.
        public subscript(attribute: String) -> String? {
            values(for: attribute).first
        }

        /// Every value of an attribute that may repeat, such as `hreflang`.
        public func values(for attribute: String) -> [String] {
            attributes.values(for: HTTPHeaders.Name(rawValue: attribute))
        }

        /// The title of the target.
        public var title: String? { self["title"] }
    }

    /// How the target of a link is related to the response: `.next` or another registered name, or the URI of an
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
        "<\(Masking.url(target))>; rel=\"\(Masking.text(relations.map(\.rawValue).joined(separator: " ")))\""
    }
}

extension URIReference {
    /// The URL that a reference leads to from here, with its fragment; nil if it is not a URL.
    fileprivate func target(of text: String) -> URL? {
        let reference = URIReference(text)
        guard !reference.hasDubiousAuthority else { return nil }
        let fragment = Array(text.utf8).drop { $0 != UInt8(ascii: "#") }.dropFirst()
        let encoded = fragment.isEmpty ? "" : "#" + String(decoding: fragment.encodingStrayBytes, as: UTF8.self)
        return URL(strict: resolving(reference.encodingStrayBytes).text + encoded)
    }
}
