public import APIKitClients
public import APIKitCore
public import APIKitFoundation
import APIKitSupport
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Obtains the tokens of OAuth 2.0, keeps them, and renews them before they expire and when they are refused.
///
/// ```swift
/// let account = OAuth(
///     issuer: "https://auth.example.com", clientID: "my-app", scopes: ["read"],
///     store: .file(folder.appending(path: "tokens.json")),
///     flow: .authorizationCode(present: .browser))
/// let client = URLSession.api.authorized(by: account, for: .shop)
/// let users = try await client.send(UsersRequest())  // opens the browser once
/// ```
///
/// It is a source of credentials for `authorized(by:for:)`: however many requests are waiting, tokens are obtained or
/// renewed once. Processes that share a store with a lock between processes, such as ``FileTokenStore``, also share its
/// tokens, and only one of them renews at a time.
///
/// New tokens are stored before they are used, so that a process that ends while it uses them does not lose them. A
/// request that is cancelled does not cancel a renewal that a server may already have answered.
///
/// ### Errors
///
/// If there is no token, a request that needs one fails with an `APIError` that is `transport`, whose `underlying`
/// error is an ``OAuthError``; it fails with the error of the connection if the authorization server cannot be reached.
/// If the API asks for scopes that were requested already, the caller receives its refusal.
///
/// Requests lead to at most five sign-ins within a minute, so that a user who closes the page does not see it again for
/// each request. Later ones fail with ``OAuthError/Code/signInRequired``; ``signIn(addingScopes:)`` always asks.
public final class OAuth: CredentialSource, Sendable {
    /// How the authorization server is found.
    enum ServerSource: Sendable {
        case issuer(String)
        case endpoints(OAuthEndpoints)
        /// By the metadata of the API.
        case protectedResource(String)
    }

    /// Who the program is.
    enum ClientSource: Sendable {
        case fixed(ClientIdentity)
        case oneOf([ClientRegistration])
    }

    let serverSource: ServerSource
    let clientSource: ClientSource
    /// The scopes of the program; nil if the API names them.
    let scopes: [String]?
    let resource: String?
    let parameters: OAuthParameters
    let store: any TokenStore
    let flow: OAuthFlow
    let signsInAutomatically: Bool
    /// The types of tokens that are sent as Bearer, besides `Bearer` itself.
    let bearerTokenTypes: [String]
    let client: any APIClient
    let state = Locked(State())

    // MARK: - Creating

    /// Creates a source for an authorization server that publishes its metadata (RFC 8414, OpenID Connect Discovery).
    ///
    /// - Parameters:
    ///   - issuer: The issuer, exactly as the server's metadata has it, such as `https://auth.example.com`.
    ///   - clientID: The ID that the program was registered with.
    ///   - authentication: How the program proves that it is this client.
    ///   - scopes: The scopes to request; empty for those that the server chooses.
    ///   - resource: The API that the tokens are for, if the server needs to know it (RFC 8707).
    ///   - parameters: Further parameters of the requests, such as `audience` or `prompt`.
    ///   - store: Where the tokens are kept.
    ///   - flow: How tokens are obtained if there are none.
    ///   - signsInAutomatically: Whether a request without tokens starts the flow, if that needs the user. If not, it
    ///     fails with ``OAuthError/Code/signInRequired``, and only ``signIn(addingScopes:)`` starts it.
    ///   - bearerTokenTypes: Other types of tokens that the API accepts as Bearer tokens, such as Slack's `user`.
    ///     Otherwise, a type that is neither `Bearer` nor `DPoP` is an error, since it says that tokens are sent in
    ///     another way (RFC 6749, section 7.1).
    ///   - client: Sends the requests to the authorization server. Its clock times them.
    public convenience init(
        issuer: String, clientID: String, authentication: ClientAuthentication = .none, scopes: [String] = [],
        resource: String? = nil, parameters: OAuthParameters = OAuthParameters(), store: some TokenStore = .memory,
        flow: OAuthFlow, signsInAutomatically: Bool = true, bearerTokenTypes: [String] = [],
        client: any APIClient = URLSession.api
    ) {
        self.init(
            .issuer(issuer), .fixed(ClientIdentity(id: clientID, authentication: authentication)), scopes: scopes,
            resource: resource, parameters: parameters, store: store, flow: flow,
            signsInAutomatically: signsInAutomatically, bearerTokenTypes: bearerTokenTypes, client: client)
    }

