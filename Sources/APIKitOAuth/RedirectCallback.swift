import APIKitCore

/// How the system's sheet recognizes a redirect.
///
/// | Redirect URI | Callback |
/// | --- | --- |
/// | `com.example.app:/callback` | the scheme |
/// | `https://example.com/callback` | the host and the path, both of which have to be there |
/// | `http://127.0.0.1/callback` | none: the system would end the app |
/// | anything else | none |
enum RedirectCallback: Equatable {
    case scheme(String)
    case https(host: String, path: String)

    /// Reads a redirect URI.
    ///
    /// - Throws: ``OAuthError`` with the code `invalidConfiguration` if the sheet cannot receive it.
    init(redirectURI: String) throws(OAuthError) {
        let quoted = ServerURL.quoted(redirectURI)
        guard let components = URLComponents(string: redirectURI), let scheme = components.scheme else {
            throw OAuthError(
                .invalidConfiguration,
                "\(quoted) is not a redirect URI: it has no scheme, as in com.example.app:/callback")
        }
        switch scheme.lowercased() {
        case "https":
            guard let host = components.host, !host.isEmpty, !components.path.isEmpty else {
                throw OAuthError(
                    .invalidConfiguration,
                    "the redirect URI \(quoted) needs a host and a path, as in https://example.com/callback")
            }
            self = .https(host: host, path: components.path)
        case "http":
            throw OAuthError(
                .invalidConfiguration,
                "the redirect URI \(quoted) cannot be received by the system's sheet: use https "
                    + "or a scheme of your own")
        default:
            self = .scheme(scheme)
        }
    }
}
