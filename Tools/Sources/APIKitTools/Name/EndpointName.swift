/// Chooses the names of endpoints: a verb and its object, as in `CreateIssueRequest`.
enum EndpointName {
    private static let prepositions: Set<String> = [
        "for", "in", "by", "with", "on", "to", "from", "of", "at", "via", "as", "and", "using",
    ]

    /// The verbs that names of operations, and sentences about operations, begin with.
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

    /// Verbs that are often nouns.
    private static let nouns: Set = [
        "block", "capture", "change", "check", "copy", "export", "fork", "import", "invite", "link", "mark", "ping",
        "record", "refund", "render", "request", "return", "star", "stream", "sync", "test", "transfer", "trigger",
        "void",
    ]

    /// Words that need a noun after them, as in `authenticated user`.
    private static let adjectives: Set = [
        "active", "authenticated", "current", "latest", "legacy", "public", "starred", "upcoming",
    ]

    /// The possible names of an endpoint without the suffix.
    struct Candidates {
        /// The name without words that the path repeats. It is the best name if no other endpoint could have it.
        var short: String?
        /// The names, the best one first.
        var names: [String]
    }

    /// The possible names of an endpoint.
    ///
    /// A GET is named after what it returns: `UsersRequest`. It only keeps a verb that says more than "get" or "list":
    /// `SearchUsersRequest`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - isRead: Whether the same path also has a GET. A POST to such a path is taken for an update.
    /// - Returns: The names, the best one first.
    static func candidates(for endpoint: Endpoint, isRead: Bool = false) -> Candidates {
        let wanted = namesWithVerb(for: endpoint, isRead: isRead)
        let short = wanted.first.flatMap { withoutPlace($0, endpoint.path) }
        let names = wanted.map(withPlaceFirst)
        let others = alternatives(to: names.first ?? "", endpoint)
        guard endpoint.method == "GET", !endpoint.isStream else {
            return Candidates(short: short, names: names + others)
        }
        let nouns = names.map { withoutVerb($0, endpoint.path) }.filter(SwiftName.isIdentifier)
        return Candidates(short: short.map { withoutVerb($0, endpoint.path) }, names: nouns + names + others)
    }

    /// The names that begin with a verb, from the description's own name and from the path.
    private static func namesWithVerb(for endpoint: Endpoint, isRead: Bool) -> [String] {
        var own: [String] = []
        if let name = endpoint.name, !isMechanical(name, endpoint) {
            own = described(name, endpoint)
        }
        let paths = namesFromPath(endpoint, isRead: isRead && own.isEmpty)
        // The shortest name from the path leaves out its parents, and says less than the description's own name.
        let longerPaths = paths.count > 1 ? Array(paths.dropFirst()) : paths
        var names: [String]
        if own.isEmpty {
            names = paths
        } else if Words(own[0]).words.count > 5 {
            // A name of more than five words is hard to read: the path usually leads to a shorter one.
            names = longerPaths + own
        } else {
            names = own + longerPaths
        }
        names = names.filter(SwiftName.isIdentifier).map(withoutSuffix)
        guard endpoint.isStream else { return names }
        return names.map { name in
            Words(words: ["stream"] + Words(name).words.dropFirst()).upperCamel
        }
    }

    /// The name without `Request`, which is added to the names of all endpoints. A short name such as `SendRequest`
    /// keeps it, since the word is probably its object.
    private static func withoutSuffix(_ name: String) -> String {
        guard name.count > 12, name.hasSuffix("Request") else { return name }
        return String(name.dropLast("Request".count))
    }

    /// Further names of an endpoint, for when other endpoints have its best ones.
    private static func alternatives(to name: String, _ endpoint: Endpoint) -> [String] {
        var names: [String] = []
        if endpoint.method == "PUT", name.hasPrefix("Update") {
            names.append("Replace\(name.dropFirst("Update".count))")
        }
        names += byValues(name, endpoint)
        if let own = endpoint.name { names.append(SwiftName.type(own)) }
        return names
    }

    // MARK: - From the description's name

