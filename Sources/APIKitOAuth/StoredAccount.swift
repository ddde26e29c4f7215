import APIKitCore

/// What a ``TokenStore`` keeps for one key: the tokens, and the registration of the client.
///
/// It is at most 128 KiB of JSON, since an authorization server chooses most of it. Descriptions never show a token or
/// a secret.
public struct StoredAccount: Sendable, Hashable, Codable {
    /// The tokens; nil if there are none, for example after a registration whose sign-in was not completed.
    public var tokens: OAuthTokens?
    /// The client that the authorization server has registered dynamically; nil if the client was known before.
    public var client: RegisteredClient?
    /// The keys of the accounts of an API that names its authorization server, the oldest first; nil for an account
    /// with tokens. This list has a key of its own, and limits what the servers of one API can store.
    public var accountKeys: [String]?

    /// Creates an account.
    public init(tokens: OAuthTokens? = nil, client: RegisteredClient? = nil, accountKeys: [String]? = nil) {
        self.tokens = tokens
        self.client = client
        self.accountKeys = accountKeys
    }
}

extension StoredAccount: CustomStringConvertible, CustomReflectable {
    /// The tokens and the client without their secrets.
    public var description: String {
        MaskedDescription("StoredAccount")
            .value("tokens", tokens)
            .value("client", client)
            .value("accountKeys", accountKeys)
            .text
    }

    /// A mirror without children, so that `dump` does not show the secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension StoredAccount {
    /// Whether it has more bytes as JSON than a store keeps.
    var isTooLarge: Bool {
        get throws { try JSONEncoder().encode(self).count > StorageLimits.account }
    }
}

/// How much is stored of what an authorization server, or an API that names it, has sent. Without limits, the accounts
/// of one hostile server would leave no room for those of others.
enum StorageLimits {
    /// The bytes of one text: an ID, a secret, a token, a list of scopes, the other members of a response.
    static let text = 16 << 10
    /// The bytes of an account as JSON.
    static let account = 128 << 10
    /// The bytes of a key.
    static let key = 4 << 10
    /// The accounts of an API that names its authorization server. An honest one moves to another server rarely.
    static let accountsOfAPI = 4

    /// Checks the length of a text that is to be stored.
    ///
    /// - Throws: ``OAuthError`` with the code `badResponse` if it is too long.
    static func check(_ text: String?, _ name: String) throws(OAuthError) {
        guard let text, text.utf8.count > self.text else { return }
        throw OAuthError(.badResponse, "\(name) of the authorization server is longer than 16 KiB")
    }
}
