import APIKitCore
import APIKitSupport

/// The redirect with which a server answers an authorization request (RFC 6749, section 4.1.2).
struct AuthorizationRedirect: Sendable {
    private let url: URL
    private let parameters: [String: [String]]

    init(_ url: URL) {
        self.url = url
        var parameters: [String: [String]] = [:]
        for item in url.queryItems {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0], as: UTF8.self).fullyDecoded
            let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self).fullyDecoded : ""
            parameters[name, default: []].append(value)
        }
        self.parameters = parameters
    }

    /// Checks that the redirect belongs to this sign-in, and comes from this server, before anything in it is used. It
    /// may come from anyone: a page in the browser, or another program on the computer.
    ///
    /// - Throws: ``OAuthError`` with the code `redirectRejected`.
    func check(redirectURI: String, state: String, server: AuthorizationServer) throws(OAuthError) {
        guard RedirectAddress(url.absoluteString) == RedirectAddress(redirectURI) else {
            throw OAuthError(.redirectRejected, "the sign-in ended at another URL than the redirect URI")
        }
        let repeated = ["state", "iss", "code", "error"].first { (parameters[$0] ?? []).count > 1 }
        if let repeated {
            throw OAuthError(.redirectRejected, "the redirect has more than one \(repeated)")
        }
        guard value("state")?.utf8.elementsEqual(state.utf8) == true else {
            throw OAuthError(.redirectRejected, "the redirect does not belong to this sign-in: its state is wrong")
        }
        try checkIssuer(server)
    }

    /// Compares the issuer as text (RFC 9207, section 2.4), so that a code of one server is never sent to another one.
    private func checkIssuer(_ server: AuthorizationServer) throws(OAuthError) {
        guard let issuer = server.issuer else { return }
        guard let named = value("iss") else {
            if server.promisesIssuerParameter {
                throw OAuthError(
                    .redirectRejected, "the redirect does not name its issuer (RFC 9207)\(claimedError)")
            }
            return
        }
        guard named.utf8.elementsEqual(issuer.utf8) else {
            let message =
                "the redirect is from the issuer \(ServerURL.quoted(named)), and not from \(ServerURL.quoted(issuer))"
            throw OAuthError(.redirectRejected, message)
        }
    }

    /// The error in a redirect without an issuer, for the error's text: some servers leave `iss` out of refusals. Only
    /// the usual codes are repeated.
    private var claimedError: String {
        guard let error = value("error") else { return "" }
        let isWord = error.allSatisfy { character in
            let isLetter = character.isASCII && character.isLetter
            return isLetter || character == "_"
        }
        guard isWord, error.count <= 40 else { return "" }
        return " (it says \(error))"
    }

    /// The code that is redeemed for tokens.
    ///
    /// - Throws: ``OAuthError`` if the server has refused, or if there is no code.
    func code() throws(OAuthError) -> String {
        if let error = value("error") {
            let refusal = ServerRefusal(error: error, error_description: value("error_description"))
            throw AuthorizationServerClient.error(
                for: refusal, hiding: [value("code"), value("state")].compactMap { $0 })
        }
        guard let code = value("code"), !code.isEmpty else {
            throw OAuthError(.redirectRejected, "the redirect has neither a code nor an error")
        }
        return code
    }

    private func value(_ name: String) -> String? { parameters[name]?.first }
}
