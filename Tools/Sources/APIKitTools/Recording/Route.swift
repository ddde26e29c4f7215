import OpenAPIRules

/// The exchanges of one endpoint, whose paths only differ in their values.
struct Route {
    /// A part of a path.
    enum Segment: Hashable {
        case word(String)
        /// A part that differs between requests, such as an identifier.
        case value

        /// The word; nil for a value.
        var word: String? {
            if case .word(let word) = self { word } else { nil }
        }
    }

    let method: String
    let origin: String
    fileprivate(set) var segments: [Segment]
    fileprivate(set) var exchanges: [Archive.Exchange]

    /// Creates the route of one exchange. In its path, segments that look like identifiers are values, such as `17` in
    /// `/users/17`, and all others are words.
    fileprivate init(_ exchange: Archive.Exchange) {
        method = exchange.method
        origin = exchange.origin
        segments = exchange.path.map { segment in
            segment.looksLikeIdentifier ? .value : .word(segment)
        }
        exchanges = [exchange]
    }

    /// The path with the names of its values in braces: `/users/{user_id}/posts/{id}`.
    var path: String {
        var path = ""
        for (segment, name) in zip(segments, valueNames) {
            switch segment {
            case .word(let word): path += "/\(word)"
            case .value: path += "/{\(name ?? "")}"
            }
        }
        return path.isEmpty ? "/" : path
    }

    /// The name of the value at each position of the path; nil for a word. No two values have the same name.
    var valueNames: [String?] {
        let last = segments.lastIndex(of: .value)
        var taken: Set<String> = []
        return segments.indices.map { index in
            guard segments[index] == .value else { return nil }
            return SwiftName.unique(nameOfValue(at: index, isLast: index == last), in: &taken)
        }
    }

    /// The name of a value, which follows from the segment before it: `user_id` in `/users/17/posts`, `user` in
    /// `/users/ann`, and `id` for an identifier that is the last value.
    private func nameOfValue(at index: Int, isLast: Bool) -> String {
        let wordBefore = index > 0 ? segments[index - 1].word : nil
        let owner = Words(wordBefore ?? "").singular.words.joined(separator: "_")
        let areIdentifiers = exchanges.allSatisfy { $0.path[index].looksLikeIdentifier }
        if !areIdentifiers { return owner.isEmpty ? "value" : owner }
        let needsOwner = !isLast && !owner.isEmpty
        return needsOwner ? "\(owner)_id" : "id"
    }
}

// MARK: - Finding routes

extension Route {
    /// Groups exchanges by endpoint, and finds out which segments of their paths are values. It takes three steps:
    /// - Identifiers are values: `/users/17` becomes `/users/{}`.
    /// - Words in which similar routes differ are values: `/users/ann` and `/users/bob` become `/users/{}`.
    /// - The same words in other paths are values: `/users/ann/repos` becomes `/users/{}/repos`.
    static func all(_ exchanges: [Archive.Exchange]) -> [Route] {
        var routes = grouped(exchanges.map { Route($0) })
        // A family is several routes that differ only in one word. Once they are merged, the result may form another
        // family with other routes, so the search is repeated until it finds none.
        while let family = firstFamily(in: routes) {
            for index in family.routeIndices { routes[index].segments[family.position] = .value }
            routes = grouped(routes)
        }
        return grouped(withKnownValues(in: routes))
    }

    /// The method, the origin and the path that identify an endpoint.
    private struct Key: Hashable {
        let method: String
        let origin: String
        let segments: [Segment]
    }

    /// Merges routes that have the same method, origin and path. The result has the order in which the first of each
    /// appeared.
    private static func grouped(_ routes: [Route]) -> [Route] {
        var groups: [Route] = []
        var indexByKey: [Key: Int] = [:]
        for route in routes {
            let key = Key(method: route.method, origin: route.origin, segments: route.segments)
            if let index = indexByKey[key] {
                groups[index].exchanges += route.exchanges
            } else {
                indexByKey[key] = groups.count
                groups.append(route)
            }
        }
        return groups
    }

    /// Routes that differ only in one segment, which becomes a value: `/users/ann` and `/users/bob`.
    private struct Family {
        /// The position of the segment.
        let position: Int
        /// The indices of the routes in the list that was searched.
        var routeIndices: [Int]
    }

