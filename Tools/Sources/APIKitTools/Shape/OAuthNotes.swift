/// The notes on what the sources of tokens do not offer, if they are written: flows that are not secure or lack URLs,
/// and URLs that they refuse.
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

    /// The notes on flows without a source. There are none if the metadata of the issuer takes the place of all flows.
    private static func notesOnFlows(of scheme: SecurityScheme) -> [Note] {
        if scheme.issuer != nil { return [] }
        let isAnyOffered = scheme.flows.contains(where: \.isOffered)
        var texts = scheme.flows.compactMap { textOnFlow($0, of: scheme, besideOffered: isAnyOffered) }
        // Metadata at another place says nothing about the issuer.
        if !isAnyOffered {
            texts += scheme.metadataURLs.map { name, url in
                "OAuth source whose \(exact: name) is not a well-known URL: \(url)"
            }
        }
        return texts.map { Note(.skipped, $0, at: scheme.place) }
    }

    /// The text of the note on a flow; nil if a source offers it. The comment on a source names the flows that it does
    /// not have, so a flow that sources do not have needs no note beside one that they offer.
    private static func textOnFlow(
        _ flow: OAuthFlow, of scheme: SecurityScheme, besideOffered isAnyOffered: Bool
    ) -> NoteText? {
        switch flow.offer {
        case .offered:
            return nil
        case .lacksURLs(let names):
            let missing = names.joined(separator: " and ")
            return "OAuth source for the flow \(exact: flow.name) without \(exact: missing): \(scheme.name)"
        case .insecure where !isAnyOffered:
            let reason = ", which is not secure (RFC 9700)"
            return "OAuth source for the flow \(exact: flow.name)\(exact: reason): \(scheme.name)"
        case .unknown where !isAnyOffered:
            return "OAuth source for the flow \(exact: flow.name): \(scheme.name)"
        case .insecure, .unknown:
            return nil
        }
    }

    /// A note for each URL that a source refuses since it is not https, and for each `refreshUrl` that differs from the
    /// token URL, at which sources renew tokens (RFC 6749, section 6).
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

    /// Whether a source sends secrets to a URL: https, or http to this computer.
    private static func isSecure(_ url: String) -> Bool {
        let lowercased = url.lowercased()
        if lowercased.hasPrefix("https://") { return true }
        guard lowercased.hasPrefix("http://") else { return false }
        let authority = lowercased.dropFirst("http://".count).prefix { !"/?#".contains($0) }
        // An IPv6 address in brackets has colons.
        let isBracketed = authority.hasPrefix("[")
        let host = authority.prefix { isBracketed ? $0 != "]" : $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1"].contains(String(host))
    }
}