    /// The names that follow from the description's own name. The first one has the name of the group only if its
    /// object is missing; the second one always has it.
    private static func described(_ name: String, _ endpoint: Endpoint) -> [String] {
        let name = DescribedName(name, isGet: endpoint.method == "GET")
        if name.group.isEmpty {
            let onlySaysThatSomethingIsReturned = name.words.count == 1 && readingVerbs.contains(name.words[0])
            return onlySaysThatSomethingIsReturned ? [] : [usual(name.words, endpoint)]
        }
        let withGroupIfNeeded = inserting(name.group, into: name.words)
        let withGroup = name.words.prefix(1) + Words(words: name.group).singular.words + name.words.dropFirst()
        return [usual(withGroupIfNeeded, endpoint), usual(Array(withGroup), endpoint)]
    }

    /// The parts of a name such as `repos/list-for-user`.
    private struct DescribedName {
        /// The words of the name, with the verb first.
        private(set) var words: [String]
        /// The words of the group that it belongs to; empty if it has none.
        private(set) var group: [String] = []

        init(_ name: String, isGet: Bool) {
            let parts = name.split(separator: "/").map(String.init)
            words = Words(parts.last ?? name).words
            while words.count > 2, words[0] == "api" { words.removeFirst() }
            if isGet { words = withoutAmount(words) }
            if parts.count > 1 { group = Words(parts[0]).words }
            let verb = indexOfVerb(in: words)
            if group.isEmpty, verb > 0, !words.contains("or") {
                moveGroup(before: verb)
            } else if group.count == 1, verbs.contains(group[0]), verbs.isDisjoint(with: words.prefix(1)) {
                // The group is the verb, as in `search/code`.
                words = group + words
                group = []
            }
        }

        /// Moves the words before the verb to the group, as in `droplets_list_snapshots`. If the name has an object,
        /// the words also stay in the name, before the object.
        private mutating func moveGroup(before verb: Int) {
            group = Array(words[..<verb])
            let object = Array(words[(verb + 1)...])
            let owner = object.isEmpty ? [] : Words(words: group).singular.words
            words = [words[verb]] + owner + object
        }
    }

    /// The position of the verb in a name: that of the first word that is always a verb. `post` is the last choice,
    /// since it may just repeat the method. Only the first four words are searched, as later ones belong to the object.
    private static func indexOfVerb(in words: [String]) -> Int {
        let actions = words.filter { verbs.contains($0) && !nouns.contains($0) }
        let verb = actions.first { $0 != "post" } ?? "post"
        return words.prefix(4).firstIndex(of: verb) ?? 0
    }

    private static let readingVerbs: Set = ["fetch", "find", "get", "list", "read", "retrieve", "show"]

    /// The words of a name without an ending that only says how many values are returned, as in `getAll` and
    /// `get-by-id`.
    private static func withoutAmount(_ words: [String]) -> [String] {
        for end in [["all"], ["list"], ["one"], ["by", "id"]] where words.suffix(end.count) == end[...] {
            let rest = words.dropLast(end.count)
            if let verb = rest.last, readingVerbs.contains(verb) { return Array(rest) }
        }
        return words
    }

    /// Inserts the group as the object of a name that has none: `issues/list-for-repo` becomes `list issues for repo`.
    private static func inserting(_ group: [String], into words: [String]) -> [String] {
        guard let verb = words.first else { return words }
        let isAboutSeveral = ["list", "search", "find"].contains(verb)
        let object = isAboutSeveral ? group : Words(words: group).singular.words
        if words.count == 2, adjectives.contains(words[1]) { return words + object }
        let hasObject = words.count > 1 && !prepositions.contains(words[1])
        if hasObject { return words }
        return [verb] + object + words.dropFirst()
    }

    /// Verbs and the usual verb with the same meaning.
    private static let usualVerbs = [
        "fetch": "get", "patch": "update", "post": "create", "read": "get", "retrieve": "get", "return": "get",
        "show": "get",
    ]