    /// Creates a source for an authorization server whose URLs are known.
    ///
    /// - Parameters:
    ///   - endpoints: The URLs.
    ///   - clientID: The ID that the program was registered with.
    ///   - authentication: How the program proves that it is this client.
    ///   - scopes: The scopes to request; empty for those that the server chooses.
    ///   - resource: The API that the tokens are for, if the server needs to know it (RFC 8707).
    ///   - parameters: Further parameters of the requests, such as `audience` or `prompt`.
    ///   - store: Where the tokens are kept.
    ///   - flow: How tokens are obtained if there are none.
    ///   - signsInAutomatically: Whether a request without tokens starts the flow, if that needs the user.
    ///   - bearerTokenTypes: Other types of tokens that the API accepts as Bearer tokens, such as Slack's `user`.
    ///     Otherwise, a type that is neither `Bearer` nor `DPoP` is an error, since it says that tokens are sent in
    ///     another way (RFC 6749, section 7.1).
    ///   - client: Sends the requests to the authorization server. Its clock times them.
    public convenience init(
        endpoints: OAuthEndpoints, clientID: String, authentication: ClientAuthentication = .none,
        scopes: [String] = [], resource: String? = nil, parameters: OAuthParameters = OAuthParameters(),
        store: some TokenStore = .memory, flow: OAuthFlow, signsInAutomatically: Bool = true,
        bearerTokenTypes: [String] = [], client: any APIClient = URLSession.api
    ) {
        self.init(
            .endpoints(endpoints), .fixed(ClientIdentity(id: clientID, authentication: authentication)),
            scopes: scopes, resource: resource, parameters: parameters, store: store, flow: flow,
            signsInAutomatically: signsInAutomatically, bearerTokenTypes: bearerTokenTypes, client: client)
    }

    /// Creates a source for an API that says which authorization server it trusts (RFC 9728), such as a server of the
    /// Model Context Protocol.
    ///
    /// ```swift
    /// let account = OAuth(
    ///     resource: "https://mcp.example.com/mcp", clients: [.dynamic(name: "My App")],
    ///     flow: .authorizationCode(present: .browser))
    /// ```
    ///
    /// The first request is sent without a token. Its refusal names the authorization server and the scopes.
    ///
    /// - Parameters:
    ///   - resource: The URL of the API, the protected resource.
    ///   - clients: The clients that the program can be: one that was registered by hand at the authorization server,
    ///     otherwise one with a document, if the server accepts that, and otherwise one that registers itself.
    ///   - scopes: The scopes to request; nil for those that the API names.
    ///   - parameters: Further parameters of the requests, such as `audience` or `prompt`.
    ///   - store: Where the tokens are kept.
    ///   - flow: How tokens are obtained if there are none.
    ///   - signsInAutomatically: Whether a request without tokens starts the flow, if that needs the user.
    ///   - bearerTokenTypes: Other types of tokens that the API accepts as Bearer tokens, such as Slack's `user`.
    ///     Otherwise, a type that is neither `Bearer` nor `DPoP` is an error, since it says that tokens are sent in
    ///     another way (RFC 6749, section 7.1).
    ///   - client: Sends the requests to the authorization server and for the metadata. Its clock times them.
    public convenience init(
        resource: String, clients: [ClientRegistration], scopes: [String]? = nil,
        parameters: OAuthParameters = OAuthParameters(), store: some TokenStore = .memory, flow: OAuthFlow,
        signsInAutomatically: Bool = true, bearerTokenTypes: [String] = [], client: any APIClient = URLSession.api
    ) {
        self.init(
            .protectedResource(resource), .oneOf(clients), scopes: scopes, resource: nil, parameters: parameters,
            store: store, flow: flow, signsInAutomatically: signsInAutomatically, bearerTokenTypes: bearerTokenTypes,
            client: client)
    }

    private init(
        _ serverSource: ServerSource, _ clientSource: ClientSource, scopes: [String]?, resource: String?,
        parameters: OAuthParameters, store: any TokenStore, flow: OAuthFlow, signsInAutomatically: Bool,
        bearerTokenTypes: [String], client: any APIClient
    ) {
        self.serverSource = serverSource
        self.clientSource = clientSource
        self.scopes = scopes
        self.resource = resource
        self.parameters = parameters
        self.store = store
        self.flow = flow
        self.signsInAutomatically = signsInAutomatically
        self.bearerTokenTypes = bearerTokenTypes
        self.client = client
    }

    // MARK: - The account

    /// Obtains tokens now, unless there are valid ones: with a refresh token, or else by the flow.
    ///
    /// The flow starts even if there are valid tokens, if the program has scopes that were not requested for them, such
    /// as one that an update has added, or if the API does not accept them. It also starts if the server refuses the
    /// refresh token, for whatever reason.
    ///
    /// - Parameter scopes: Scopes to request besides those that were requested before. If any has not been granted, the
    ///   flow starts even if it was requested before.
    /// - Throws: ``OAuthError``; the errors of the connection, the store and the presentation; `CancellationError`.
    public func signIn(addingScopes scopes: [String] = []) async throws {
        let unaccepted = state.withLock { $0.unaccepted }
        let reason = Reason.signIn(addingScopes: scopes, replacing: unaccepted)
        let hasTokens = try await useStoredTokens(for: reason)
        if hasTokens { return }
        _ = try await renewCredential(for: reason)
    }

