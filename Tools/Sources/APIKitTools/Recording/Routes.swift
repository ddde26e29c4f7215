/// The exchanges of one endpoint: those that differ in values of the path alone.
struct Route {
    var method: String
    var origin: String
    /// The segments of the path; nil for a value.
    var segments: [String?]
    var exchanges: [Archive.Exchange]

    /// The path with the names of its values: `/users/{id}/posts/{post_id}`.
    var path: String { "/" + zip(segments, names).map { $0 ?? "{\($1)}" }.joined(separator: "/") }

    /// What the values are called: after the segment before them.
    var names: [String] {
        let last = segments.lastIndex(of: nil)
        var taken: Set<String> = []
        return segments.indices.map { index in
            guard segments[index] == nil else { return "" }
            let owner = Words(index > 0 ? segments[index - 1] ?? "" : "").singular.words.joined(separator: "_")
            let isName = exchanges.contains { !Route.isIdentifier($0.path[index]) }
            let name = isName ? owner : index == last || owner.isEmpty ? "id" : "\(owner)_id"
            return SwiftName.unique(name.isEmpty ? "value" : name, in: &taken)
        }
    }

    /// Sorts exchanges by endpoint.
    static func all(_ exchanges: [Archive.Exchange]) -> [Route] {
        var routes = grouped(
            exchanges.map { exchange in
                let segments = exchange.path.map { isIdentifier($0) ? nil : $0 }
                return Route(
                    method: exchange.method, origin: exchange.origin, segments: segments, exchanges: [exchange])
            })
        while let varying = variation(in: routes) {
            for index in varying.routes { routes[index].segments[varying.place] = nil }
            routes = grouped(routes)
        }
        return grouped(adoptingValues(routes))
    }

    /// The routes, those with the same method and path as one.
    private static func grouped(_ routes: [Route]) -> [Route] {
        var (result, indices): ([Route], [[String?]: Int]) = ([], [:])
        for route in routes {
            let key = [route.method, route.origin] + route.segments
            if let index = indices[key] {
                result[index].exchanges += route.exchanges
            } else {
                indices[key] = result.count
                result.append(route)
            }
        }
        return result
    }

    // MARK: - Values

    /// Words after a plural that are not the name of one of many.
    private static let words: Set<String> = [
        "all", "batch", "bulk", "check", "count", "current", "default", "export", "featured", "import", "latest",
        "login", "logout", "me", "mine", "new", "popular", "recent", "search", "self", "stats", "summary", "trending",
        "validate",
    ]

    /// Whether a segment is a number, a UUID, a hash, a date, an e-mail address or another identifier.
    static func isIdentifier(_ segment: String) -> Bool {
        if segment.contains(Secrets.mask) || segment.contains("@") || segment.contains("%40") { return true }
        let digits = segment.count { $0.isASCII && $0.isNumber }
        let letters = segment.filter { $0.isASCII && $0.isLetter }.count
        let isPlain = segment.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        guard digits > 0, isPlain else { return false }
        if letters == 0 { return true }
        let isHex = segment.allSatisfy { $0.isHexDigit || $0 == "-" }
        if isHex, digits + letters >= 8, digits > 1 { return true }
        // `cus_9s6XKzkNRiz8i3` and `dQw4w9WgXcQ`, but not `version2` or `lamp-2024`.
        let hasBothCases = segment.contains(where: \.isUppercase) && segment.contains(where: \.isLowercase)
        return segment.count >= 10 && digits > 1 && (hasBothCases || digits * 4 > segment.count)
            && !segment.contains("-")
    }

    /// Routes that differ in one segment after a plural, and whose responses have the same members.
    private static func variation(in routes: [Route]) -> (routes: [Int], place: Int)? {
        var families: [[String?]: [Int]] = [:]
        for (index, route) in routes.enumerated() {
            for place in route.segments.indices.dropFirst() {
                guard let owner = route.segments[place - 1], Words(owner).singular.words != Words(owner).words,
                    !words.contains(route.segments[place] ?? "")
                else { continue }
                var key = [route.method, route.origin, String(place)] + route.segments
                key[place + 3] = "*"
                let first = families[key]?.first
                if first.map({ isSimilar(routes[$0], route) }) ?? true { families[key, default: []].append(index) }
            }
        }
        let family = families.filter { $0.value.count > 1 }.min { $0.value.lexicographicallyPrecedes($1.value) }
        return family.flatMap { key, indices in key[2].flatMap { Int($0) }.map { (indices, $0) } }
    }

    private static func isSimilar(_ route: Route, _ other: Route) -> Bool {
        let names = [route, other].map {
            Set($0.exchanges.filter(\.isSuccess).flatMap { $0.response?.memberNames ?? [] })
        }
        let common = names[0].intersection(names[1]).count
        return common > 0 && common * 2 >= names[0].union(names[1]).count
    }

    /// A value in one path is a value in all: what `GET /users/ann` shows holds for `/users/ann/repos` too.
    private static func adoptingValues(_ routes: [Route]) -> [Route] {
        var known: Set<[String]> = []
        for route in routes {
            for (index, owner) in route.segments.enumerated().dropLast() where route.segments[index + 1] == nil {
                for exchange in route.exchanges { known.insert([owner ?? "", exchange.path[index + 1]]) }
            }
        }
        return routes.map { route in
            var route = route
            for index in route.segments.indices.dropFirst() {
                guard let owner = route.segments[index - 1], let segment = route.segments[index] else { continue }
                if known.contains([owner, segment]) { route.segments[index] = nil }
            }
            return route
        }
    }
}

extension Node {
    /// The names of the members, of a list those of its elements.
    var memberNames: [String] {
        switch content {
        case .object(let members): Array(members.keys)
        case .list(let nodes): nodes.flatMap(\.memberNames)
        default: []
        }
    }
}
