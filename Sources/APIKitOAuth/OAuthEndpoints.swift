import APIKitCore

/// The URLs of an authorization server that publishes no metadata, or whose URLs are known anyway.
///
/// ```swift
/// let gitHub = OAuthEndpoints(
///     authorization: "https://github.com/login/oauth/authorize",
///     token: "https://github.com/login/oauth/access_token",
///     deviceAuthorization: "https://github.com/login/device/code")
/// ```
///
/// A server with metadata is better named by its issuer: its metadata says what it supports, and its redirects are
/// checked for its name (RFC 9207).
public struct OAuthEndpoints: Sendable, Hashable {
    /// The authorization endpoint (RFC 6749, section 3.1); required for the authorization code flow.
    public var authorization: String?
    /// The token endpoint (RFC 6749, section 3.2).
    public var token: String
    /// The device authorization endpoint (RFC 8628); required for the device code flow.
    public var deviceAuthorization: String?
    /// The revocation endpoint (RFC 7009); nil if there is none.
    public var revocation: String?

    /// Creates the URLs. Each has to be https, or http with a loopback host; others are an ``OAuthError`` with the code
    /// `insecureURL` when they are used.
    public init(
        authorization: String? = nil, token: String, deviceAuthorization: String? = nil, revocation: String? = nil
    ) {
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
        self.revocation = revocation
    }
}
