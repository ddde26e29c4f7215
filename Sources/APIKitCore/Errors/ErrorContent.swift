import APIKitSupport

/// The content of a ``TransportError`` or a ``RequestError``, which the copies of the error share.
///
/// Each function that can throw such an error has code that copies and destroys it. That code is short because the
/// content is a single reference.
final class ErrorContent: Sendable {
    let code: String
    let message: String?
    let method: HTTPMethod?
    let url: URL?
    let underlying: (any Error)?
    /// The name of the endpoint's type, if it is known.
    let endpoint: String?
    /// Values of the URL that the request's path or options name as secrets.
    private let secrets: [String]

    /// Creates the content.
    ///
    /// Not inlined, since many functions create errors and each would contain this code.
    @inline(never)
    init(
        _ code: String, _ message: String?, method: HTTPMethod?, url: URL?, underlying: (any Error)? = nil,
        endpoint: String? = nil, secrets: [String] = []
    ) {
        self.code = code
        self.message = message
        self.method = method
        self.url = url
        self.underlying = underlying
        self.endpoint = endpoint
        self.secrets = secrets
    }

    /// Returns the same content with the known parts of a request. Parts that it already has are kept.
    func withRequest(
        method: HTTPMethod?, url: URL?, endpoint: String? = nil, secrets: [String] = []
    ) -> ErrorContent {
        ErrorContent(
            code, message, method: self.method ?? method, url: self.url ?? url, underlying: underlying,
            endpoint: self.endpoint ?? endpoint, secrets: self.secrets + secrets)
    }

    /// The method and the URL with secrets masked, and the endpoint; empty if none of them is known.
    var request: String {
        var parts: [String] = []
        if let method { parts.append(shown(method.rawValue)) }
        if let url { parts.append(shown(url.absoluteString)) }
        if let endpoint { parts.append(shown("(\(endpoint))")) }
        return parts.joined(separator: " ")
    }

    /// Returns a text of the error with secrets masked, cut to 1,000 bytes.
    func shown(_ text: String) -> String {
        Masking.bounded(Masking.masked(Masking.masked(text, hiding: secrets)))
    }
}
