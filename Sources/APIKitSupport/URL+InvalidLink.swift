extension URL {
    /// Creates the URL of a link that a server gave out, absolute or relative. Spaces and line breaks around it are
    /// ignored.
    ///
    /// If the text is not a valid URL, or if programs could disagree about its host, the result is ``invalid(link:)``.
    package init(link text: String) {
        let reference = URIReference(text.trimmingLink)
        let url = reference.hasDubiousAuthority ? nil : URL(strict: reference.encodingStrayBytes.text)
        self = url ?? .invalid(link: text)
    }

    /// Returns a URL that stands for a link that is not a valid URL: `about:invalid`, with the link's scheme and host
    /// as the fragment.
    ///
    /// An endpoint that requests it throws an error. With nil in its place, a list would end as if it were complete.
    package static func invalid(link text: String) -> URL {
        var bytes = Array(invalidLinkPrefix.utf8)
        bytes.append(shownOrigin(ofInvalid: text.trimmingLink), percentEncoded: .query)
        // Not nil, since the fragment consists of unreserved and percent-encoded characters.
        return URL(string: String(decoding: bytes, as: UTF8.self))!
    }

    /// Returns the scheme and the host of a link that is not a valid URL.
    ///
    /// With an `@` after the authority, it may be a password that contains a slash, so that what seems to be the host
    /// is a part of the user information: then only the scheme is returned.
    private static func shownOrigin(ofInvalid link: String) -> String {
        let reference = URIReference(link)
        let at = UInt8(ascii: "@")
        let hasLateAt = reference.path.contains(at) || reference.query?.contains(at) == true
        guard hasLateAt, let scheme = reference.scheme else { return reference.originText }
        return "\(String(decoding: scheme, as: UTF8.self)):"
    }

    /// Whether the URL stands for a link that is not a valid URL.
    package var isInvalidLink: Bool { originOfInvalidLink != nil }

    /// The scheme and the host of the link that this URL stands for; nil if it stands for none.
    package var originOfInvalidLink: String? {
        let text = absoluteString
        guard text.hasPrefix(Self.invalidLinkPrefix) else { return nil }
        return String(text.dropFirst(Self.invalidLinkPrefix.count)).removingPercentEncodingOfASCII
    }

    private static let invalidLinkPrefix = "about:invalid#"
}
