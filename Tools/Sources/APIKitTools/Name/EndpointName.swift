/// The names of endpoints: a verb and what it is done to, as in `CreateIssueRequest`.
enum EndpointName {
    private static let prepositions: Set<String> = [
        "for", "in", "by", "with", "on", "to", "from", "of", "at", "via", "as", "and", "using",
    ]

    /// What operations do, by their names and in sentences about them.
    static let verbs = Set(
        """
        accept activate add apply approve archive assign associate attach authorize block cancel capture change
        check close compare complete confirm connect convert copy create deactivate decline delete deny destroy
        detach disable disconnect dismiss download duplicate edit enable expire export fetch finalize find
        finish follow forward fork generate get grant hide import initiate install invite link list lock make mark merge
        modify move patch pause pay pin ping post promote provision publish purge put read rebuild record recycle
        redeliver refund regenerate register reject remove rename render reopen reorder replace request resend re-run
        rerun reset resize restart restore resume retrieve retry return revert revoke rotate run save search send set
        show skip star start stop stream submit subscribe suspend sync test toggle transcribe transfer translate trigger
        unarchive unassign unblock unfollow unlock unpin unstar unsubscribe update upload validate verify void
        """.split { $0.isWhitespace }.map(String.init))

    /// Verbs that are often nouns, too.
    private static let nouns: Set = [
        "block", "capture", "change", "check", "copy", "export", "fork", "import", "invite", "link", "mark", "ping",
        "record", "refund", "render", "request", "return", "star", "stream", "sync", "test", "transfer", "trigger",
        "void",
    ]

    /// Words that need a noun: `authenticated user`.
    private static let adjectives: Set = [
        "active", "authenticated", "current", "latest", "legacy", "public", "starred", "upcoming",
    ]

    /// The possible names of an endpoint without the suffix.
    struct Candidates {
        /// The best name, if no other endpoint needs it: what the path says is left out.
        var short: String?
        /// The names, the best one first.
        var names: [String]
    }

    /// The possible names of an endpoint. Those that ask for something are named after what they return, unless
    /// their verb is not the usual one: `UsersRequest`, but `SearchUsersRequest`. A POST to what is read updates it.
    static func candidates(for endpoint: Endpoint, isRead: Bool = false) -> Candidates {
        var names = endpoint.name.map { isMechanical($0, endpoint) ? [] : described($0, endpoint) } ?? []
        let paths = fromPath(endpoint, isRead && names.isEmpty)
        let isLong = names.first.map { Words($0).words.count > 5 } == true
        let longer = paths.count > 1 ? Array(paths.dropFirst()) : paths
        names = (isLong ? longer + names : names.isEmpty ? paths : names + longer).filter { SwiftName.isIdentifier($0) }
            .map { name in
                name.count > 12 && name.hasSuffix("Request") ? String(name.dropLast("Request".count)) : name
            }
        if endpoint.isStream {
            names = names.map { Words(words: ["stream"] + Words($0).words.dropFirst()).upperCamel }
        }
        let short = names.first.flatMap { withoutPlace($0, endpoint.path) }
        names = names.map(withPlaceFirst)
        let isGet = endpoint.method == "GET" && !endpoint.isStream
        let plain = isGet ? names.map { withoutVerb($0, endpoint.path) }.filter { SwiftName.isIdentifier($0) } : []
        let first = names.first ?? ""
        let isReplacement = endpoint.method == "PUT" && first.hasPrefix("Update")
        let others =
            (isReplacement ? ["Replace\(first.dropFirst("Update".count))"] : []) + byValues(first, endpoint)
            + [endpoint.name.map(SwiftName.type)].compactMap(\.self)
        let shortest = isGet ? short.map { withoutVerb($0, endpoint.path) } : short
        return Candidates(short: shortest, names: plain + names + others)
    }

