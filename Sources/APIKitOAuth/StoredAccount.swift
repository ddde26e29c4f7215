/// What a ``TokenStore`` keeps for one account: the tokens, and the registration of the client.
///
/// Descriptions never show a token or a secret.
public struct StoredAccount: Sendable, Hashable, Codable {
    /// The tokens; nil if there are none, for example after a registration whose sign-in was not completed.
    public var tokens: OAuthTokens?
    /// The client that the authorization server has registered dynamically; nil if the client was known before.
    public var client: RegisteredClient?

    /// Creates an account.
    public init(tokens: OAuthTokens? = nil, client: RegisteredClient? = nil) {
        self.tokens = tokens
        self.client = client
    }
}

extension StoredAccount: CustomStringConvertible, CustomReflectable {
    /// The tokens and the client without their secrets.
    public var description: String {
        MaskedDescription("StoredAccount")
            .value("tokens", tokens)
            .value("client", client)
            .text
    }

    /// A mirror without children, so that `dump` does not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
