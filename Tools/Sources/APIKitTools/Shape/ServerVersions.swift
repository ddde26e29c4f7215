/// The versions that all paths of a server begin with, such as `/v1` for a server whose paths are `/v1/users` and
/// `/v1/teams`. They become parts of the bases' URLs.
struct ServerVersions {
    /// The versions by the servers' URLs. The key nil stands for the API's main server, as in ``Endpoint/baseURL``.
    private let versions: [String?: String]

    /// Finds the versions of the servers of an API.
    ///
    /// A URL with a query, which OpenAPI does not allow, has no version: it would become a part of the query.
    init(_ api: API) {
        let endpointsByServer = Dictionary(grouping: api.endpoints, by: \.baseURL)
        var versions: [String?: String] = [:]
        for (server, endpoints) in endpointsByServer {
            let urls = server.map { [$0] } ?? api.servers.map(\.url)
            let haveOnlyPaths = urls.allSatisfy { url in !url.contains { "?#".contains($0) } }
            if haveOnlyPaths { versions[server] = Self.commonVersion(of: endpoints.map(\.path)) }
        }
        self.versions = versions
    }

    /// The version that all paths of a server begin with; empty if there is none. Nil stands for the main server.
    func version(ofServer url: String?) -> String { versions[url] ?? "" }

    /// The version that all paths of a server begin with: `/api/v1` for `/api/v1/users` and `/api/v1/teams`; empty if
    /// there is none.
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
}