    /// The names that the description's own one leads to: with its group where an object is missing, and everywhere.
    private static func described(_ name: String, _ endpoint: Endpoint) -> [String] {
        let parts = name.split(separator: "/").map(String.init)
        var words = Words(parts.last ?? name).words
        while words.count > 2, words[0] == "api" { words.removeFirst() }
        if endpoint.method == "GET" { words = withoutAmount(words) }
        let actions = words.filter { verbs.contains($0) && !nouns.contains($0) }
        let verb = words.prefix(4).firstIndex(of: actions.first { $0 != "post" } ?? "post") ?? 0
        var group = Words(parts.count > 1 ? parts[0] : "").words
        if group.isEmpty, !words.contains("or"), verb > 0 {
            // As in `droplets_list_snapshots`.
            group = Array(words[..<verb])
            words =
                [words[verb]] + (words.count > verb + 1 ? Words(words: group).singular.words : [])
                + words[(verb + 1)...]
        } else if group.count == 1, verbs.contains(group[0]), verbs.isDisjoint(with: words.prefix(1)) {
            // As in `search/code`.
            (words, group) = (group + words, [])
        }
        // Only a verb that says that something is returned.
        if group.isEmpty, words.count == 1, readingVerbs.contains(words[0]) { return [] }
        return [
            group.isEmpty ? words : inserting(group, into: words),
            words.prefix(1) + Words(words: group).singular.words + words.dropFirst(),
        ].map { usual($0, endpoint) }
    }

    private static let readingVerbs: Set = ["fetch", "find", "get", "list", "read", "retrieve", "show"]

    /// The words of a name without those that only say how many are returned: `getAll`, `get-by-id`.
    private static func withoutAmount(_ words: [String]) -> [String] {
        for end in [["all"], ["list"], ["one"], ["by", "id"]] where words.suffix(end.count) == end[...] {
            let rest = words.dropLast(end.count)
            if let verb = rest.last, readingVerbs.contains(verb) { return Array(rest) }
        }
        return words
    }

    /// Names of one of several endpoints that differ by what they need: `DeleteUserByName`.
    private static func byValues(_ name: String, _ endpoint: Endpoint) -> [String] {
        let noun = noun(of: name).words
        return Endpoint.names(in: endpoint.path).map { value in
            let words = Words(value).words
            let own = words.starts(with: noun) ? Array(words.dropFirst(noun.count)) : words
            return "\(name)By\(Words(words: own.isEmpty ? ["id"] : own).upperCamel)"
        }
    }

    /// The name without a verb that only says that something is returned, unless another verb follows it:
    /// `GetDeleteStatus`. A word that is also a plural in the path is not a verb.
    private static func withoutVerb(_ name: String, _ path: String) -> String {
        let words = Words(name).words
        guard words.count > 1, ["get", "list"].contains(words[0]) else { return name }
        let isVerb = verbs.contains(words[1]) && !nouns.contains(words[1])
        guard !isVerb || Words(path).words.contains(Words(words: [words[1]]).plural.words[0]) else { return name }
        return Words(words: Array(words.dropFirst())).upperCamel
    }

    /// The name without what the path says, too: `SearchProjects` of `SearchProjectsForWorkspace`. Nil if it ends
    /// otherwise.
    private static func withoutPlace(_ name: String, _ path: String) -> String? {
        let words = Words(name).words
        guard let index = words.firstIndex(where: { prepositions.contains($0) }),
            ["by", "for", "in"].contains(words[index]), index > 1 || !verbs.contains(words[0])
        else { return nil }
        let known = Set(Words(path).words.map(Words.singular) + ["object", "resource"])
        guard words[(index + 1)...].allSatisfy({ known.contains(Words.singular($0)) }) else { return nil }
        return Words(words: Array(words[..<index])).upperCamel
    }

    /// `ListTeamProjects` of `ListProjectsForTeam`.
    private static func withPlaceFirst(_ name: String) -> String {
        let words = Words(name).words
        guard let index = words.firstIndex(where: { prepositions.contains($0) }), index > 1,
            ["for", "in"].contains(words[index])
        else { return name }
        let place = Words(words: Array(words[(index + 1)...])).singular.words
        let object = words[1..<index]
        guard 1...2 ~= place.count, !object.starts(with: place), place.last != "id",
            !place.contains(where: prepositions.contains)
        else { return name }
        return Words(words: words[..<1] + place + object).upperCamel
    }

