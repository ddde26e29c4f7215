public import APIKitCore

extension HTTPResponse.Head {
    /// The links of the `Link` headers (RFC 8288), resolved against the response's URL.
    public var links: LinkHeader { LinkHeader(headers, relativeTo: url) }
}

extension APIReply {
    /// The links of the response's `Link` headers (RFC 8288), such as that to the next page.
    public var links: LinkHeader { head.links }
}
