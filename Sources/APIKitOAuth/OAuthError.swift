public import APIKitCore

/// Why there is no token to send: the server is not what it claims to be, it refused, or the user did not sign in.
///
/// A request that needed the token fails with an `APIError` that is `transport`; this error is the `underlying` error
/// of its ``TransportError``. No text of it contains a token, a code or another secret.
///
/// ```swift
/// do {
///     try await account.signIn()
/// } catch let error as OAuthError where error.code == .refused {
///     print(error.serverCode ?? "")  // for example access_denied
/// }
/// ```
public struct OAuthError: Error, Sendable {
    /// The kind of failure.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The metadata of the authorization server or of the API cannot be found, or cannot be trusted.
        public static let discoveryFailed = Code(rawValue: "discoveryFailed")
        /// A URL is invalid, has neither the scheme https nor a loopback host, or is a loopback URL that a server
        /// elsewhere has named. Nothing was sent to it.
        public static let insecureURL = Code(rawValue: "insecureURL")
        /// The authorization server does not offer what the flow needs, for example PKCE with S256.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A value of the program cannot be used: a further parameter that the sign-in sets itself, a redirect URI that
        /// the presentation cannot receive, or a client assertion that cannot be sent. Nothing was sent.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The redirect does not belong to this sign-in: its `state` or its `iss` is wrong (RFC 9207).
        public static let redirectRejected = Code(rawValue: "redirectRejected")
        /// The authorization server refused. ``OAuthError/serverCode`` says why.
        public static let refused = Code(rawValue: "refused")
        /// The authorization server cannot respond now: its status is 429, or 500 and above. A later attempt may
        /// succeed.
        public static let serverFailed = Code(rawValue: "serverFailed")
        /// The API refuses tokens that were just issued, so that a new sign-in would not help.
        public static let refusedByAPI = Code(rawValue: "refusedByAPI")
        /// The authorization server's response is not what OAuth requires.
        public static let badResponse = Code(rawValue: "badResponse")
        /// The user did not complete the sign-in in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The user closed the page of the authorization server.
        public static let cancelledByUser = Code(rawValue: "cancelledByUser")
        /// There is no token, and the user may not be asked: `signsInAutomatically` is false, or requests have led to
        /// five sign-ins within a minute. Call ``OAuth/signIn(addingScopes:)``.
        public static let signInRequired = Code(rawValue: "signInRequired")
        /// The page of the authorization server could not be shown, or its redirect could not be received.
        public static let presentationFailed = Code(rawValue: "presentationFailed")
        /// The store could not be read, written or locked, or its contents are damaged.
        public static let storeFailed = Code(rawValue: "storeFailed")
    }

    /// The kind of failure.
    public let code: Code
    /// What went wrong and what to do, without secrets.
    public let message: String
    /// The error code that the server returned, such as `access_denied` or `invalid_client` (RFC 6749, sections 4.1.2.1
    /// and 5.2); nil if the server did not return one.
    public let serverCode: String?
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Creates an error, for example in a store or a presentation of your own.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What went wrong. Do not put a secret into it.
    ///   - serverCode: The error code that the server returned.
    ///   - underlying: The error that caused this one.
    public init(
        _ code: Code, _ message: String, serverCode: String? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.serverCode = serverCode
        self.underlying = underlying
    }
}

extension OAuthError: CustomStringConvertible, LocalizedError {
    /// The message.
    public var description: String { message }

    /// The message.
    public var errorDescription: String? { message }
}