    /// A name with the usual verb, without articles, and with one thing or several as in the path.
    private static func usual(_ words: [String], _ endpoint: Endpoint) -> String {
        var words = words.filter { !["a", "an", "the"].contains($0) }
        words = words.enumerated().filter { $0.offset == 0 || words[$0.offset - 1] != $0.element }.map(\.element)
        if words.count > 2, words[0] == "post", verbs.contains(words[1]) { words.removeFirst() }
        let usual = [
            "fetch": "get", "patch": "update", "post": "create", "read": "get", "retrieve": "get", "return": "get",
            "show": "get",
        ]
        guard words.count > 1, let verb = words.first else { return Words(words: words).upperCamel }
        words[0] = usual[verb] ?? verb
        if words.count > 2, ["get", "list"].contains(words[0]), words[1] == "all" { words.remove(at: 1) }
        let end = words.dropFirst().firstIndex { prepositions.contains($0) } ?? words.endIndex
        let object = words[1..<end]
        let segment = endpoint.path.split { "/.".contains($0) }.last { !$0.contains("{") && $0 != "json" }
        let noun = Words(segment.map(String.init) ?? "").words.last
        if verb == "list", let last = object.last {
            let plural = Words(words: [last]).plural.words[0]
            let isOne = noun != last && object.allSatisfy { Words.singular($0) == $0 }
            if noun == plural || isOne && !last.hasSuffix("ed") && !last.hasSuffix("ing") { words[end - 1] = plural }
        } else if ["get", "delete", "update"].contains(words[0]), noun == words.last, endpoint.path.last == "}" {
            words[words.count - 1] = Words.singular(noun ?? "")
        }
        return Words(words: words).upperCamel
    }

    /// What an endpoint is about: the issue of `CreateIssueForRepo`, or its verb if that is all.
    static func noun(of name: String, isGet: Bool = false) -> Words {
        let words = Words(name).words
        let hasVerb = !isGet || !verbs.subtracting(nouns).isDisjoint(with: words.prefix(1))
        let object = words.dropFirst(hasVerb ? 1 : 0).prefix { !prepositions.contains($0) }
        return Words(words: object.isEmpty ? Array(words.prefix(1)) : Array(object)).singular
    }

    /// Puts the group of `issues/list-for-repo` where it belongs: `list issues for repo`.
    private static func inserting(_ group: [String], into words: [String]) -> [String] {
        guard let verb = words.first else { return words }
        let isList = ["list", "search", "find"].contains(verb)
        let object = isList ? group : Words(words: group).singular.words
        if words.count == 2, adjectives.contains(words[1]) { return words + object }
        let needsObject = words.count == 1 || prepositions.contains(words[1])
        return needsObject ? [verb] + object + words.dropFirst() : words
    }

    /// Whether a name only repeats the method and the path, as in `GetCustomersCustomer`.
    private static func isMechanical(_ name: String, _ endpoint: Endpoint) -> Bool {
        let text = Words(name).words.joined().lowercased()
        let method = endpoint.method.lowercased()
        guard text.hasPrefix(method), text.count > method.count else { return false }
        return Words(endpoint.path).words.joined().lowercased().hasSuffix(text.dropFirst(method.count))
    }

    /// Names from the method and the path: each has one more part of the path than the one before.
    private static func fromPath(_ endpoint: Endpoint, _ isRead: Bool) -> [String] {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        let isItem = segments.last?.contains("{") == true
        var nouns = segments.map { $0.replacing(".json", with: "") }.filter { segment in
            !segment.contains("{") && segment != "api" && segment.wholeMatch(of: /v\d+/) == nil
        }
        guard let last = nouns.last else { return [SwiftName.type("\(endpoint.method.lowercased())Root")] }
        if adjectives.contains(last), let parent = nouns.dropLast().last.map(Words.init),
            parent.words != parent.singular.words
        {
            nouns = nouns.dropLast(2) + ["\(last)_\(parent.singular.words.joined(separator: "_"))"]
        }
        let noun = Words(nouns.last ?? last)
        let isList = !isItem && noun.singular.words != noun.words
        let verb =
            switch endpoint.method {
            case "GET": isList ? "list" : "get"
            case "POST": isItem || isRead && !isList ? "update" : "create"
            case "PUT", "PATCH": "update"
            default: Words(endpoint.method).words.joined()
            }
        if endpoint.method == "GET", last == "search", let parent = nouns.dropLast().last {
            return [Words(words: ["search"] + Words(parent).words).upperCamel]
        }
        let isVerb = noun.words.first.map(verbs.contains) == true
        let isAction = endpoint.method == "POST" && !isItem && !isList && !isRead && (nouns.count > 1 || isVerb)
        let object = endpoint.method == "GET" && isList ? noun.words : noun.singular.words
        return nouns.indices.map { count in
            // An action such as `/invoices/{id}/pay` is done to something.
            let parents = nouns.dropLast().suffix(isAction ? max(count, 1) : count).flatMap { Words($0).singular.words }
            return Words(words: isAction ? noun.words + parents : [verb] + parents + object).upperCamel
        }
    }
}
