/// The notes on credentials: which the library does not add, and which operations need other credentials than most.
struct SecurityNotes {
    let api: API
    let security: Security

    /// All notes.
    var all: [Note] { onUnsupportedCredentials + onCredentialsInOneHeader + onOtherCredentials }

    /// A note for each place of a credential, such as a cookie, that no client of the library adds.
    private var onUnsupportedCredentials: [Note] {
        var schemesByPlace: [String: [SecurityScheme]] = [:]
        for scheme in api.securitySchemes {
            guard case .unsupported(_, let place) = scheme.kind else { continue }
            schemesByPlace[place, default: []].append(scheme)
        }
        return schemesByPlace.map { place, schemes in
            let names = Self.list(schemes.map(\.name))
            let count = schemes.count == 1 ? "1 credential" : "\(schemes.count) credentials"
            // A text whose values are all exact: notes on different places are not similar.
            let text = "\(count) in \(place), which clients do not add: \(names)"
            return Note(.skipped, NoteText(text), at: schemes[0].place)
        }
    }

    /// A note for each combination of credentials that a request should have in the same header. A request has only one
    /// such header, so clients do not send the combination.
    private var onCredentialsInOneHeader: [Note] {
        var placesByNames: [String: Place] = [:]
        // The API's requirements have no place of their own, so the note on one is at the first security scheme.
        let usualPlace = security.credentials.first?.schemes.first?.place
        for requirement in security.usual where security.needsOneHeaderTwice(requirement) {
            placesByNames[requirement.schemeNames.joined(separator: ", ")] = usualPlace
        }
        for endpoint in api.endpoints {
            for requirement in endpoint.security ?? [] where security.needsOneHeaderTwice(requirement) {
                let names = requirement.schemeNames.joined(separator: ", ")
                if placesByNames[names] == nil { placesByNames[names] = endpoint.place }
            }
        }
        return placesByNames.map { names, place in
            Note(.skipped, "several credentials in one header: \(names)", at: place)
        }
    }

    /// A note for each credential that some operations need instead of the usual ones, with their number. A client that
    /// adds only the usual credentials cannot send them.
    private var onOtherCredentials: [Note] {
        var endpointsByNeed: [String: [Endpoint]] = [:]
        let usualSchemes = Set(security.usual.map(\.schemeNames))
        for endpoint in api.endpoints {
            guard case .other(let alternatives) = security.ownSecurity(of: endpoint) else { continue }
            let differsOnlyInScopes = alternatives.contains { usualSchemes.contains($0.schemeNames) }
            if differsOnlyInScopes { continue }
            let need = security.credentialNames(of: alternatives)
            endpointsByNeed[need, default: []].append(endpoint)
        }
        return endpointsByNeed.map { need, endpoints in
            let names = Self.list(endpoints.map { "\($0.method) \($0.path)" })
            let count = endpoints.count == 1 ? "1 endpoint needs" : "\(endpoints.count) endpoints need"
            // A text whose values are all exact: notes on different credentials are not similar.
            let text = "\(count) \(need): \(names)"
            return Note(.separate, NoteText(text), at: endpoints[0].place)
        }
    }

    /// The first texts of a list, with commas between them: `a, b, c and others`.
    private static func list(_ texts: [String]) -> String {
        // More texts would make a line of the summary too long to read.
        let maximumCount = 5
        let list = texts.prefix(maximumCount).joined(separator: ", ")
        return texts.count > maximumCount ? "\(list) and others" : list
    }
}