    /// Identifies the routes that are the same apart from the segment at a position.
    private struct FamilyKey: Hashable {
        let position: Int
        let key: Key

        init(_ route: Route, position: Int) {
            var segments = route.segments
            segments[position] = .value
            self.position = position
            key = Key(method: route.method, origin: route.origin, segments: segments)
        }
    }

    /// Finds the first family, which is several routes that only differ in the segment after a plural, and whose
    /// responses are similar, such as `/users/ann` and `/users/bob`. Nil if there is none.
    private static func firstFamily(in routes: [Route]) -> Family? {
        var families: [FamilyKey: Family] = [:]
        for (index, route) in routes.enumerated() {
            for position in route.segments.indices where route.mayHaveValue(at: position) {
                let key = FamilyKey(route, position: position)
                if let family = families[key] {
                    // A route whose responses are unlike those of the family's first route stays apart.
                    let isSimilar = routes[family.routeIndices[0]].isSimilar(to: route)
                    if isSimilar { families[key]?.routeIndices.append(index) }
                } else {
                    families[key] = Family(position: position, routeIndices: [index])
                }
            }
        }
        let withSeveralRoutes = families.values.filter { $0.routeIndices.count > 1 }
        // The first family is the one with the earliest routes. The order of a dictionary differs from run to run.
        return withSeveralRoutes.min { $0.routeIndices.lexicographicallyPrecedes($1.routeIndices) }
    }

    /// Words that follow a plural without being the name of an element, as in `/users/me`.
    private static let wordsAfterPlurals: Set<String> = [
        "all", "batch", "bulk", "check", "count", "current", "default", "export", "featured", "import", "latest",
        "login", "logout", "me", "mine", "new", "popular", "recent", "search", "self", "stats", "summary", "trending",
        "validate",
    ]

    /// Whether a segment follows a plural and may be the name of one of its elements: true for `ann` in `/users/ann`,
    /// but not for `me` in `/users/me`.
    private func mayHaveValue(at position: Int) -> Bool {
        guard position > 0, let owner = segments[position - 1].word else { return false }
        let ownerWords = Words(owner)
        let isPlural = ownerWords.singular.words != ownerWords.words
        return isPlural && !Self.wordsAfterPlurals.contains(segments[position].word ?? "")
    }

    /// Whether the responses of two routes have at least half of their members in common.
    private func isSimilar(to other: Route) -> Bool {
        let commonCount = memberNames.intersection(other.memberNames).count
        let totalCount = memberNames.union(other.memberNames).count
        return commonCount > 0 && commonCount * 2 >= totalCount
    }

    /// The names of members in successful responses.
    private var memberNames: Set<String> {
        Set(exchanges.filter(\.isSuccess).flatMap { $0.response?.memberNames ?? [] })
    }

    /// A value in a path and its owner, which is the word before it: `users` and `ann` in `/users/ann`.
    private struct OwnedValue: Hashable {
        let owner: String
        let value: String
    }

    /// Turns words into values if they are values after the same word in another path: if `ann` is a value in
    /// `/users/ann`, it is one in `/users/ann/repos` too.
    private static func withKnownValues(in routes: [Route]) -> [Route] {
        let knownValues = Set(routes.flatMap(\.ownedValues))
        return routes.map { route in
            var result = route
            for position in route.segments.indices.dropFirst() {
                // The segments are changed from the first to the last, so a value before this one has no word anymore.
                let owner = result.segments[position - 1].word
                let word = result.segments[position].word
                if let owner, let word, knownValues.contains(OwnedValue(owner: owner, value: word)) {
                    result.segments[position] = .value
                }
            }
            return result
        }
    }

    /// The values of this route's exchanges, each with its owner, the word before it. After another value, the owner is
    /// empty.
    private var ownedValues: [OwnedValue] {
        var ownedValues: [OwnedValue] = []
        for position in segments.indices.dropFirst() where segments[position] == .value {
            let owner = segments[position - 1].word ?? ""
            ownedValues += exchanges.map { OwnedValue(owner: owner, value: $0.path[position]) }
        }
        return ownedValues
    }
}

extension Node {
    /// The names of an object's members, or of the members of a list's elements.
    fileprivate var memberNames: [String] {
        switch content {
        case .object(let members): Array(members.keys)
        case .list(let nodes): nodes.flatMap(\.memberNames)
        case .null, .boolean, .number, .text: []
        }
    }
}
