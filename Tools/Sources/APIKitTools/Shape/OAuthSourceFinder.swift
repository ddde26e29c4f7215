/// Finds the sources of tokens for which functions are generated, and names them.
///
/// An issuer is a source. Otherwise, flows are one source if they have the same token URL and no different URLs of
/// another kind, even if they belong to different security schemes.
struct OAuthSourceFinder {
    /// A source before it has a name.
    private struct Unnamed {
        var server: OAuthSource.Server
        var flows: [OAuthSource.Flow]
        var schemes: [String]

        /// One source of both; nil if they have different servers.
        func merged(with other: Unnamed) -> Unnamed? {
            guard let server = server.merged(with: other.server) else { return nil }
            return Unnamed(
                server: server, flows: flows + other.flows.filter { !flows.contains($0) },
                schemes: schemes + other.schemes.filter { !schemes.contains($0) })
        }
    }

    /// The maximum number of sources. No real API has more, so further ones are left out, with a note.
    static let maximumSources = 20

    /// Finds the sources for some credentials of an API whose main base has this name.
    static func sources(of credentials: [CredentialShape], baseName: String) -> [OAuthSource] {
        var sources: [Unnamed] = []
        for found in credentials.flatMap(\.schemes).flatMap(unnamedSources) {
            if let (index, merged) = firstMerged(sources, with: found) {
                sources[index] = merged
            } else if sources.count < maximumSources {
                sources.append(found)
            }
        }
        let names = names(of: sources, baseName: baseName)
        return zip(names, sources).map { name, source in
            OAuthSource(name: name, server: source.server, flows: source.flows, schemes: source.schemes)
        }
    }

    /// The sources of a security scheme: its issuer, or one for each flow that sources offer.
    private static func unnamedSources(of scheme: SecurityScheme) -> [Unnamed] {
        if let issuer = scheme.issuer {
            return [Unnamed(server: .issuer(issuer), flows: [], schemes: [scheme.name])]
        }
        return scheme.flows.compactMap { described in
            guard case .offered(let flow, let urls) = described.offer else { return nil }
            return Unnamed(server: .urls(urls), flows: [flow], schemes: [scheme.name])
        }
    }

    /// The first source that has the same server as another one, as one source of both. Nil if none has.
    private static func firstMerged(_ sources: [Unnamed], with other: Unnamed) -> (index: Int, merged: Unnamed)? {
        for (index, source) in sources.enumerated() {
            if let merged = source.merged(with: other) { return (index, merged) }
        }
        return nil
    }

    /// Names the functions for sources after the base, such as `shop`:
    ///
    /// - `shop` if there is only one source,
    /// - `shopAdmin` with the name of the security scheme, if the scheme has no other source,
    /// - `shopClientCredentials` with the flow, if only one scheme has several sources,
    /// - `shopAdminClientCredentials` with both, otherwise.
    private static func names(of sources: [Unnamed], baseName: String) -> [String] {
        if sources.count == 1 { return [baseName] }
        let counts = Dictionary(grouping: sources) { $0.schemes[0] }.mapValues(\.count)
        let schemesWithSeveral = counts.count { $0.value > 1 }
        var taken: Set<String> = []
        return sources.map { source in
            let scheme = source.schemes[0]
            let isOnlyOneOfScheme = counts[scheme] == 1
            let words = CredentialNamer.ownWords(ofScheme: scheme)
            let flow = source.flows.first?.rawValue ?? "issuer"
            let ending: [String]
            if isOnlyOneOfScheme {
                ending = words
            } else if schemesWithSeveral == 1 {
                ending = [flow]
            } else {
                ending = words + [flow]
            }
            return SwiftName.unique(baseName + SwiftName.type(ending.joined(separator: "_")), in: &taken)
        }
    }
}

extension OAuthSource.Server {
    /// One server that has the URLs of both; nil if they are different ones.
    fileprivate func merged(with other: Self) -> Self? {
        if self == other { return self }
        guard case .urls(let urls) = self, case .urls(let others) = other else { return nil }
        let haveSameToken = urls.token == others.token
        let haveSameAuthorization = Self.areCompatible(urls.authorization, others.authorization)
        let haveSameDevices = Self.areCompatible(urls.deviceAuthorization, others.deviceAuthorization)
        guard haveSameToken, haveSameAuthorization, haveSameDevices else { return nil }
        return .urls(
            OAuthSource.URLs(
                token: urls.token, authorization: urls.authorization ?? others.authorization,
                deviceAuthorization: urls.deviceAuthorization ?? others.deviceAuthorization))
    }

    /// Whether two URLs are equal, or one of them is not described.
    private static func areCompatible(_ first: String?, _ second: String?) -> Bool {
        guard let first, let second else { return true }
        return first == second
    }
}
