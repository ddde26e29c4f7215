import APIKit
import APIKitOAuth

nonisolated extension OAuth {
    /// A source of tokens for the Access API, which obtains, keeps and renews them.
    ///
    /// The description calls it token.
    ///
    /// The description has the URLs for the flow `.authorizationCode`.
    ///
    /// ```swift
    /// let account = OAuth.accessAuthorizationCode(
    ///     clientID: "my-app", scopes: [.notesRead], flow: .authorizationCode(present: .browser))
    /// let client = URLSession.api.authorized(by: account, for: .access)
    /// ```
    ///
    /// `otherScopes` are scopes that the description does not name, such as `offline_access`, with which many servers
    /// issue refresh tokens.
    static func accessAuthorizationCode(
        clientID: String,
        authentication: ClientAuthentication = .none,
        scopes: [AccessOAuth.Scope] = [],
        otherScopes: [String] = [],
        resource: String? = nil,
        store: some TokenStore = .memory,
        flow: OAuthFlow,
        signsInAutomatically: Bool = true,
        client: any APIClient = URLSession.api
    ) -> OAuth {
        OAuth(
            endpoints: OAuthEndpoints(
                authorization: AccessOAuth.authorizationURL,
                token: AccessOAuth.authorizationCodeTokenURL
            ),
            clientID: clientID,
            authentication: authentication,
            scopes: scopes.map(\.rawValue) + otherScopes,
            resource: resource,
            store: store,
            flow: flow,
            signsInAutomatically: signsInAutomatically,
            client: client
        )
    }

    /// A source of tokens for the Access API, which obtains, keeps and renews them.
    ///
    /// The description calls it token.
    ///
    /// The program signs in as itself, without a user (client credentials).
    ///
    /// ```swift
    /// let account = OAuth.accessClientCredentials(
    ///     clientID: "my-app", authentication: .basic(secret: secret), scopes: [.notesRead])
    /// let client = URLSession.api.authorized(by: account, for: .access)
    /// ```
    ///
    /// `otherScopes` are scopes that the description does not name.
    static func accessClientCredentials(
        clientID: String,
        authentication: ClientAuthentication,
        scopes: [AccessOAuth.Scope] = [],
        otherScopes: [String] = [],
        resource: String? = nil,
        store: some TokenStore = .memory,
        client: any APIClient = URLSession.api
    ) -> OAuth {
        OAuth(
            endpoints: OAuthEndpoints(token: AccessOAuth.clientCredentialsTokenURL),
            clientID: clientID,
            authentication: authentication,
            scopes: scopes.map(\.rawValue) + otherScopes,
            resource: resource,
            store: store,
            flow: .clientCredentials,
            client: client
        )
    }

    /// A source of tokens for the Access API, which obtains, keeps and renews them.
    ///
    /// The description calls it login.
    ///
    /// The server's metadata says which flows it supports. If the issuer in it ends with a slash, add one here, too.
    ///
    /// ```swift
    /// let account = OAuth.accessLogin(
    ///     clientID: "my-app", scopes: [.notesRead], flow: .authorizationCode(present: .browser))
    /// let client = URLSession.api.authorized(by: account, for: .access)
    /// ```
    ///
    /// `otherScopes` are scopes that the description does not name, such as `offline_access`, with which many servers
    /// issue refresh tokens.
    static func accessLogin(
        clientID: String,
        authentication: ClientAuthentication = .none,
        scopes: [AccessOAuth.Scope] = [],
        otherScopes: [String] = [],
        resource: String? = nil,
        store: some TokenStore = .memory,
        flow: OAuthFlow,
        signsInAutomatically: Bool = true,
        client: any APIClient = URLSession.api
    ) -> OAuth {
        OAuth(
            issuer: "https://login.access.example.com",
            clientID: clientID,
            authentication: authentication,
            scopes: scopes.map(\.rawValue) + otherScopes,
            resource: resource,
            store: store,
            flow: flow,
            signsInAutomatically: signsInAutomatically,
            client: client
        )
    }
}
