/// The notes on parts of OAuth 2.0 schemes for which no source of tokens is generated, such as flows that are not
/// secure or lack URLs, and on URLs that a source refuses.
///
/// A source is generated code that signs in and renews tokens, such as `OAuth.shop(clientID:flow:)`. It offers a flow
/// if it can sign in with it. The notes are only written with the option `--oauth`.
struct OAuthNotes {
    let api: API
    let security: Security

    /// All notes.
    var all: [Note] {
        let schemes = security.credentials.flatMap(\.schemes).filter(\.isIssued)
        guard let last = schemes.last else {
            let place = Place(file: api.endpoints.first?.place.file ?? "")
            return [Note(.skipped, "OAuth source, since no security scheme says where tokens are issued", at: place)]
        }
        var notes = schemes.flatMap { Self.notesOnFlows(of: $0) + Self.notesOnURLs(of: $0) }
        if security.oauthSources.count == OAuthSourceFinder.maximumSources {
            let text: NoteText = "OAuth sources after the first \(OAuthSourceFinder.maximumSources)"
            notes.append(Note(.skipped, text, at: last.place))
        }
        return notes
    }

    /// The notes on flows for which no source of tokens, code that signs in, is generated.
    ///
    /// A scheme with an issuer has none: its source reads the flows from the issuer's metadata when it signs in.
    private static func notesOnFlows(of scheme: SecurityScheme) -> [Note] {
        if scheme.issuer != nil { return [] }
        let hasSource = scheme.flows.contains(where: \.isOffered)
        var texts = scheme.flows.compactMap { textOnFlow($0, of: scheme, schemeHasSource: hasSource) }
        // An issuer only follows from a well-known URL. With any other metadata URL, and without a usable flow, the
        // scheme has no source, so a note names the URL.
        if !hasSource {
            texts += scheme.metadataURLs.map { name, url in
                "OAuth source whose \(exact: name) is not a well-known URL: \(url)"
            }
        }
        return texts.map { Note(.skipped, $0, at: scheme.place) }
    }

    /// The text of the note that no source of tokens was generated for a flow, such as "OAuth source for the flow
    /// `implicit`, which is not secure (RFC 9700): github". Nil if a source can sign in with the flow.
    ///
    /// Nil also for an insecure or unknown flow if the scheme has a source for another flow: the comment on that source
    /// already names the flows that it does not have.
    private static func textOnFlow(
        _ flow: OAuthFlow, of scheme: SecurityScheme, schemeHasSource: Bool
    ) -> NoteText? {
        switch flow.offer {
        case .offered:
            return nil
        case .lacksURLs(let names):
            let missing = names.joined(separator: " and ")
            return "OAuth source for the flow \(exact: flow.name) without \(exact: missing): \(scheme.name)"
        case .insecure where !schemeHasSource:
            let reason = ", which is not secure (RFC 9700)"
            return "OAuth source for the flow \(exact: flow.name)\(exact: reason): \(scheme.name)"
        case .unknown where !schemeHasSource:
            return "OAuth source for the flow \(exact: flow.name): \(scheme.name)"
        case .insecure, .unknown:
            return nil
        }
    }

    /// A note for each URL that a source of tokens refuses since it is not https, so that secrets would be sent
    /// unencrypted, and for each `refreshUrl` that differs from the token URL, at which sources renew tokens (RFC 6749,
    /// section 6).
    private static func notesOnURLs(of scheme: SecurityScheme) -> [Note] {
        let urls = scheme.metadataURLs + scheme.flows.filter(\.isKnown).flatMap(\.urls)
        var texts: [NoteText] = []
        for (name, url) in urls where !isSecure(url) {
            texts.append("OAuth sources refuse to sign in, since \(exact: name) is not an https URL: \(url)")
        }
        for flow in scheme.flows {
            guard let token = flow.url("tokenUrl"), let refresh = flow.url("refreshUrl") else { continue }
            if token == refresh { continue }
            texts.append("tokens are renewed at the tokenUrl, not at the refreshUrl \(refresh)")
        }
        return texts.map { Note(.simplified, $0, at: scheme.place) }
    }

    /// Whether a source of tokens sends secrets to a URL: one with https, or with http on this computer, such as
    /// `http://localhost:8080/token`.
    private static func isSecure(_ url: String) -> Bool {
        let lowercased = url.lowercased()
        if lowercased.hasPrefix("https://") { return true }
        guard lowercased.hasPrefix("http://") else { return false }
        let authority = lowercased.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        // The host ends before the port. An IPv6 address in brackets has colons itself, so it ends at the bracket.
        let isBracketed = authority.hasPrefix("[")
        let host = authority.prefix { isBracketed ? $0 != "]" : $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1"].contains(String(host))
    }
}
