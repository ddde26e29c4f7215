/// How a request is sent: its limits of time and size, and how redirects are handled.
///
/// ```swift
/// var options: RequestOptions { RequestOptions(timeout: .seconds(10), deadline: .seconds(30)) }
/// ```
public struct RequestOptions: Sendable, Hashable {
    private var ownTimeout: Duration?
    private var ownSizeLimit: Int?
    private var ownRedirects: RedirectPolicy?
    private var ownSendsBodyAcrossOrigins: Bool?
    private var ownIsRepeatable: Bool?

    /// The longest time without a byte, 60 seconds by default; then a request fails with a ``TransportError`` of the
    /// code `timedOut`.
    ///
    /// It applies to each attempt, and also runs while a request waits for a free connection.
    public var timeout: Duration {
        get { ownTimeout ?? .seconds(60) }
        set { ownTimeout = newValue }
    }

    /// The longest time that a `send` may take, including redirects, retries and waits, unlimited by default; then it
    /// fails with a ``TransportError`` of the code `timedOut`.
    ///
    /// Mapping the response does not count, nor does reading a stream. A client that ignores cancellation delays
    /// `send`. The client's ``APIClient/clock`` times it.
    public var deadline: Duration?

    /// The most bytes of a response's body in memory, 64 MiB by default, `.max` for no limit; a larger body fails with a
    /// ``TransportError`` of the code `bodyTooLarge`.
    ///
    /// For a body delivered as data, this limits its size; for a stream, the bytes that have arrived and are not read
    /// yet, if the engine cannot make the server wait. A file may have any size.
    public var sizeLimit: Int {
        get { ownSizeLimit ?? 64 << 20 }
        set { ownSizeLimit = newValue }
    }

    /// How redirects are handled. By default, up to 20 are followed.
    public var redirects: RedirectPolicy {
        get { ownRedirects ?? .follow(limit: 20) }
        set { ownRedirects = newValue }
    }

    /// The hosts that may receive a request's credentials after a redirect; empty by default. An endpoint's hosts are
    /// added to those of its API.
    ///
    /// Name a host if the API redirects to it and it needs the same headers, for example a second region. Names are
    /// exact, without a port, and ignore case: `"eu.example.com"` does not include its subdomains. A host receives
    /// credentials only over https, or over the scheme of the request's original URL.
    public var credentialHosts: Set<String>

    /// Whether a redirect may carry the request's body to another origin, as 307 and 308 do, and 301 and 302 for
    /// methods other than POST (RFC 9110, sections 15.4.2 to 15.4.9); true by default.
    ///
    /// If false, such a redirect fails with a ``TransportError`` of the code `redirectRefused`, unless
    /// ``credentialHosts`` lists the host. Choose false for bodies that contain secrets, such as a password or a
    /// refresh token.
    public var sendsBodyAcrossOrigins: Bool {
        get { ownSendsBodyAcrossOrigins ?? true }
        set { ownSendsBodyAcrossOrigins = newValue }
    }

    /// Whether the request may be sent again although its method is not idempotent; false by default.
    ///
    /// Choose true for a POST that only asks, such as a search or a GraphQL query: if its connection breaks before the
    /// response, the engine sends it again once, and the `retrying` client treats it like a GET. A request with an
    /// `Idempotency-Key` needs no option.
    public var isRepeatable: Bool {
        get { ownIsRepeatable ?? false }
        set { ownIsRepeatable = newValue }
    }

    /// Whether clients add credentials to the request; by default they do.
    ///
    /// Choose ``Authorization/none`` for a login, which needs no credential; what an API chooses, its endpoints cannot
    /// undo.
    public var authorization: Authorization

    /// Creates options; unspecified values are those of the API, or their defaults.
    public init(
        timeout: Duration? = nil,
        deadline: Duration? = nil,
        sizeLimit: Int? = nil,
        redirects: RedirectPolicy? = nil,
        credentialHosts: Set<String> = [],
        sendsBodyAcrossOrigins: Bool? = nil,
        isRepeatable: Bool? = nil,
        authorization: Authorization = .automatic
    ) {
        ownTimeout = timeout
        self.deadline = deadline
        ownSizeLimit = sizeLimit
        ownRedirects = redirects
        self.credentialHosts = credentialHosts
        ownSendsBodyAcrossOrigins = sendsBodyAcrossOrigins
        ownIsRepeatable = isRepeatable
        self.authorization = authorization
    }

    /// These options, with what they leave open as other options say.
    func addingMissing(from other: RequestOptions) -> RequestOptions {
        RequestOptions(
            timeout: ownTimeout ?? other.ownTimeout,
            deadline: deadline ?? other.deadline,
            sizeLimit: ownSizeLimit ?? other.ownSizeLimit,
            redirects: ownRedirects ?? other.ownRedirects,
            credentialHosts: credentialHosts.union(other.credentialHosts),
            sendsBodyAcrossOrigins: ownSendsBodyAcrossOrigins ?? other.ownSendsBodyAcrossOrigins,
            isRepeatable: ownIsRepeatable ?? other.ownIsRepeatable,
            authorization: authorization == .automatic ? other.authorization : authorization)
    }
}

extension RequestOptions {
    /// Whether two options have the same effect, whatever was left unspecified.
    public static func == (left: RequestOptions, right: RequestOptions) -> Bool {
        left.timeout == right.timeout && left.deadline == right.deadline && left.sizeLimit == right.sizeLimit
            && left.redirects == right.redirects && left.credentialHosts == right.credentialHosts
            && left.sendsBodyAcrossOrigins == right.sendsBodyAcrossOrigins && left.isRepeatable == right.isRepeatable
            && left.authorization == right.authorization
    }

    /// Hashes what has an effect.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(timeout)
        hasher.combine(deadline)
        hasher.combine(sizeLimit)
        hasher.combine(redirects)
    }
}

extension RequestOptions: CustomReflectable {
    /// The options as they take effect.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "timeout": timeout, "deadline": deadline as Any, "sizeLimit": sizeLimit, "redirects": redirects,
                "credentialHosts": credentialHosts, "sendsBodyAcrossOrigins": sendsBodyAcrossOrigins,
                "isRepeatable": isRepeatable, "authorization": authorization,
            ])
    }
}

extension RequestOptions {
    /// Whether the `authorized` client adds a credential to a request.
    public enum Authorization: Sendable, Hashable {
        /// Adds the client's credential to requests for the base URLs that the client names.
        case automatic
        /// Sends the request as it is.
        case none
    }

    /// How redirects are handled.
    public enum RedirectPolicy: Sendable, Hashable {
        /// Follows redirects by the rules of RFC 9110, section 15.4, up to a limit; more of them fail with a
        /// ``TransportError`` of the code `tooManyRedirects`.
        ///
        /// A request to another origin (scheme, host or port) drops its credentials, unless
        /// ``RequestOptions/credentialHosts`` lists the host; ``HTTPRequest/validated()`` lists the headers that
        /// remain. It keeps a body that RFC 9110 keeps, unless ``RequestOptions/sendsBodyAcrossOrigins`` is false. A
        /// redirect from https to http is refused.
        ///
        /// A `Location` that is empty, or only a fragment, names the request's own URL (RFC 3986, section 4.4). It is
        /// followed if the method changes to GET; otherwise the redirect itself is the response.
        case follow(limit: Int)
        /// Returns the redirect itself as the response.
        case refuse
    }
}
