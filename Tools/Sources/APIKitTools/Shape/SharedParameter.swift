/// Moves a parameter that nearly all paths begin with, such as the account of `/{account_id}/boards`, into the base.
///
/// The base is then `https://desk.example.com/{account_id}`, and the endpoints lose the parameter. The others, whose
/// paths do not begin with it, get a base of their own, as if they had another server.
enum SharedParameter {
    /// Moves the parameter of an API; returns the API unchanged if there is none.
    static func moved(in described: API) -> API {
        // The tests of a recording compare whole paths.
        if described.isRecorded { return described }
        let indices = described.endpoints.indices.filter { described.endpoints[$0].baseURL == nil }
        let version = ServerVersions(described).version(ofServer: nil)
        let names = indices.compactMap { name(inPath: described.endpoints[$0].path, after: version) }
        let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
        guard let name = counts.max(by: { $0.value < $1.value })?.key else { return described }
        let start = "\(version)/{\(name)}/"
        let below = indices.filter { described.endpoints[$0].path.hasPrefix(start) }
        let areNearlyAll = below.count * 10 >= indices.count * 9
        guard areNearlyAll, below.count >= smallestNumberOfEndpoints else { return described }
        guard let parameter = commonParameter(name, of: below.map { described.endpoints[$0] }) else { return described }

        var api = described
        api.sharedParameter = parameter
        for index in indices {
            let path = api.endpoints[index].path
            if path.hasPrefix(start) {
                api.endpoints[index].describedPath = path
                api.endpoints[index].path = "\(version)/\(path.dropFirst(start.count))"
                api.endpoints[index].parameters.removeAll { $0.location == .path && $0.name == name }
            } else {
                api.endpoints[index].baseURL = described.baseURL ?? BaseFinder.placeholderURL
            }
        }
        // The version would have to stand before the parameter, as in the paths.
        return ServerVersions(api).version(ofServer: nil) == version ? api : described
    }

    /// With fewer endpoints, a common parameter may be by chance.
    private static let smallestNumberOfEndpoints = 3

    /// The name of the value that a path has after a version: `account_id` for `/v1/{account_id}/boards`. Nil if that
    /// segment is not a value.
    private static func name(inPath path: String, after version: String) -> String? {
        guard path.hasPrefix("\(version)/{") else { return nil }
        let rest = path.dropFirst(version.count + 2)
        guard let end = rest.firstIndex(of: "}"), rest[end...].hasPrefix("}/") else { return nil }
        return String(rest[..<end])
    }

    /// The parameter of a name that all endpoints have in their paths; nil if it is not a plain text or integer in all
    /// of them, or if it is there twice.
    private static func commonParameter(_ name: String, of endpoints: [Endpoint]) -> Parameter? {
        var common: Parameter?
        for endpoint in endpoints {
            let parameter = endpoint.parameters.first { $0.location == .path && $0.name == name }
            let isOnce = Endpoint.names(in: endpoint.path).count { $0 == name } == 1
            guard let parameter, isOnce, !parameter.keepsSlashes else { return nil }
            guard case .simple = parameter.pathStyle.notation else { return nil }
            if let common, common.schema.kind != parameter.schema.kind { return nil }
            common = parameter
        }
        switch common?.schema.kind {
        case .string?, .integer?: return common
        default: return nil
        }
    }
}
