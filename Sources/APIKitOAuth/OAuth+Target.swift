import APIKitClients
import APIKitCore
import APIKitSupport

extension OAuth {
    /// An authorization server, and the API that its tokens are for.
    struct Target: Sendable {
        var server: AuthorizationServer
        /// The issuer as the API names it; nil if the program names the server.
        var namedIssuer: String?
        /// The API as the tokens name it (RFC 8707).
        let resource: String?
        /// The scopes that the API lists.
        let scopes: [String]
        /// The key in the store.
        let key: String
        /// The key of the list of the API's accounts, if the API names its authorization server; nil otherwise.
        let listKey: String?
    }

    /// The key in the store, if it is known without asking a server. It begins with the issuer, so that no server gets
    /// the tokens of another one.
    var keyWithoutDiscovery: String? {
        guard case .fixed(let identity) = clientSource else { return nil }
        let name: String
        switch serverSource {
        case .issuer(let issuer): name = issuer
        case .endpoints(let endpoints): name = endpoints.token
        case .protectedResource: return nil
        }
        return [name, identity.id, resource, ownAccount].compactMap { $0 }.joined(separator: " ")
    }

    /// The end of the key of a program that signs in as itself; nil for a user. The same client may do both, and must
    /// not send its own token in place of a user's.
    private var ownAccount: String? { flow.needsUser ? nil : flow.grantType }

    /// Finds the authorization server.
    ///
    /// That of an API is looked up at each refusal, since it may have changed. Without a refusal, the one that was
    /// found before is used: only the refusal may say where the metadata is.
    ///
    /// - Throws: ``OAuthError``; the errors of the connection.
    func target(for refusal: Refusal?) async throws -> Target {
        switch serverSource {
        case .issuer(let issuer):
            return fixedTarget(try await server(issuer: issuer))
        case .endpoints(let endpoints):
            return fixedTarget(try AuthorizationServer(endpoints))
        case .protectedResource(let api):
            if refusal == nil, let known = state.withLock({ $0.target }) { return try await updated(known) }
            let target = try await target(of: api, for: refusal)
            state.withLock { $0.target = target }
            return target
        }
    }

    /// Finds the authorization server of an API by its metadata.
    private func target(of api: String, for refusal: Refusal?) async throws -> Target {
        let api = try ServerURL(api, "the API")
        let metadata = try await discovery.resource(api, challenge: refusal?.challenge(by: api))
        let issuer = try ServerURL(issuer(in: metadata), "the issuer", namedBy: api)
        let server = try await server(issuer: issuer.text)
        let key = [server.identifier, metadata.resource, ownAccount].compactMap { $0 }.joined(separator: " ")
        guard key.utf8.count <= StorageLimits.key else {
            throw OAuthError(.discoveryFailed, "the URL of the API's authorization server is too long")
        }
        return Target(
            server: server, namedIssuer: issuer.text, resource: metadata.resource,
            scopes: metadata.scopes_supported ?? [], key: key,
            listKey: [api.text, ownAccount, "accounts"].compactMap { $0 }.joined(separator: " "))
    }

    /// The key in the store. That of an API may have to be found.
    func key() async throws -> String {
        if let key = keyWithoutDiscovery { return key }
        return try await target(for: nil).key
    }

    /// The server that has issued the current tokens, of an API that names its authorization server. If they have come
    /// from no server yet, the one that the API names.
    func targetOfTokens() async throws -> Target {
        if let issuing = state.withLock({ $0.issuingTarget }) { return issuing }
        return try await target(for: nil)
    }

    private var discovery: Discovery { Discovery(client: client) }

    private func fixedTarget(_ server: AuthorizationServer) -> Target {
        Target(
            server: server, resource: resource, scopes: [], key: keyWithoutDiscovery ?? server.identifier, listKey: nil)
    }

    /// The target with the current metadata of its server.
    func updated(_ target: Target) async throws -> Target {
        guard let issuer = target.namedIssuer else { return target }
        var target = target
        target.server = try await server(issuer: issuer)
        return target
    }

    /// The metadata of a server. It is read at most once an hour. If it can no longer be read, that of before is used.
    private func server(issuer: String) async throws -> AuthorizationServer {
        var known = state.withLock { $0.server }
        let isOfThisIssuer = known?.issuer.utf8.elementsEqual(issuer.utf8) == true
        if !isOfThisIssuer { known = nil }
        let date = now
        if let known, known.isCurrent(at: date) { return known.server }
        let server: AuthorizationServer
        do {
            server = try await discovery.server(issuer: issuer)
        } catch {
            guard let known, !(error is CancellationError) else { throw error }
            server = known.server
        }
        state.withLock { $0.server = KnownServer(issuer: issuer, server: server, date: date) }
        return server
    }

