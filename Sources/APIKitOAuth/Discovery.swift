import APIKitClients
import APIKitCore

/// Finds the authorization server of an issuer, and the issuer of an API, by their metadata.
struct Discovery: Sendable {
    let client: any APIClient

    // MARK: - Authorization servers

    /// Finds an authorization server by its issuer. Tries three URLs for an issuer with a path, and two for one
    /// without, in the order of RFC 8414, sections 3.1 and 5.
    ///
    /// - Throws: ``OAuthError`` if none of the URLs has metadata, or if it is not that of the issuer; the errors of
    ///   the connection.
    func server(issuer: String) async throws -> AuthorizationServer {
        let root = try ServerURL(issuer, "the issuer")
        guard root.url.query == nil else {
            throw OAuthError(.discoveryFailed, "the issuer \(ServerURL.quoted(issuer)) has a query")
        }
        var urls = [
            Self.wellKnown("oauth-authorization-server", insertedInto: root.url),
            Self.wellKnown("openid-configuration", insertedInto: root.url),
        ]
        if !Self.path(of: root.url).isEmpty {
            urls.append(Self.withoutTrailingSlash(issuer) + "/.well-known/openid-configuration")
        }
        for text in urls {
            let url = try ServerURL(text, "the metadata")
            guard let metadata = try await found(ServerMetadataRequest(url: url)) else { continue }
            return try AuthorizationServer(metadata, issuer: issuer)
        }
        throw OAuthError(
            .discoveryFailed,
            "no readable metadata was found for the issuer \(ServerURL.quoted(issuer)): if it publishes none, name its "
                + "URLs with OAuthEndpoints")
    }

    // MARK: - APIs

    /// Finds the metadata of an API: where its refusal says, or else at the well-known URLs for its path and for its
    /// root (RFC 9728, sections 3 and 5).
    ///
    /// - Throws: ``OAuthError`` if there is none, or if it is that of another API; the errors of the connection.
    func resource(_ resource: ServerURL, challenge: AuthenticationChallenge?) async throws -> ResourceMetadata {
        if let text = challenge?["resource_metadata"] {
            let url = try ServerURL(text, "the metadata of the API", namedBy: resource)
            if let metadata = try await found(ResourceMetadataRequest(url: url)) {
                return try checked(metadata, of: resource)
            }
        } else {
            var urls = [Self.wellKnown("oauth-protected-resource", insertedInto: resource.url)]
            let root = Self.root(of: resource.url) + "/.well-known/oauth-protected-resource"
            if urls[0] != root { urls.append(root) }
            for text in urls {
                let url = try ServerURL(text, "the metadata of the API")
                guard let metadata = try await found(ResourceMetadataRequest(url: url)) else { continue }
                return try checked(metadata, of: resource)
            }
        }
        throw OAuthError(
            .discoveryFailed, "no readable metadata was found for the API \(ServerURL.quoted(resource.text)) (RFC 9728)"
        )
    }

    /// Checks that metadata is that of an API or of a part of its server that contains the API. Otherwise, an API could
    /// obtain tokens for another one.
    private func checked(
        _ metadata: ResourceMetadata, of resource: ServerURL
    ) throws -> ResourceMetadata {
        // RFC 9728, section 3.3, requires the same URL. One above the API is accepted, too: servers of the Model
        // Context Protocol name one resource for several endpoints.
        let described = try ServerURL(metadata.resource, "the resource in the metadata of the API")
        let scope = try URLScope(APIBase(described.text))
        guard scope.contains(resource.text) else {
            let message =
                "the metadata of the API \(ServerURL.quoted(resource.text)) is that of "
                + ServerURL.quoted(metadata.resource)
            throw OAuthError(.discoveryFailed, message)
        }
        return metadata
    }

    // MARK: - Metadata

    /// Reads metadata; nil if there is none at the URL: the response is not a success, or is not the metadata.
    private func found<R: OAuthRequest>(_ request: R) async throws -> R.Response.Model? {
        do {
            return try await client.send(request)
        } catch {
            switch error {
            case .rejected(_, let response) where !AuthorizationServerClient.isFailure(response.head.status): return nil
            case .unreadable: return nil
            // Trying another URL would hide a failure of the server or of the connection.
            case .rejected, .invalidRequest, .transport, .cancelled:
                throw AuthorizationServerClient.error(for: error, of: request.url, hiding: [])
            }
        }
    }

    /// The well-known URL that belongs to another URL: between its host and its path (RFC 8414, section 3.1).
    private static func wellKnown(_ name: String, insertedInto url: URL) -> String {
        "\(root(of: url))/.well-known/\(name)\(path(of: url))"
    }

    /// The scheme, the host and the port of a URL.
    private static func root(of url: URL) -> String {
        let text = url.absoluteString
        guard let authority = text.firstRange(of: "://")?.upperBound else { return text }
        return String(text[..<(text[authority...].firstIndex { "/?#".contains($0) } ?? text.endIndex)])
    }

    /// The encoded path of a URL, without a slash at its end.
    private static func path(of url: URL) -> String {
        let afterRoot = url.absoluteString.dropFirst(root(of: url).count)
        return withoutTrailingSlash(String(afterRoot.prefix { !"?#".contains($0) }))
    }

    private static func withoutTrailingSlash(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
