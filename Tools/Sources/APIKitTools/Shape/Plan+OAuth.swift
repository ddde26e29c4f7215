extension Plan {
    /// The maximum number of sources. No real API has more.
    private static let maximumOAuthSources = 20

    /// Finds the sources of tokens for which functions are generated, and names them.
    ///
    /// An issuer is a source. Otherwise, flows are one source if they have the same token URL and no different URLs of
    /// another kind, even if they belong to different security schemes. If the option `--oauth` is given, notes say what
    /// the sources do not offer.
    func findOAuthSources() {
        let issuing = credentials.flatMap(\.schemes).filter(\.isIssued)
        for scheme in issuing {
            if let issuer = scheme.issuer {
                add(OAuthSource(server: .issuer(issuer), schemes: [scheme.name]))
                continue
            }
            for flow in scheme.flows {
                guard let usable = flow.usableFlow, flow.missingURLs.isEmpty, let token = flow.url("tokenUrl") else {
                    continue
                }
                var urls = OAuthSource.URLs(token: token)
                if usable == .authorizationCode { urls.authorization = flow.url("authorizationUrl") }
                if usable == .deviceAuthorization { urls.deviceAuthorization = flow.url("deviceAuthorizationUrl") }
                add(OAuthSource(server: .urls(urls), flows: [usable], schemes: [scheme.name]))
            }
        }
        nameOAuthSources()
        if options.writesOAuthSource { noteOAuth(issuing) }
    }

    /// Adds a source, or what it has to another one of the same server.
    private func add(_ source: OAuthSource) {
        for index in oauthSources.indices {
            guard let server = oauthSources[index].server.merged(with: source.server) else { continue }
            oauthSources[index].server = server
            for flow in source.flows where !oauthSources[index].flows.contains(flow) {
                oauthSources[index].flows.append(flow)
            }
            for scheme in source.schemes where !oauthSources[index].schemes.contains(scheme) {
                oauthSources[index].schemes.append(scheme)
            }
            return
        }
        if oauthSources.count < Self.maximumOAuthSources { oauthSources.append(source) }
    }

    /// Names the functions: `shop` if there is only one, otherwise with the name of the security scheme at the end, or
    /// with that of the flow, if the sources are those of one scheme: `shopClientCredentials`.
    private func nameOAuthSources() {
        if oauthSources.count == 1 { oauthSources[0].name = bases[0].name }
        if oauthSources.count < 2 { return }
        let counts = Dictionary(grouping: oauthSources, by: { $0.schemes[0] }).mapValues(\.count)
        let schemesWithSeveral = counts.count { $0.value > 1 }
        var taken: Set<String> = []
        for index in oauthSources.indices {
            let source = oauthSources[index]
            let scheme = source.schemes[0]
            let isOnlyOneOfScheme = counts[scheme] == 1
            let words = Self.ownWords(ofScheme: scheme)
            let flow = source.flows.first?.rawValue ?? "issuer"
            let ending: [String]
            if isOnlyOneOfScheme {
                ending = words
            } else if schemesWithSeveral == 1 {
                ending = [flow]
            } else {
                ending = words + [flow]
            }
            let name = bases[0].name + SwiftName.type(ending.joined(separator: "_"))
            oauthSources[index].name = SwiftName.unique(name, in: &taken)
        }
    }

    // MARK: - Notes

    /// Adds a note for what the sources do not offer: flows that are not secure or lack URLs, and URLs that they refuse.
    private func noteOAuth(_ schemes: [SecurityScheme]) {
        if schemes.isEmpty {
            let place = Place(file: api.endpoints.first?.place.file ?? "")
            let text: NoteText = "OAuth source, since no security scheme says where tokens are issued"
            api.notes.append(Note(.skipped, text, at: place))
        }
        for scheme in schemes {
            noteFlows(of: scheme)
            noteURLs(of: scheme)
        }
        if oauthSources.count == Self.maximumOAuthSources, let last = schemes.last {
            let text: NoteText = "OAuth sources after the first \(Self.maximumOAuthSources)"
            api.notes.append(Note(.skipped, text, at: last.place))
        }
    }

    /// Adds a note for each flow without a source, unless the metadata of the issuer takes the place of all flows.
    private func noteFlows(of scheme: SecurityScheme) {
        if scheme.issuer != nil { return }
        let hasUsableFlow = scheme.flows.contains { $0.usableFlow != nil && $0.missingURLs.isEmpty }
        for flow in scheme.flows {
            if flow.usableFlow == nil {
                // The comment on the source says so, too.
                if hasUsableFlow { continue }
                let reason = flow.isInsecure ? ", which is not secure (RFC 9700)" : ""
                let text: NoteText = "OAuth source for the flow \(exact: flow.name)\(exact: reason): \(scheme.name)"
                api.notes.append(Note(.skipped, text, at: scheme.place))
            } else if !flow.missingURLs.isEmpty {
                let missing = flow.missingURLs.joined(separator: " and ")
                let text: NoteText =
                    "OAuth source for the flow \(exact: flow.name) without \(exact: missing): \(scheme.name)"
                api.notes.append(Note(.skipped, text, at: scheme.place))
            }
        }
        for (name, url) in scheme.metadataURLs where !hasUsableFlow {
            let text: NoteText = "OAuth source whose \(exact: name) is not a well-known URL: \(url)"
            api.notes.append(Note(.skipped, text, at: scheme.place))
        }
    }

    /// Adds a note for each URL that a source refuses since it is not https, and for each `refreshUrl` that differs from
    /// the token URL, at which sources renew tokens (RFC 6749, section 6).
    private func noteURLs(of scheme: SecurityScheme) {
        let usableFlows = scheme.flows.filter { $0.usableFlow != nil }
        for (name, url) in scheme.metadataURLs + usableFlows.flatMap(\.urls) where !Self.isSecure(url) {
            let text: NoteText = "OAuth sources refuse to sign in, since \(exact: name) is not an https URL: \(url)"
            api.notes.append(Note(.simplified, text, at: scheme.place))
        }
        for flow in scheme.flows {
            guard let token = flow.url("tokenUrl"), let refresh = flow.url("refreshUrl") else { continue }
            if token == refresh { continue }
            let text: NoteText = "tokens are renewed at the tokenUrl, not at the refreshUrl \(refresh)"
            api.notes.append(Note(.simplified, text, at: scheme.place))
        }
    }

    /// Whether a source sends secrets to a URL: https, or http to this computer.
    private static func isSecure(_ url: String) -> Bool {
        let lowercased = url.lowercased()
        if lowercased.hasPrefix("https://") { return true }
        guard lowercased.hasPrefix("http://") else { return false }
        let authority = lowercased.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1"].contains(String(host))
    }
}

extension OAuthSource.Server {
    /// One server that has the URLs of both; nil if they are different ones.
    fileprivate func merged(with other: Self) -> Self? {
        if self == other { return self }
        guard case .urls(var urls) = self, case .urls(let others) = other else { return nil }
        if urls.token != others.token { return nil }
        let haveSameAuthorization =
            urls.authorization == nil || others.authorization == nil || urls.authorization == others.authorization
        let haveSameDevices =
            urls.deviceAuthorization == nil || others.deviceAuthorization == nil
            || urls.deviceAuthorization == others.deviceAuthorization
        guard haveSameAuthorization, haveSameDevices else { return nil }
        urls.authorization = urls.authorization ?? others.authorization
        urls.deviceAuthorization = urls.deviceAuthorization ?? others.deviceAuthorization
        return .urls(urls)
    }
}
