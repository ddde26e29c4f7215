/// How a request is sent: its limits of time and size, and what becomes of redirects.
///
/// ```swift
/// var options: RequestOptions { RequestOptions(timeout: .seconds(10), deadline: .seconds(30)) }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// The longest time without a byte, 60 seconds unless told otherwise.
    ///
    /// It holds for each attempt. Over `URLSession` on Linux it is rounded up to whole seconds, and it also runs while
    /// a request waits for a free connection. Past it: ``TransportError`` with the code `timedOut`.
    public var timeout: Duration
    /// The longest time that the whole of a `send` may take, redirects included; none unless told otherwise.
    ///
    /// Past it: ``TransportError`` with the code `timedOut`. Mapping the answer is not counted, nor is reading a stream
    /// once its head is there. A client on the way that does not end when it is cancelled holds the `send` up.
    public var deadline: Duration?
    /// The most bytes that a body may take in memory, 64 MiB unless told otherwise; nil is no limit.
    ///
    /// Of a body delivered as data that is all of it; of a stream what has arrived and waits to be read, where the
    /// engine cannot have the server wait. A file may have any size. Past it: ``TransportError`` with the code
    /// `bodyTooLarge`.
    public var sizeLimit: Int?
    /// What becomes of a redirect: followed, 20 times at the most, unless told otherwise.
    public var redirects: RedirectPolicy
    /// The hosts that get a request's credentials too, when a redirect leads there; none by default.
    ///
    /// Name a host if the API sends its own requests there and that host needs the same headers, for example a second
    /// region. Names are exact, without a port, and ignore case: `"eu.example.com"` does not include its subdomains.
    /// A host counts over https, or over the scheme of the origin that the request was made for.
    public var credentialHosts: Set<String>
    /// Whether a redirect may carry the request's body to another origin, as 307 and 308 do, and 301 and 302 for
    /// methods other than POST (RFC 9110, sections 15.4.2 to 15.4.9); true by default.
    ///
    /// If false: ``TransportError`` with the code `redirectRefused`, unless ``credentialHosts`` lists the host. Choose
    /// false for bodies that hold secrets, such as a password or a refresh token.
    public var sendsBodyAcrossOrigins: Bool

    /// Makes options; what is not named stays as usual.
    public init(
        timeout: Duration = .seconds(60),
        deadline: Duration? = nil,
        sizeLimit: Int? = 64 << 20,
        redirects: RedirectPolicy = .follow(limit: 20),
        credentialHosts: Set<String> = [],
        sendsBodyAcrossOrigins: Bool = true
    ) {
        self.timeout = timeout
        self.deadline = deadline
        self.sizeLimit = sizeLimit
        self.redirects = redirects
        self.credentialHosts = credentialHosts
        self.sendsBodyAcrossOrigins = sendsBodyAcrossOrigins
    }
}

extension RequestOptions {
    /// What becomes of a redirect.
    public enum RedirectPolicy: Sendable, Hashable {
        /// Redirects are followed by the rules of RFC 9110, section 15.4, as often as the limit says.
        ///
        /// A request that goes to another origin (scheme, host or port) leaves its credentials behind, unless
        /// ``RequestOptions/credentialHosts`` lists the host: of the headers, an allow-list follows, which stands at
        /// ``HTTPRequest/validated()``. A body goes along as RFC 9110 has it, unless
        /// ``RequestOptions/sendsBodyAcrossOrigins`` is false. A redirect from https to http is refused. Past the limit:
        /// ``TransportError`` with the code `tooManyRedirects`.
        ///
        /// A `Location` that is empty, or a fragment alone, names the request's own URL (RFC 3986, section 4.4). It is
        /// followed if the method changes to GET; otherwise the redirect itself is the response.
        case follow(limit: Int)
        /// The redirect itself is the answer.
        case refuse
    }
}
