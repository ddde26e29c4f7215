import OpenAPIRules

/// Reads how an API identifies the sender of a request: its security schemes, and which of them a request needs.
struct SecurityReader {
    let schemas: SchemaReader
    /// The API's main URL, which relative URLs are resolved against.
    let baseURL: String?

    // MARK: - Requirements

    /// The maximum numbers of alternatives, and of credentials that a request needs together. No real API has more.
    private static let maximumAlternatives = 100
    private static let maximumSchemes = 20

    /// The security requirements of the API or of an operation, one of which a request has to fulfill. Nil if they are
    /// not described, and empty if a request needs no credential.
    func requirements(of element: Element) -> [SecurityRequirement]? {
        // An operation can be used even if its requirements are not described as OpenAPI requires.
        guard let alternatives = try? element.list("security") else { return nil }
        guard alternatives.count <= Self.maximumAlternatives else {
            schemas.note(.simplified, "\(alternatives.count) security requirements are ignored", at: element.place)
            return nil
        }
        var requirements: [SecurityRequirement] = []
        for alternative in alternatives {
            guard let members = try? alternative.members() else { return nil }
            guard members.count <= Self.maximumSchemes else {
                let text: NoteText = "a security requirement with \(members.count) schemes is ignored"
                schemas.note(.simplified, text, at: alternative.place)
                return nil
            }
            var scopesByScheme: [String: Set<String>] = [:]
            for (name, _) in members { scopesByScheme[name] = Set((try? alternative.texts(name)) ?? []) }
            requirements.append(SecurityRequirement(scopesByScheme: scopesByScheme))
        }
        return requirements
    }

    // MARK: - Schemes

    /// The security schemes of a description, sorted by name. One that cannot be read is skipped with a note.
    ///
    /// - Throws: ``DescriptionError`` if they are not an object.
    func schemes(of root: Element) throws -> [SecurityScheme] {
        var schemes: [SecurityScheme] = []
        for (name, reference) in try root.child("components")?.members("securitySchemes") ?? [] {
            do {
                schemes.append(scheme(named: name, try schemas.target(of: reference)))
            } catch let error as DescriptionError {
                schemas.note(.skipped, "security scheme \(name): \(error.message)", at: error.place)
            }
        }
        return schemes
    }

    /// Reads a security scheme. OAuth 2.0 and OpenID Connect both send a bearer token.
    private func scheme(named name: String, _ element: Element) -> SecurityScheme {
        var scheme = SecurityScheme(name: name, kind: .bearer, place: element.place)
        scheme.documentation = element.prose("description")
        switch element.prose("type") {
        case "http": scheme.kind = kindOfHTTP(element)
        case "apiKey": scheme.kind = kindOfKey(element)
        case "mutualTLS":
            let phrase = "a certificate of the client (mutual TLS)"
            scheme.kind = .unsupported(phrase: phrase, place: phrase)
        case "oauth2":
            scheme.flows = flows(of: element)
            scheme.metadataURLs = urls(of: element, ["oauth2MetadataUrl"])
        case "openIdConnect": scheme.metadataURLs = urls(of: element, ["openIdConnectUrl"])
        case let type:
            let place = "the type \(type ?? "unknown")"
            scheme.kind = .unsupported(phrase: "credentials of \(place)", place: place)
        }
        return scheme
    }

    /// The kind of a scheme for the header `Authorization`.
    private func kindOfHTTP(_ element: Element) -> SecurityScheme.Kind {
        let name = element.prose("scheme") ?? "unknown"
        switch name.lowercased() {
        case "bearer": return .bearer
        case "basic": return .basic
        default:
            let phrase = "HTTP authentication with the scheme \(name)"
            return .unsupported(phrase: phrase, place: phrase)
        }
    }

    /// The kind of a scheme for a key, by the place in which it is sent.
    private func kindOfKey(_ element: Element) -> SecurityScheme.Kind {
        let name = element.prose("name") ?? ""
        switch element.prose("in") {
        case "header": return .key(inHeader: name)
        case "query": return .query(name)
        case "cookie": return .cookie(name)
        case let location:
            let place = "the place \(location ?? "unknown")"
            return .unsupported(phrase: "the key \(name) in \(place)", place: place)
        }
    }

    // MARK: - OAuth

    /// The flows of OAuth 2.0 that a description names, sorted by name.
    private func flows(of element: Element) -> [OAuthFlow] {
        let names = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl", "refreshUrl"]
        let elements = (try? element.members("flows")) ?? []
        var flows: [OAuthFlow] = []
        for (name, flow) in elements {
            // The member `scopes` is an object with the description of each scope by its name.
            let scopes = (try? flow.members("scopes")) ?? []
            let described = scopes.map { scope in (scope.name, flow.child("scopes")?.prose(scope.name)) }
            flows.append(OAuthFlow(name: name, urls: urls(of: flow, names), scopes: described))
        }
        return flows
    }

    /// The URLs in those members of an element that exist, each with the name of its member.
    private func urls(of element: Element, _ names: [String]) -> [(name: String, url: String)] {
        var urls: [(name: String, url: String)] = []
        for name in names {
            guard var url = element.prose(name) else { continue }
            if let baseURL { url = ServerReader.resolved(url, relativeTo: baseURL) }
            urls.append((name, url))
        }
        return urls
    }
}
