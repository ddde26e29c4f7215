import APIKitClients
import APIKitCore
import APIKitSupport

/// A refusal by an API: what its `WWW-Authenticate` header says about tokens (RFC 6750, section 3; RFC 9728, section
/// 5.1).
struct Refusal: Sendable {
    let challenge: AuthenticationChallenge?
    /// The method and the path that were refused.
    let operation: String
    private let url: URL
    private let status: Int

    init(_ response: HTTPResponse) {
        url = response.head.url
        status = response.head.status
        let challenges = response.head.headers.challenges.filter { $0.scheme == .bearer || $0.scheme == .dpop }
        challenge = challenges.first { $0["error"] != nil } ?? challenges.first
        let path = response.head.url.absoluteString.prefix { !"?#".contains($0) }
        operation = "\(response.request?.method.rawValue ?? "") \(path)"
    }

    /// The challenge, if it comes from the server of an API. Another server to which the program sends the same tokens
    /// must not choose the authorization server of that API.
    func challenge(by api: ServerURL) -> AuthenticationChallenge? {
        url.hasSameOrigin(as: api.url) ? challenge : nil
    }

    /// Whether the token is invalid, or missing. A server that wants a nonce in a proof has not looked at the token
    /// (RFC 9449, section 9).
    var meansInvalidToken: Bool { status == 401 && challenge?["error"] != "use_dpop_nonce" }

    /// Whether the token is valid, but its scopes do not suffice.
    var asksForMoreScopes: Bool { status == 403 && challenge?["error"] == "insufficient_scope" }

    /// The status and the error code, for an error text.
    var summary: String {
        guard let error = challenge?["error"] else { return "\(status)" }
        // A terminal would obey control characters.
        let isPlain = error.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? "\(status), \(Masking.masked(error).prefix(40))" : "\(status)"
    }

    /// The scopes that the API asks for.
    var scopes: [String] { challenge?["scope"]?.split(separator: " ").map(String.init) ?? [] }
}
