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

    /// Creates the route of one exchange, in whose path identifiers are values and all other segments are words.
    fileprivate init(_ exchange: Archive.Exchange) {
        method = exchange.method
        origin = exchange.origin
        segments = exchange.path.map { segment in
            segment.looksLikeIdentifier ? .value : .word(segment)
        }
        exchanges = [exchange]
    }

    /// The path with the names of its values: `/users/{id}/posts/{post_id}`.
    var path: String {
        let parts = zip(segments, valueNames).map { segment, name in segment.word ?? "{\(name ?? "")}" }
        return "/" + parts.joined(separator: "/")
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
        return isLast || owner.isEmpty ? "id" : "\(owner)_id"
    }
}

// MARK: - Finding routes

extension Route {
    /// Groups exchanges by endpoint.
    ///
    /// At first, only identifiers in a path are values. Then words become values: those in which similar routes differ,
    /// such as `ann` and `bob` in `/users/ann` and `/users/bob`, and after that the same words in other paths, such as
    /// `/users/ann/repos`.
    static func all(_ exchanges: [Archive.Exchange]) -> [Route] {
        var routes = grouped(exchanges.map { Route($0) })
        while let family = firstFamily(in: routes) {
            for index in family.routeIndices { routes[index].segments[family.position] = .value }
            routes = grouped(routes)
        }
        return grouped(adoptingValues(routes))
    }

    /// The method, the origin and the path that identify an endpoint.
    private struct Key: Hashable {
        let method: String
        let origin: String
        let segments: [Segment]
    }

    /// Merges routes that have the same method, origin and path.
    private static func grouped(_ routes: [Route]) -> [Route] {
        var groups: [Route] = []
        var indices: [Key: Int] = [:]
        for route in routes {
            let key = Key(method: route.method, origin: route.origin, segments: route.segments)
            if let index = indices[key] {
                groups[index].exchanges += route.exchanges
            } else {
                indices[key] = groups.count
                groups.append(route)
            }
        }
        return groups
    }

    /// Routes that differ only in one segment, which becomes a value.
    private struct Family {
        /// The position of the segment.
        let position: Int
        /// The indices of the routes.
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

    /// Finds the first family of routes that only differ in the segment after a plural, and whose responses are similar,
    /// such as `/users/ann` and `/users/bob`; nil if there is none.
    private static func firstFamily(in routes: [Route]) -> Family? {
        var families: [FamilyKey: Family] = [:]
        for (index, route) in routes.enumerated() {
            for position in route.segments.indices where route.mayHaveValue(at: position) {
                let key = FamilyKey(route, position: position)
                if let family = families[key] {
                    // A route whose responses are unlike those of the first one stays apart.
                    let isSimilar = routes[family.routeIndices[0]].isSimilar(to: route)
                    if isSimilar { families[key]?.routeIndices.append(index) }
                } else {
                    families[key] = Family(position: position, routeIndices: [index])
                }
            }
        }
        let withSeveralRoutes = families.values.filter { $0.routeIndices.count > 1 }
        // The first in the order of the routes, since the order of a dictionary differs from run to run.
        return withSeveralRoutes.min { $0.routeIndices.lexicographicallyPrecedes($1.routeIndices) }
    }

    /// Words that follow a plural without being the name of an element, as in `/users/me`.
    private static let wordsAfterPlurals: Set<String> = [
        "all", "batch", "bulk", "check", "count", "current", "default", "export", "featured", "import", "latest",
        "login", "logout", "me", "mine", "new", "popular", "recent", "search", "self", "stats", "summary", "trending",
        "validate",
    ]

    /// Whether a segment follows a plural and may be the name of one of its elements.
    private func mayHaveValue(at position: Int) -> Bool {
        guard position > 0, let owner = segments[position - 1].word else { return false }
        let ownerWords = Words(owner)
        let isPlural = ownerWords.singular.words != ownerWords.words
        return isPlural && !Self.wordsAfterPlurals.contains(segments[position].word ?? "")
    }

    /// Whether the responses of two routes have at least half of their members in common.
    private func isSimilar(to other: Route) -> Bool {
        let common = memberNames.intersection(other.memberNames).count
        return common > 0 && common * 2 >= memberNames.union(other.memberNames).count
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

    /// Turns words into values if they are values with the same owner in another path: if `ann` is a value in
    /// `/users/ann`, it is one in `/users/ann/repos` too.
    private static func adoptingValues(_ routes: [Route]) -> [Route] {
        let knownValues = Set(routes.flatMap(\.ownedValues))
        return routes.map { route in
            var route = route
            for position in route.segments.indices.dropFirst() {
                guard let owner = route.segments[position - 1].word, let word = route.segments[position].word else {
                    continue
                }
                let isValueElsewhere = knownValues.contains(OwnedValue(owner: owner, value: word))
                if isValueElsewhere { route.segments[position] = .value }
            }
            return route
        }
    }

    /// The values of this route's exchanges, each with its owner, which is empty after another value.
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