    /// Removes the tokens from the store, and then revokes them, if the server offers that (RFC 7009). If one of them
    /// cannot be revoked, the other one still is.
    ///
    /// An API that names its authorization server has to be reachable, unless a request has been sent to it before.
    ///
    /// - Throws: The errors of the store, in which case the tokens are still there; ``OAuthError`` and the errors of
    ///   the connection if a token could not be revoked: then the tokens are removed from the store, but may remain
    ///   valid at the server.
    public func signOut() async throws {
        var issuingTarget: Target?
        let key: String
        if let keyWithoutDiscovery {
            key = keyWithoutDiscovery
        } else {
            // Before anything else: an API may name another server meanwhile, which must not receive these tokens.
            let target = try await targetOfTokens()
            issuingTarget = target
            key = target.key
        }
        let account = try await withStoreLock(for: key) { () -> StoredAccount? in
            let stored = try await self.store.load(for: key)
            let unsaved = self.state.withLock { $0.unsaved[key] }
            // With rotation, those in the store are invalid: the tokens that could not be stored have to be revoked.
            let account = unsaved?.isMissing(in: stored) == true ? unsaved?.account : stored
            // A client that has registered itself stays registered.
            let remaining = account?.client.map { StoredAccount(client: $0) }
            try await self.save(remaining, at: key)
            self.state.withLock { $0.forget() }
            return account
        }
        guard let account, account.tokens != nil else { return }
        if let issuingTarget {
            try await revoke(account, at: try await updated(issuingTarget))
        } else {
            try await revoke(account, at: try await target(for: nil))
        }
    }

    /// Whether there are tokens, valid or expired, in memory or in the store.
    ///
    /// - Throws: The errors of the store. For an API that names its authorization server, also those of discovery.
    public func isSignedIn() async throws -> Bool { try await tokens() != nil }

    /// The tokens in memory or else in the store, valid or expired; nil if there are none.
    ///
    /// Use it for what the server has sent beside the access token: ``OAuthTokens/scopes``, ``OAuthTokens/idToken`` and
    /// ``OAuthTokens/additionalParameters``. Another process may have renewed the tokens in the store. Do not use the
    /// refresh token, which many servers accept only once.
    ///
    /// - Throws: The errors of the store. For an API that names its authorization server, also those of discovery.
    public func tokens() async throws -> OAuthTokens? {
        if let tokens = state.withLock({ $0.tokens }) { return tokens }
        return try await store.load(for: try await key())?.tokens
    }

    // MARK: - Credentials

    /// Returns the credential of the current tokens, which are read from the store at the first call. Without tokens,
    /// it is one that is replaced before anything is sent or, for an API that names its authorization server, after a
    /// refusal.
    public func credential() async throws -> Credential? {
        if let key = keyWithoutDiscovery, !state.withLock({ $0.hasLoaded }) {
            let tokens = try await store.load(for: key)?.tokens
            state.withLock { $0.endLoading(tokens) }
        }
        return state.withLock { state in
            if let tokens = state.tokens { return tokens.credential }
            // An API that names its authorization server does so in a refusal.
            let isAskedFirst = keyWithoutDiscovery != nil
            return .missing(state.signOutCount, expires: isAskedFirst ? .distantPast : nil)
        }
    }

    /// Returns the credential of other tokens, in place of one that expires soon. Tokens with a lifetime of less than a
    /// minute are sent for half of it.
    public func replacement(for refused: Credential) async throws -> Credential? {
        let date = now
        let isInFirstHalf = state.withLock { $0.isInFirstHalf(refused, at: date) }
        if isInFirstHalf { return refused }
        return try await renewCredential(for: .expiring(refused))
    }

    /// Returns the credential of other tokens, in place of one that the API has refused; nil if other tokens would be
    /// refused, too.
    public func replacement(for refused: Credential, refusedBy response: HTTPResponse) async throws -> Credential? {
        try await renewCredential(for: .refused(refused, Refusal(response)))
    }

    /// Whether a response means that other tokens are needed: its status is 401, or it is 403 and says that the scopes
    /// do not suffice (RFC 6750, section 3.1).
    public func isRefusal(_ response: HTTPResponse) -> Bool {
        let refusal = Refusal(response)
        return refusal.meansInvalidToken || refusal.asksForMoreScopes
    }
}

extension OAuth: CustomStringConvertible, CustomReflectable {
    /// What the source is for, without its tokens.
    public var description: String {
        switch serverSource {
        case .issuer(let issuer): "OAuth(issuer: \(ServerURL.quoted(issuer)))"
        case .endpoints(let endpoints): "OAuth(endpoints: \(ServerURL.quoted(endpoints.token)))"
        case .protectedResource(let api): "OAuth(resource: \(ServerURL.quoted(api)))"
        }
    }

    /// A mirror without children, so that `dump` shows neither tokens nor the requests of the client.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
