/// What endpoints share: a server.
struct Base: Hashable {
    /// The URL of the server, with the version that all paths begin with: `https://api.example.com/v1`.
    let url: String
}

extension Plan {
    /// Finds the bases of the API, and assigns one to each endpoint.
    ///
    /// The first one is the main base: the API's own server. Endpoints that have a server of their own get another one.
    func findBases() {
        findVersions()
        bases = [(SwiftName.member(options.name), Base(url: urlWithVersion(ofServer: nil)))]
        for index in endpoints.indices {
            let url = urlWithVersion(ofServer: endpoints[index].endpoint.baseURL)
            assignBase(Base(url: url), toEndpoint: index)
        }
    }

    /// The names, in lower case, of the private declarations beside the bases.
    static let namesInBases: Set = ["checked", "commonheaders"]

    /// Sets ``versions``: `/v1` for a server whose paths are `/v1/users` and `/v1/teams`.
    ///
    /// A URL with a query, which OpenAPI does not allow, has no version: it would become a part of the query.
    private func findVersions() {
        let endpointsByServer = Dictionary(grouping: endpoints.map(\.endpoint)) { $0.baseURL }
        for (server, endpoints) in endpointsByServer {
            let urls = server.map { [$0] } ?? api.servers.map(\.url)
            let haveOnlyPaths = urls.allSatisfy { url in !url.contains { "?#".contains($0) } }
            if haveOnlyPaths { versions[server] = Self.commonVersion(of: endpoints.map(\.path)) }
        }
    }

    /// The version that all paths of a server begin with; empty if there is none. Nil stands for the main server.
    private func version(ofServer url: String?) -> String { versions[url] ?? "" }

    /// The URL of a server with the version that all of its paths begin with: `https://api.example.com/v1`. Nil stands
    /// for the main server.
    private func urlWithVersion(ofServer url: String?) -> String {
        let serverURL = url ?? api.baseURL ?? "https://api.example.com"
        return serverURL + version(ofServer: url)
    }

    /// Lets an endpoint use a base, which is added to the bases if it is new.
    private func assignBase(_ base: Base, toEndpoint index: Int) {
        let isMain = base == bases[0].base
        if isMain { return }
        if let equal = bases.first(where: { $0.base == base }) {
            endpoints[index].base = equal.name
        } else {
            endpoints[index].base = addBase(base, for: endpoints[index].endpoint)
        }
    }

    /// Adds a new base and returns its name. A note names the endpoint that needs it.
    ///
    /// A base is named after the API and what its URL adds to that of the main base: `gitHubUploads` for
    /// `https://uploads.github.com`.
    private func addBase(_ base: Base, for endpoint: Endpoint) -> String {
        let words = Words(options.name).words + Self.ownWords(of: base.url, comparedWith: bases[0].base.url)
        var taken = Self.namesInBases.union(bases.map { $0.name.lowercased() })
        let name = SwiftName.unique(Words(words: words).lowerCamel, in: &taken)
        let text: NoteText =
            "\(exact: endpoint.method) \(exact: endpoint.path) has the server \(base.url): see .\(name)"
        api.notes.append(Note(.separate, text, at: endpoint.place))
        bases.append((name, base))
        return name
    }

    /// The path of an endpoint below its base: `users/{id}` for `/v1/users/{id}` if the base's URL ends in `/v1`.
    func path(of endpoint: Endpoint) -> Substring {
        let version = version(ofServer: endpoint.baseURL)
        return endpoint.path.dropFirst(version.count).drop { $0 == "/" }
    }

    /// The version that all paths of a server begin with: `/api/v1` for `/api/v1/users` and `/api/v1/teams`; empty if
    /// there is none. It becomes part of the base's URL.
    private static func commonVersion(of paths: [String]) -> String {
        // Such as `/api`, `/v1.2`, `/2024-01-01` or `/2.0`, with something after it.
        let versionSegment = /\/(api|rest|services?|public|v\d+(\.\d+)*|\d{4}-\d\d-\d\d|\d+\.\d+)(?=\/.)/
        guard let first = paths.first else { return "" }
        var version = ""
        while let segment = first.dropFirst(version.count).prefixMatch(of: versionSegment)?.0 {
            let start = "\(version)\(segment)/"
            // Each path needs something after the version.
            let areAllBelow = paths.allSatisfy { $0.hasPrefix(start) && $0 != start }
            guard areAllBelow else { break }
            version += segment
        }
        return version
    }

    /// The words that distinguish a base's URL from the main one: `uploads` for `https://uploads.example.com`. They are
    /// those of the first part of the URL, between slashes, dots and colons, that the main URL does not have.
    static func ownWords(of url: String, comparedWith main: String) -> [String] {
        func parts(of url: String) -> [String] { url.split { "/.:".contains($0) }.map(String.init) }
        let otherParts = Set(parts(of: main) + ["api", "www"])
        guard let ownPart = parts(of: url).first(where: { !otherParts.contains($0) }) else { return [] }
        return Words(ownPart).words
    }
}