    /// A name with the usual verb, without articles and repeated words. Its object is in the singular or the plural, as
    /// in the path.
    private static func usual(_ name: [String], _ endpoint: Endpoint) -> String {
        var words = withoutRepetitions(name.filter { !["a", "an", "the"].contains($0) })
        if words.count > 2, words[0] == "post", verbs.contains(words[1]) {
            words.removeFirst()
        }
        guard words.count > 1 else { return Words(words: words).upperCamel }
        let verb = words[0]
        words[0] = usualVerbs[verb] ?? verb
        if words.count > 2, ["get", "list"].contains(words[0]), words[1] == "all" {
            words.remove(at: 1)
        }
        let noun = lastNoun(of: endpoint.path)
        if verb == "list" {
            words = withSeveral(words, noun: noun)
        } else if ["get", "delete", "update"].contains(words[0]), noun == words.last, endpoint.path.last == "}" {
            words[words.count - 1] = Words.singular(noun ?? "")
        }
        return Words(words: words).upperCamel
    }

    private static func withoutRepetitions(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words where word != result.last { result.append(word) }
        return result
    }

    /// The last word of the last constant segment of a path: `repos` for `/users/{id}/repos`.
    private static func lastNoun(of path: String) -> String? {
        let segment = path.split { "/.".contains($0) }.last { !$0.contains("{") && $0 != "json" }
        return segment.flatMap { Words(String($0)).words.last }
    }

    /// Puts the object of a name such as `list alert policy` in the plural, if the path has that plural or if no word
    /// of the object is a plural yet. A participle, as in `list starred`, has no plural.
    private static func withSeveral(_ name: [String], noun: String?) -> [String] {
        var words = name
        let end = words.dropFirst().firstIndex { prepositions.contains($0) } ?? words.endIndex
        let object = words[1..<end]
        guard let last = object.last else { return words }
        let plural = Words(words: [last]).plural.words[0]
        let isParticiple = last.hasSuffix("ed") || last.hasSuffix("ing")
        let isSingular = noun != last && object.allSatisfy { Words.singular($0) == $0 }
        let needsPlural = isSingular && !isParticiple
        if noun == plural || needsPlural { words[end - 1] = plural }
        return words
    }

    // MARK: - Shorter and longer names

    /// A name for each value in the path, as in `DeleteUserByName`: it tells apart endpoints that do the same with
    /// different values.
    private static func byValues(_ name: String, _ endpoint: Endpoint) -> [String] {
        let noun = noun(of: name).words
        return Endpoint.names(in: endpoint.path).map { value in
            var words = Words(value).words
            if words.starts(with: noun) { words.removeFirst(noun.count) }
            if words.isEmpty { words = ["id"] }
            return "\(name)By\(Words(words: words).upperCamel)"
        }
    }

    /// The name without a leading "get" or "list". The verb stays if another one follows, as in `GetDeleteStatus`:
    /// otherwise the endpoint would seem to delete. If the path has the plural of the following word, it is a noun.
    private static func withoutVerb(_ name: String, _ path: String) -> String {
        let words = Words(name).words
        guard words.count > 1, ["get", "list"].contains(words[0]) else { return name }
        let next = words[1]
        if verbs.contains(next), !nouns.contains(next) {
            let plural = Words(words: [next]).plural.words[0]
            guard Words(path).words.contains(plural) else { return name }
        }
        return Words(words: Array(words.dropFirst())).upperCamel
    }

    /// The name without a place at its end that the path repeats: `SearchProjects` for `SearchProjectsForWorkspace`.
    /// Nil if the name does not end in such a place.
    private static func withoutPlace(_ name: String, _ path: String) -> String? {
        let words = Words(name).words
        guard let index = words.firstIndex(where: prepositions.contains) else { return nil }
        let isPlace = ["by", "for", "in"].contains(words[index])
        let onlyHasVerb = index < 2 && verbs.contains(words[0])
        guard isPlace, !onlyHasVerb else { return nil }
        let known = Set(Words(path).words.map(Words.singular) + ["object", "resource"])
        let place = words[(index + 1)...]
        guard place.allSatisfy({ known.contains(Words.singular($0)) }) else { return nil }
        return Words(words: Array(words[..<index])).upperCamel
    }

    /// The name with a short place before its object: `ListTeamProjects` for `ListProjectsForTeam`.
    private static func withPlaceFirst(_ name: String) -> String {
        let words = Words(name).words
        guard let index = words.firstIndex(where: prepositions.contains), index > 1,
            ["for", "in"].contains(words[index])
        else { return name }
        let place = Words(words: Array(words[(index + 1)...])).singular.words
        let object = words[1..<index]
        let isShort = place.count == 1 || place.count == 2
        guard isShort, place.last != "id", !object.starts(with: place), prepositions.isDisjoint(with: place) else {
            return name
        }
        return Words(words: words[..<1] + place + object).upperCamel
    }

