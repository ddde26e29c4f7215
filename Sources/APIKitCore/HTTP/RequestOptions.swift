/// How a request is sent: its limits of time and size, over which networks, and how redirects are handled.
///
/// A call's options override the endpoint's, which override the API's. A value that is nil in all of them has its
/// default.
///
/// ```swift
/// var options: RequestOptions {
///     RequestOptions(timeout: .seconds(10), deadline: .seconds(30))
/// }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// The longest time without a byte, 60 seconds by default; then a request fails with a ``TransportError`` of the
    /// code `timedOut`.
    ///
    /// It applies to each attempt, and also runs while a request waits for a free connection. Of a compressed body,
    /// only decoded bytes count on Linux.
    public var timeout: TimeLimit?

    /// The longest time that a `send` may take, including redirects, retries, waits and reading a stream, unlimited by
    /// default; then it fails with a ``TransportError`` of the code `timedOut`, and so does the loop over a stream.
    ///
    /// The time for mapping the response is not included. A client that ignores cancellation delays `send`. An endpoint
    /// lifts the deadline of its API with `.unlimited`. Clients may change the deadline until the request reaches an
    /// engine.
    public var deadline: TimeLimit?

    /// The maximum number of bytes of a response's body in memory, 64 MiB by default, `.max` for no limit. A larger
    /// body fails with a ``TransportError`` of the code `bodyTooLarge`.
    ///
    /// For a body delivered as data, this limits its size; for a stream, the bytes that have arrived and are not read
    /// yet, if the engine cannot make the server wait. A file may have any size.
    public var sizeLimit: Int?

    /// Whether the request may use an expensive network, such as most cellular ones and personal hotspots; true by
    /// default.
    ///
    /// If false and there is no other network, it fails with a ``TransportError`` of the code `cannotConnect`. This
    /// option and ``allowsConstrainedNetworkAccess`` have an effect only with `URLSession` on Apple's platforms.
    public var allowsExpensiveNetworkAccess: Bool?

    /// Whether the request may use a network for which the user has chosen Low Data Mode; true by default.
    public var allowsConstrainedNetworkAccess: Bool?

    /// The longest time from when a request begins to wait for a network until its response begins, unlimited by
    /// default; then it fails with a ``TransportError`` of the code `cannotConnect`.
    ///
    /// Requests wait only over a `URLSession` on Apple's platforms whose configuration has `waitsForConnectivity`; its
    /// ``timeout`` starts once there is a network. Without one, any other engine fails at once.
    public var connectivityTimeout: TimeLimit?

    /// How redirects are handled. By default, up to 20 are followed.
    public var redirects: RedirectPolicy?

    /// The hosts that may receive a request's credentials after a redirect; empty by default. An endpoint's hosts are
    /// added to its API's hosts.
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
    public var sendsBodyAcrossOrigins: Bool?

    /// Whether the request may be sent again although its method is not idempotent; false by default.
    ///
    /// Choose true for a POST that only reads, such as a search or a GraphQL query, and for a PATCH that sets values,
    /// so that the second time changes nothing. If the connection breaks before the response, the engine sends the
    /// request again once, and the `retrying` client treats it like a GET. A request with an `Idempotency-Key` needs no
    /// option.
    public var isIdempotent: Bool?

    /// Whether `send` adds an `Idempotency-Key` with a random UUID, unless the request has one; false by default.
    ///
    /// All requests of one call have the same key: each attempt of a client, and each redirect. So a server that knows
    /// the header does the work once, and the request may be sent again (``HTTPRequest/isIdempotent``).
    public var sendsIdempotencyKey: Bool?

    /// How often the `retrying` client sends the request, and after which statuses it sends it again; by default, its
    /// policy decides.
    ///
    /// ```swift
    /// var options: RequestOptions {
    ///     RequestOptions(retries: .init(attempts: 5, statuses: [429, 503]))
    /// }
    /// ```
    public var retries: Retries?

    /// Whether engines compress the request's body with gzip, and add `Content-Encoding: gzip` (RFC 9110, section 8.4);
    /// false by default. Choose true only if the server is known to decode it: others respond with 400 or 415.
    ///
    /// It applies to bodies that are in memory, from 1,024 bytes. A file, a stream, a form with one of these, a body
    /// that already has a `Content-Encoding`, and one that would not become smaller are sent as they are. So is a part
    /// of an upload (`Content-Range`) and a body with a `Content-Digest`, `Repr-Digest`, `Digest` or `Content-MD5`, and
    /// every body if the system has no zlib, as in a program that is linked statically with musl.
    ///
    /// The body is compressed right before it is sent: clients, logs, stubs and recordings see the original one. So a
    /// signature of the bytes of the body in another header does not match what is sent.
    public var compressesBody: Bool?

    /// The names of headers and query items, besides those that are known, whose values descriptions, logs, errors and
    /// recordings mask; empty by default. Case does not matter. An endpoint's names are added to its API's names, and
    /// `authorized` adds the names of its credentials.
    public var secretNames: Set<String>

    /// Whether the `authorized` client adds its credential to the request; true by default.
    ///
    /// Choose false for a login, which needs no credential; an endpoint undoes that choice of its API with true.
    public var addsCredentials: Bool?

    /// Creates options; unspecified values are the API's, or the defaults.
    public init(
        timeout: TimeLimit? = nil,
        deadline: TimeLimit? = nil,
        sizeLimit: Int? = nil,
        redirects: RedirectPolicy? = nil,
        credentialHosts: Set<String> = [],
        sendsBodyAcrossOrigins: Bool? = nil,
        isIdempotent: Bool? = nil,
        sendsIdempotencyKey: Bool? = nil,
        retries: Retries? = nil,
        compressesBody: Bool? = nil,
        secretNames: Set<String> = [],
        addsCredentials: Bool? = nil,
        allowsExpensiveNetworkAccess: Bool? = nil,
        allowsConstrainedNetworkAccess: Bool? = nil,
        connectivityTimeout: TimeLimit? = nil
    ) {
        self.timeout = timeout
        self.deadline = deadline
        self.sizeLimit = sizeLimit
        self.redirects = redirects
        self.credentialHosts = credentialHosts
        self.sendsBodyAcrossOrigins = sendsBodyAcrossOrigins
        self.isIdempotent = isIdempotent
        self.sendsIdempotencyKey = sendsIdempotencyKey
        self.retries = retries
        self.compressesBody = compressesBody
        self.secretNames = secretNames
        self.addsCredentials = addsCredentials
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.connectivityTimeout = connectivityTimeout
    }

    /// The timeout or its default, limited so that adding it to another time cannot overflow.
    package var effectiveTimeout: Duration {
        let longest = Duration.seconds(1 << 30)
        switch timeout ?? .seconds(60) {
        case .after(let duration): return min(duration, longest)
        case .unlimited: return longest
        }
    }
    /// The size limit or its default.
    package var effectiveSizeLimit: Int { sizeLimit ?? 64 << 20 }
    /// The handling of redirects or its default.
    var effectiveRedirects: RedirectPolicy { redirects ?? .follow(limit: 20) }

    /// These options, with missing values taken from others.
    package func addingMissing(from other: RequestOptions) -> RequestOptions {
        var result = self
        result.timeout = timeout ?? other.timeout
        result.deadline = deadline ?? other.deadline
        result.sizeLimit = sizeLimit ?? other.sizeLimit
        result.redirects = redirects ?? other.redirects
        if !other.credentialHosts.isEmpty { result.credentialHosts.formUnion(other.credentialHosts) }
        result.sendsBodyAcrossOrigins = sendsBodyAcrossOrigins ?? other.sendsBodyAcrossOrigins
        result.isIdempotent = isIdempotent ?? other.isIdempotent
        result.sendsIdempotencyKey = sendsIdempotencyKey ?? other.sendsIdempotencyKey
        if let missing = other.retries { result.retries = retries?.addingMissing(from: missing) ?? missing }
        result.compressesBody = compressesBody ?? other.compressesBody
        if !other.secretNames.isEmpty { result.secretNames.formUnion(other.secretNames) }
        result.addsCredentials = addsCredentials ?? other.addsCredentials
        result.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess ?? other.allowsExpensiveNetworkAccess
        result.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess ?? other.allowsConstrainedNetworkAccess
        result.connectivityTimeout = connectivityTimeout ?? other.connectivityTimeout
        return result
    }
}

