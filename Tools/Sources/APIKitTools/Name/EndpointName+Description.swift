extension EndpointName {
    /// Builds names from the operation's own name in the description.
    ///
    /// The own name may have a group: `teams` in `teams/list-members`. The first of the names has the group only if the
    /// object is missing, and the second one always has it:
    ///
    /// | own name | names |
    /// | --- | --- |
    /// | `createIssue` | `CreateIssue` |
    /// | `teams/list` | `ListTeams` in both cases |
    /// | `teams/list-members` | `ListMembers`, `ListTeamMembers` |
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - mechanical: What is left of its own name if that repeats the method and the path.
    /// - Returns: The names; empty if there is no own name, or if it says no more than the method and the path.
    static func namesFromDescription(_ endpoint: Endpoint, mechanical: MechanicalName?) -> [String] {
        guard var own = endpoint.ownName else { return [] }
        if let controller = ControllerName(own) {
            return controller.names(for: endpoint).map { usual($0, endpoint) }
        }
        if let mechanical {
            guard mechanical.isNamedByQualifier else { return [] }
            own = mechanical.qualifier.joined(separator: "_")
        }
        // `put_files_id#add_shared_link` stands for one of several operations at `/files/{id}`, and only the part after
        // the sign says more than the path. It becomes `files/add_shared_link`.
        if let fragment = own.split(separator: "#").dropFirst().last {
            let noun = endpoint.path.split(separator: "/").last { !$0.contains("{") } ?? ""
            own = "\(noun)/\(fragment)"
        }
        let name = DescribedName(own, endpoint)
        if name.group.isEmpty {
            // A name such as `get` or `getAll` does not say what is returned.
            let isOnlyVerb = name.words.count == 1 && readingVerbs.contains(name.words[0])
            return isOnlyVerb ? [] : [usual(name.words, endpoint)]
        }
        let withGroupIfNeeded = insertingIfNeeded(name.group, into: name.words)
        let withGroup = inserting(name.group, into: name.words)
        return [usual(withGroupIfNeeded, endpoint), usual(withGroup, endpoint)]
    }

    // MARK: - Groups

    /// A description's own name, taken apart into a group and the words of the name:
    ///
    /// | name | group | words |
    /// | --- | --- | --- |
    /// | `repos/list-for-user` | `repos` | `list for user` |
    /// | `droplets_list_snapshots` | `droplets` | `list droplet snapshots` |
    /// | `search/code` | | `search code` |
    /// | `createIssue` | | `create issue` |
    private struct DescribedName {
        /// The words of the name, with the verb first.
        private(set) var words: [String]
        /// The words of the group that it belongs to; empty if it has none.
        private(set) var group: [String] = []

        /// Splits a name into its group and its words.
        ///
        /// In `droplets_list_snapshots`, which has no slash, the words before the verb `list` are the group. In
        /// `search/code`, the part before the slash is the verb of the name, so there is no group.
        ///
        /// - Parameters:
        ///   - name: The name in the description.
        ///   - endpoint: The endpoint that has it.
        init(_ name: String, _ endpoint: Endpoint) {
            let parts = name.split(separator: "/").map(String.init)
            words = Words(parts.last ?? name).words
            // A leading `api` says nothing, as in `api_users_list`.
            while words.count > 2, words[0] == "api" { words.removeFirst() }
            // In `post_search_issues`, the first word is only the method.
            let beginsWithMethod = words.count > 2 && ["patch", "post", "put"].contains(words[0])
            if beginsWithMethod, verbs.contains(words[1]) { words.removeFirst() }
            if endpoint.method == "GET" { words = withoutAmount(words) }
            if parts.count > 1 { group = Words(parts[0]).words }
            if group.isEmpty {
                moveWordsBeforeVerbToGroup(endpoint)
            } else {
                useGroupAsVerbIfNeeded()
            }
        }

        /// Moves the words before the verb to the group: `droplets list` becomes the group `droplets` and the name
        /// `list`.
        ///
        /// If an object follows the verb, the words also stay in the name, before the object: `droplets list snapshots`
        /// becomes the group `droplets` and the name `list droplet snapshots`.
        private mutating func moveWordsBeforeVerbToGroup(_ endpoint: Endpoint) {
            let verb = indexOfVerb(in: words, endpoint)
            // In `star_or_unstar_repo`, the words before the verb `unstar` are another verb.
            let hasTwoVerbs = words.contains("or")
            if verb == 0 || hasTwoVerbs { return }
            group = Array(words[..<verb])
            let object = Array(words[(verb + 1)...])
            let owner = object.isEmpty ? [] : Words(words: group).singular.words
            words = [words[verb]] + owner + object
        }

        /// Makes the group the verb of the name if the group is a verb and the name has none: the group `search` with
        /// the name `code` becomes the name `search code`, without a group.
        private mutating func useGroupAsVerbIfNeeded() {
            let isVerb = group.count == 1 && verbs.contains(group[0])
            let nameHasVerb = words.first.map(verbs.contains) == true
            guard isVerb, !nameHasVerb else { return }
            words = group + words
            group = []
        }
    }

    /// The position of the verb in a name: that of the first word that is always a verb, or 0 if there is none.
    ///
    /// `post` is the last choice, since it may just repeat the method. Only the first four words are searched, as later
    /// ones belong to the object.
    ///
    /// | name | verb |
    /// | --- | --- |
    /// | `droplets list snapshots` | `list` |
    /// | `mark as read` | `mark`: a preposition follows a verb, also one that may be a noun |
    /// | `mark read`, of a PUT | `mark`: only a GET reads |
    /// | `new entry forward` at `/entries/{id}/forwards/new` | none, since the path has forwards |
    private static func indexOfVerb(in words: [String], _ endpoint: Endpoint) -> Int {
        let beginsWithVerb = words.first.map(isVerbOfPath) == true
        let hasPrepositionNext = words.count > 1 && prepositions.contains(words[1])
        if beginsWithVerb, hasPrepositionNext { return 0 }
        let wordsOfPath = Set(Words(endpoint.path).words)
        func isVerb(at index: Int) -> Bool {
            let word = words[index]
            if !isAlwaysVerb(word) || word == "post" { return false }
            if index == 0 { return true }
            let isNounInPath = wordsOfPath.contains(Words(words: [word]).plural.words[0])
            let cannotRead = beginsWithVerb && endpoint.method != "GET" && readingVerbs.contains(word)
            return !isNounInPath && !cannotRead
        }
        let indices = words.indices.prefix(4)
        return indices.first(where: isVerb) ?? indices.first { words[$0] == "post" } ?? 0
    }

    /// Verbs that only say that something is returned.
    static let readingVerbs: Set = ["fetch", "find", "get", "list", "read", "retrieve", "show"]

    /// The words of a name without an ending that only says how many values are returned: `get` for `getAll`,
    /// `get-by-id` and `get_one`, but `get team all` stays.
    private static func withoutAmount(_ words: [String]) -> [String] {
        for end in [["all"], ["list"], ["one"], ["by", "id"]] where words.suffix(end.count) == end[...] {
            let wordsBefore = words.dropLast(end.count)
            if let verb = wordsBefore.last, readingVerbs.contains(verb) { return Array(wordsBefore) }
        }
        return words
    }

    /// Inserts the group after the verb of a name: `list members` with the group `teams` becomes `list team members`.
    private static func inserting(_ group: [String], into words: [String]) -> [String] {
        let verb = Array(words.prefix(1))
        return verb + Words(words: group).singular.words + words.dropFirst()
    }

    /// Inserts the group as the object of a name that has none. With the group `issues`, the names are:
    ///
    /// | before | after |
    /// | --- | --- |
    /// | `create` | `create issue` |
    /// | `list for repo` | `list issues for repo` |
    /// | `list starred` | `list starred issues`, since an adjective needs a noun after it |
    /// | `create comment` | `create comment`, which has an object |
    static func insertingIfNeeded(_ group: [String], into words: [String]) -> [String] {
        guard let verb = words.first else { return words }
        let isAboutSeveral = ["list", "search", "find"].contains(verb)
        let object = isAboutSeveral ? group : Words(words: group).singular.words
        let rest = words.dropFirst()
        guard let next = rest.first else { return [verb] + object }
        if prepositions.contains(next) { return [verb] + object + rest }
        let isVerbAndAdjective = rest.count == 1 && adjectives.contains(next)
        return isVerbAndAdjective ? words + object : words
    }

    // MARK: - Usual words

    /// The name of an endpoint in usual words: `GetIssue` for `retrieve the issues` at `/issues/{id}`.
    private static func usual(_ name: [String], _ endpoint: Endpoint) -> String {
        let withoutArticles = name.filter { !["a", "an", "the"].contains($0) }
        let withVerb = withUsualVerb(withoutRepetitions(withoutArticles))
        return joined(withGrammaticalNumber(withVerb, endpoint.path), endpoint)
    }

    /// The words without those that are equal to the one before: `get user` for `get user user`.
    private static func withoutRepetitions(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words where word != result.last { result.append(word) }
        return result
    }

    /// Verbs and the usual verb with the same meaning.
    private static let usualVerbs = [
        "fetch": "get", "patch": "update", "post": "create", "read": "get", "retrieve": "get", "return": "get",
        "show": "get",
    ]

    /// A name with the usual verb: `get issues` for `retrieve all issues`. A name that is only a verb stays as it is.
    private static func withUsualVerb(_ name: [String]) -> [String] {
        var words = name
        guard words.count > 1 else { return words }
        words[0] = usualVerbs[words[0]] ?? words[0]
        if words.count > 2, ["get", "list"].contains(words[0]), words[1] == "all" { words.remove(at: 1) }
        return words
    }

    /// Puts the object of a name in the plural or the singular, by its verb and its path.
    ///
    /// `list issue` becomes `list issues`. `get issues` at `/issues/{id}` becomes `get issue`, since that path ends in
    /// a value, and the last noun of the path is the object. All other names stay as they are.
    private static func withGrammaticalNumber(_ words: [String], _ path: String) -> [String] {
        guard words.count > 1, let last = words.last else { return words }
        let pathNoun = lastNoun(of: path)
        if words[0] == "list" { return withPluralObject(words, pathNoun: pathNoun) }
        let isAboutOne = ["get", "delete", "update"].contains(words[0]) && path.last == "}"
        let isObjectInPath = last == pathNoun
        if isAboutOne, isObjectInPath { return words.dropLast() + [Words.singular(last)] }
        return words
    }

    /// The last word of the last constant segment of a path: `repos` for `/users/{id}/user-repos/{name}.json`. Nil if
    /// the path only has values.
    static func lastNoun(of path: String) -> String? {
        let parts = path.split { "/.".contains($0) }
        let segment = parts.last { !$0.contains("{") && $0 != "json" }
        guard let segment else { return nil }
        return Words(String(segment)).words.last
    }

    /// Puts the last word of the object in the plural: `list alert policy` becomes `list alert policies`.
    ///
    /// The path decides if it has the plural or the word itself: `list media` at `/media` stays as it is. Without such
    /// a path, a participle, as in `list starred`, and an object that already has a plural stay as they are.
    ///
    /// - Parameters:
    ///   - name: The words of a name that begins with `list`.
    ///   - pathNoun: The last noun of the path, such as `policies`.
    /// - Returns: The words with the plural, if it is needed.
    private static func withPluralObject(_ name: [String], pathNoun: String?) -> [String] {
        let endOfObject = name.dropFirst().firstIndex { prepositions.contains($0) } ?? name.endIndex
        let object = name[1..<endOfObject]
        guard let last = object.last else { return name }
        let plural = Words(words: [last]).plural.words[0]
        var nameWithPlural = name
        nameWithPlural[endOfObject - 1] = plural
        if pathNoun == plural { return nameWithPlural }
        if pathNoun == last { return name }
        let isParticiple = last.hasSuffix("ed") || last.hasSuffix("ing")
        let hasPlural = object.contains { Words.singular($0) != $0 }
        let needsPlural = !isParticiple && !hasPlural
        return needsPlural ? nameWithPlural : name
    }
}
