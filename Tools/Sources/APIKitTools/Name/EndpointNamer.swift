/// Chooses the names of all endpoints' types, such as `TeamProjectsRequest`. Each endpoint has several candidates, the
/// best one first, and gets the first one that is free.
///
/// All endpoints are looked at together, since a short name is only clear if no other endpoint could have it.
struct EndpointNamer {
    private let endpoints: [Endpoint]
    /// The candidates of each endpoint, in the order of the endpoints.
    private let candidates: [EndpointName.Candidates]
    /// How many endpoints could have a short name, or the best of the longer ones.
    private let endpointCounts: [String: Int]
    /// The names that models of the description have.
    private let modelNames: TakenNames

    /// Finds the candidates of all endpoints. Endpoints leave the names of models to these.
    init(_ endpoints: [Endpoint], modelNames: some Sequence<String>) {
        self.endpoints = endpoints
        self.modelNames = TakenNames(modelNames)
        // A POST to a path that also has a GET may be an update.
        let readPaths = Set(endpoints.filter { $0.method == "GET" }.map(\.path))
        candidates = endpoints.map { EndpointName.candidates(for: $0, pathHasGet: readPaths.contains($0.path)) }
        endpointCounts = Self.countEndpoints(by: candidates)
    }

    /// Chooses a name for each endpoint.
    ///
    /// - Parameter taken: The names that are not free. The new names are added.
    /// - Returns: The names, in the order of the endpoints.
    func names(_ taken: inout TakenNames) -> [String] {
        var names = Array(repeating: "", count: endpoints.count)
        for index in indicesInOrderOfChoice() {
            let typeNames = typeNames(ofEndpoint: index)
            let free = typeNames.first { !taken.contains($0) && !modelNames.contains($0) }
            // If no candidate is free, the last one gets a number.
            names[index] = taken.take(free ?? typeNames.last ?? "Endpoint\(EndpointShape.suffix)")
        }
        return names
    }

    /// Counts how many endpoints could have each name. An endpoint counts for two names: for its short name, and for
    /// the best of its longer names, which it gets if the short name is not clear.
    private static func countEndpoints(by candidates: [EndpointName.Candidates]) -> [String: Int] {
        var counts: [String: Int] = [:]
        for candidate in candidates {
            let bestNames = Set([candidate.short, candidate.names.first].compactMap(\.self))
            for name in bestNames { counts[name, default: 0] += 1 }
        }
        return counts
    }

    /// The candidates for the type of an endpoint, with the suffix `Request`. The short name is one of them only if no
    /// other endpoint could have it.
    ///
    /// The suffix can make a name equal to that of a model: a GET of `/pulls/{id}` would be a `PullRequest`. The model
    /// keeps that name, and the endpoint becomes `GetPullRequest`.
    private func typeNames(ofEndpoint index: Int) -> [String] {
        var names = candidates[index].names
        if let short = candidates[index].short, endpointCounts[short] == 1 { names.insert(short, at: 0) }
        var typeNames = names.map { SwiftName.shortened($0) + EndpointShape.suffix }
        if endpoints[index].method == "GET", let best = typeNames.first, modelNames.contains(best) {
            typeNames[0] = "Get\(best)"
        }
        return typeNames
    }

    /// What decides when an endpoint chooses.
    private struct Turn: Comparable {
        /// Endpoints that are about requests come last, since their names without "Request" may be those of others.
        let isLast: Bool
        /// Endpoints with short paths come first, since the others usually belong to them: `/issues` before
        /// `/issues/{id}/comments`.
        let depth: Int
        let path: String
        let method: String

        static func < (first: Turn, second: Turn) -> Bool {
            if first.isLast != second.isLast { return second.isLast }
            return (first.depth, first.path, first.method) < (second.depth, second.path, second.method)
        }
    }

    /// The indices of the endpoints in the order in which they choose their names.
    private func indicesInOrderOfChoice() -> [Int] {
        let turns = zip(endpoints, candidates).map { endpoint, candidates in
            Turn(
                isLast: candidates.lostRequest, depth: endpoint.path.count { $0 == "/" }, path: endpoint.path,
                method: endpoint.method)
        }
        return endpoints.indices.sorted { turns[$0] < turns[$1] }
    }
}
