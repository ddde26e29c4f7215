extension HTTPResponse.Head {
    /// The links of the `Link` headers (RFC 8288), resolved against the response's URL.
    public var links: LinkHeader { LinkHeader(headers, relativeTo: url) }
}