    /// The thing that an endpoint is about, in the singular: `Issue` for `CreateIssueForRepo`. A name that is only a
    /// verb is its own noun.
    static func noun(of name: String, isGet: Bool = false) -> Words {
        let words = Words(name).words
        // The name of a GET usually has no verb. Its first word is one only if it cannot be a noun.
        var hasVerb = true
        if isGet, let first = words.first {
            hasVerb = verbs.contains(first) && !nouns.contains(first)
        }
        let object = words.dropFirst(hasVerb ? 1 : 0).prefix { !prepositions.contains($0) }
        let found = object.isEmpty ? words.prefix(1) : object
        return Words(words: Array(found)).singular
    }

    // MARK: - From the path

    /// Whether a name is derived from the method and the path, as in `GetCustomersCustomer`. Such names are replaced by
    /// our own.
    private static func isMechanical(_ name: String, _ endpoint: Endpoint) -> Bool {
        let text = Words(name).words.joined().lowercased()
        let method = endpoint.method.lowercased()
        guard text.hasPrefix(method), text.count > method.count else { return false }
        let path = Words(endpoint.path).words.joined().lowercased()
        return path.hasSuffix(text.dropFirst(method.count))
    }

    /// Names from the method and the path. Each one includes one more of the path's parents than the one before.
    private static func namesFromPath(_ endpoint: Endpoint, isRead: Bool) -> [String] {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        let isItem = segments.last?.contains("{") == true
        let nouns = pathNouns(of: segments)
        guard let last = nouns.last else {
            return [SwiftName.type("\(endpoint.method.lowercased())Root")]
        }
        let noun = Words(last)
        let parents = nouns.dropLast()
        if endpoint.method == "GET", last == "search", let parent = parents.last {
            return [Words(words: ["search"] + Words(parent).words).upperCamel]
        }
        let isList = !isItem && noun.singular.words != noun.words
        let verb = verb(for: endpoint.method, isItem: isItem, isList: isList, isRead: isRead)
        let object = endpoint.method == "GET" && isList ? noun.words : noun.singular.words
        // A POST to `/invoices/{id}/pay` performs an action on an invoice; it does not create a "pay".
        var isAction = false
        if verb == "create", !isList {
            let isVerb = noun.words.first.map(verbs.contains) == true
            isAction = isVerb || !parents.isEmpty
        }
        return nouns.indices.map { count in
            let parentCount = isAction ? max(count, 1) : count
            let place = parents.suffix(parentCount).flatMap { Words($0).singular.words }
            let words = isAction ? noun.words + place : [verb] + place + object
            return Words(words: words).upperCamel
        }
    }

    /// The segments of a path that are nouns, without values and versions. An adjective such as `latest` is joined with
    /// the noun before it.
    private static func pathNouns(of segments: [String]) -> [String] {
        let nouns = segments.map { $0.replacing(".json", with: "") }.filter { segment in
            !segment.contains("{") && segment != "api" && segment.wholeMatch(of: /v\d+/) == nil
        }
        guard let last = nouns.last, adjectives.contains(last), nouns.count > 1 else {
            return nouns
        }
        let parent = Words(nouns[nouns.count - 2])
        guard parent.words != parent.singular.words else { return nouns }
        return nouns.dropLast(2) + ["\(last)_\(parent.singular.words.joined(separator: "_"))"]
    }

    private static func verb(for method: String, isItem: Bool, isList: Bool, isRead: Bool) -> String {
        switch method {
        case "GET": return isList ? "list" : "get"
        case "POST":
            // A POST to a single value that also has a GET updates that value. A POST to a list adds an element.
            let isSingleValueWithGet = isRead && !isList
            return isItem || isSingleValueWithGet ? "update" : "create"
        case "PUT", "PATCH": return "update"
        // The method in a recording may be any text, which must not become code.
        default: return Words(method).words.joined()
        }
    }
}