extension RequestOptions {
    /// How redirects are handled.
    public struct RedirectPolicy: Sendable, Hashable {
        /// The maximum number of redirects; nil if none is followed, so that a redirect is the response.
        let limit: Int?

        /// Follows redirects by the rules of RFC 9110, section 15.4, up to a limit; more of them fail with a
        /// ``TransportError`` of the code `tooManyRedirects`.
        ///
        /// A request to another origin (scheme, host or port) drops its credentials, unless
        /// ``RequestOptions/credentialHosts`` lists the host; ``Call`` lists the headers that remain. It keeps a body
        /// that RFC 9110 keeps, unless ``RequestOptions/sendsBodyAcrossOrigins`` is false. A redirect from https to
        /// http is refused.
        ///
        /// At most 64 KiB of the body of a redirect that is followed are received.
        ///
        /// A `Location` that is empty, or only a fragment, names the request's own URL (RFC 3986, section 4.4). It is
        /// followed if the method changes to GET; otherwise the redirect itself is the response.
        public static func follow(limit: Int) -> RedirectPolicy { RedirectPolicy(limit: limit) }
        /// Returns the redirect itself as the response.
        public static let refuse = RedirectPolicy(limit: nil)
    }
}

extension RequestOptions {
    /// A limit of time: a duration such as `.seconds(10)`, or `.unlimited`.
    public enum TimeLimit: Sendable, Hashable {
        /// The time ends after a duration.
        case after(Duration)
        /// There is no limit. This overrides a limit of the API's options.
        case unlimited

        /// The time ends after a number of seconds.
        public static func seconds(_ seconds: some BinaryInteger) -> TimeLimit { .after(.seconds(seconds)) }
        /// The time ends after a number of seconds.
        public static func seconds(_ seconds: Double) -> TimeLimit { .after(.seconds(seconds)) }
        /// The time ends after a number of milliseconds.
        public static func milliseconds(_ milliseconds: some BinaryInteger) -> TimeLimit {
            .after(.milliseconds(milliseconds))
        }

        /// The duration; nil if there is no limit.
        public var duration: Duration? {
            switch self {
            case .after(let duration): duration
            case .unlimited: nil
            }
        }
    }
}

extension RequestOptions.TimeLimit: CustomStringConvertible {
    /// The duration, or `unlimited`.
    public var description: String {
        switch self {
        case .after(let duration): duration.description
        case .unlimited: "unlimited"
        }
    }
}