    /// The issuer that an API trusts. Of several, one at which the program was registered by hand is preferred.
    private func issuer(in metadata: ResourceMetadata) throws(OAuthError) -> String {
        let issuers = metadata.authorization_servers ?? []
        if let known = issuers.first(where: { registeredClient(at: $0) != nil }) { return known }
        guard let first = issuers.first else {
            throw OAuthError(
                .discoveryFailed, "the metadata of the API \(ServerURL.quoted(metadata.resource)) names no issuer")
        }
        return first
    }

    // MARK: - The client

    /// What sends requests to an authorization server as one of its clients.
    func serverClient(at target: Target, _ identity: ClientIdentity) -> AuthorizationServerClient {
        AuthorizationServerClient(
            server: target.server, identity: identity, resource: target.resource, parameters: parameters,
            bearerTokenTypes: bearerTokenTypes,
            client: client)
    }

    /// The client that the program is for a server: one that was registered by hand, or has a document, or has been
    /// registered before.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - account: What is stored for the server.
    ///   - redirectURI: The redirect URI of a sign-in; one that was registered with another redirect URI, or whose
    ///     secret has expired, cannot be used for it.
    ///   - scopes: The scopes of a sign-in; nor can a client that was registered for others.
    /// - Returns: The client; nil if it has to be registered.
    func identity(
        at server: AuthorizationServer, _ account: StoredAccount, redirectURI: String? = nil, scopes: [String] = []
    ) -> ClientIdentity? {
        guard case .oneOf(let clients) = clientSource else {
            if case .fixed(let identity) = clientSource { return identity }
            return nil
        }
        if let registered = server.issuer.flatMap(registeredClient(at:)) { return registered }
        for client in clients {
            guard case .metadataDocument(let url) = client.kind, server.supportsClientMetadataDocuments else {
                continue
            }
            // An API could name a server that only collects secrets.
            if !client.authentication.sendsSecret {
                return ClientIdentity(id: url, authentication: client.authentication)
            }
        }
        guard let stored = account.client else { return nil }
        let isForOtherRedirect = redirectURI != nil && stored.redirectURI != redirectURI
        let isExpired = stored.secretExpires.map { $0 <= now } ?? false
        let isForOtherScopes = stored.scopes.map { !Set(scopes).isSubset(of: $0) } ?? false
        return isForOtherRedirect || isForOtherScopes || isExpired ? nil : stored.identity
    }

    /// The client that was registered by hand at an issuer.
    private func registeredClient(at issuer: String) -> ClientIdentity? {
        guard case .oneOf(let clients) = clientSource else { return nil }
        for client in clients {
            if case .preregistered(let id, let ownIssuer) = client.kind, Issuer.isSame(ownIssuer, issuer) {
                return ClientIdentity(id: id, authentication: client.authentication)
            }
        }
        return nil
    }

    /// Registers the program at a server.
    func register(at target: Target, redirectURI: String?, scopes: [String]) async throws -> RegisteredClient {
        guard let name = dynamicName, let url = target.server.registrationEndpoint else {
            throw OAuthError(
                .unsupported,
                "none of the clients can be used at \(ServerURL.quoted(target.server.identifier)): register one by hand, "
                    + "and name it with ClientRegistration.preregistered")
        }
        return try await Registration(url: url, server: target.server, client: client).register(
            name: name, redirectURI: redirectURI, grantType: flow.grantType, scopes: scopes)
    }

    /// The name with which the program registers itself; nil if it does not.
    private var dynamicName: String? {
        guard case .oneOf(let clients) = clientSource else { return nil }
        for client in clients {
            if case .dynamic(let name) = client.kind { return name }
        }
        return nil
    }

    // MARK: - Sign-out

    /// Revokes the tokens of an account. The refresh token comes first: servers then make the access tokens that were
    /// issued with it invalid, too (RFC 7009, section 2.1).
    ///
    /// - Throws: The error of the first token that could not be revoked, after the other one was tried.
    func revoke(_ account: StoredAccount, at target: Target) async throws {
        guard let tokens = account.tokens, let url = target.server.revocationEndpoint else { return }
        guard let identity = identity(at: target.server, account) else { return }
        let serverClient = serverClient(at: target, identity)
        var failure: (any Error)?
        if let refreshToken = tokens.refreshToken {
            do {
                try await serverClient.revoke(refreshToken, hint: "refresh_token", at: url)
            } catch {
                failure = error
            }
        }
        do {
            try await serverClient.revoke(tokens.accessToken, hint: "access_token", at: url)
        } catch {
            failure = failure ?? error
        }
        if let failure { throw failure }
    }
}
