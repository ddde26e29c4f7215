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

    fileprivate init(_ exchange: Archive.Exchange) {
        method = exchange.method
        origin = exchange.origin
        segments = exchange.path.map { segment in
            Route.isIdentifier(segment) ? .value : .word(segment)
        }
        exchanges = [exchange]
    }

    /// The path with the names of its values: `/users/{id}/posts/{post_id}`.
    var path: String {
        let parts = zip(segments, names).map { segment, name in segment.word ?? "{\(name)}" }
        return "/" + parts.joined(separator: "/")
    }

    /// The name of the value at each position of the path; empty for a word.
    var names: [String] {
        let last = segments.lastIndex(of: .value)
        var taken: Set<String> = []
        return segments.indices.map { index in
            guard segments[index] == .value else { return "" }
            return SwiftName.unique(nameOfValue(at: index, isLast: index == last), in: &taken)
        }
    }

    /// The name of a value, which follows from the segment before it: `user_id` in `/users/17/posts`, `user` in
    /// `/users/ann`, and `id` for an identifier that is the last value.
    private func nameOfValue(at index: Int, isLast: Bool) -> String {
        let wordBefore = index > 0 ? segments[index - 1].word : nil
        let owner = Words(wordBefore ?? "").singular.words.joined(separator: "_")
        let areIdentifiers = exchanges.allSatisfy { Route.isIdentifier($0.path[index]) }
        if !areIdentifiers { return owner.isEmpty ? "value" : owner }
        return isLast || owner.isEmpty ? "id" : "\(owner)_id"
    }
}

// MARK: - Identifiers

extension Route {
    /// Whether a segment is a number, a UUID, a hash, a date, an e-mail address or another identifier.
    static func isIdentifier(_ segment: String) -> Bool {
        let isAddress = segment.contains("@") || segment.contains("%40")
        if isAddress || segment.contains(Secrets.mask) { return true }

        let isPlain = segment.allSatisfy { $0.isASCIIAlphanumeric || "-_".contains($0) }
        let digits = segment.count { $0.isASCII && $0.isNumber }
        guard isPlain, digits > 0 else { return false }
        let letters = segment.count { $0.isASCII && $0.isLetter }
        if letters == 0 { return true }

        // Hashes and UUIDs have at least eight digits. A shorter text, such as `ad2`, may be a word.
        let isHexadecimal = segment.allSatisfy { $0.isHexDigit || $0 == "-" }
        if isHexadecimal, digits > 1, digits + letters >= 8 { return true }
        return isRandom(segment, digits: digits)
    }

    /// Whether a segment looks like a generated identifier, such as `cus_9s6XKzkNRiz8i3` or `dQw4w9WgXcQ`, and not like
    /// a word with a number, such as `version2` or `lamp-2024`.
    private static func isRandom(_ segment: String, digits: Int) -> Bool {
        // People choose short texts, at most one digit, or words with hyphens.
        guard segment.count >= 10, digits > 1, !segment.contains("-") else { return false }
        // Random letters are rarely all in one case. Otherwise, more than a quarter of digits is a sign of them.
        let hasBothCases = segment.contains(where: \.isUppercase) && segment.contains(where: \.isLowercase)
        return hasBothCases || digits * 4 > segment.count
    }
}

// MARK: - Finding routes

extension Route {
    /// Groups exchanges by endpoint.
    static func all(_ exchanges: [Archive.Exchange]) -> [Route] {
        var routes = grouped(exchanges.map { Route($0) })
        while let family = nextFamily(in: routes) {
            for index in family.routes { routes[index].segments[family.position] = .value }
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

    /// Routes that differ in one segment, which becomes a value.
    private struct Family {
        /// The position of the segment.
        let position: Int
        /// The indices of the routes.
        var routes: [Int]
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

    /// The first family of routes that only differ in the segment after a plural, and whose responses are similar:
    /// `/users/ann` and `/users/bob`.
    private static func nextFamily(in routes: [Route]) -> Family? {
        var families: [FamilyKey: Family] = [:]
        for (index, route) in routes.enumerated() {
            for position in route.segments.indices where route.mayHaveValue(at: position) {
                let key = FamilyKey(route, position: position)
                var family = families[key] ?? Family(position: position, routes: [])
                if let first = family.routes.first, !routes[first].isSimilar(to: route) { continue }
                family.routes.append(index)
                families[key] = family
            }
        }
        let several = families.values.filter { $0.routes.count > 1 }
        return several.min { $0.routes.lexicographicallyPrecedes($1.routes) }
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

    /// A value and the word before it in a path.
    private struct OwnedValue: Hashable {
        let owner: String
        let value: String
    }

    /// Turns words into values if they are values after the same word in another path: if `ann` is a value in
    /// `/users/ann`, it is one in `/users/ann/repos` too.
    private static func adoptingValues(_ routes: [Route]) -> [Route] {
        let known = Set(routes.flatMap(\.ownedValues))
        return routes.map { route in
            var route = route
            for position in route.segments.indices.dropFirst() {
                guard let owner = route.segments[position - 1].word, let word = route.segments[position].word else {
                    continue
                }
                if known.contains(OwnedValue(owner: owner, value: word)) { route.segments[position] = .value }
            }
            return route
        }
    }

    private var ownedValues: [OwnedValue] {
        segments.indices.dropFirst().filter { segments[$0] == .value }.flatMap { position in
            let owner = segments[position - 1].word ?? ""
            return exchanges.map { OwnedValue(owner: owner, value: $0.path[position]) }
        }
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
