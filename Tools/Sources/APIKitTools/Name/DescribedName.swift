/// A description's own name of an operation, taken apart into a group and the words of the name.
///
/// | name | operation | group | words |
/// | --- | --- | --- | --- |
/// | `repos/list-for-user` | | `repos` | `list for user` |
/// | `droplets_list` | | `droplets` | `list` |
/// | `droplets_list_snapshots` | | `droplets` | `list droplet snapshots` |
/// | `search/code` | | | `search code` |
/// | `put_files_id#add_shared_link` | PUT `/files/{id}` | `files` | `add shared link` |
/// | `api_users_list` | | `users` | `list` |
/// | `post_search_issues` | | | `search issues` |
/// | `getAll` | GET | | `get` |
/// | `createIssue` | | | `create issue` |
struct DescribedName {
    /// The words of the name, with the verb first.
    private(set) var words: [String]
    /// The words of the group that it belongs to; empty if it has none.
    private(set) var group: [String] = []

    /// Splits a name into its group and its words.
    ///
    /// - Parameters:
    ///   - name: The name in the description.
    ///   - endpoint: The endpoint that has it.
    init(_ name: String, _ endpoint: Endpoint) {
        let parts = Self.withFragmentOnly(name, endpoint).split(separator: "/").map(String.init)
        words = Words(parts.last ?? name).words
        // A leading `api` says nothing.
        while words.count > 2, words[0] == "api" { words.removeFirst() }
        // Before a verb, the first word is only the method.
        let beginsWithMethod = words.count > 2 && ["patch", "post", "put"].contains(words[0])
        if beginsWithMethod, words[1].mayBe(.verb) { words.removeFirst() }
        if endpoint.method == "GET" { words = Self.withoutAmount(words) }
        if parts.count > 1 { group = Words(parts[0]).words }
        if group.isEmpty {
            moveWordsBeforeVerbToGroup(endpoint)
        } else {
            useGroupAsVerbIfNeeded()
        }
    }

    /// `files/add_shared_link` for `put_files_id#add_shared_link`, which stands for one of several operations at
    /// `/files/{id}`: only the part after the sign says more than the path. Other names stay as they are.
    private static func withFragmentOnly(_ name: String, _ endpoint: Endpoint) -> String {
        guard let fragment = name.split(separator: "#").dropFirst().last else { return name }
        let noun = endpoint.path.split(separator: "/").last { !$0.contains("{") } ?? ""
        return "\(noun)/\(fragment)"
    }

    /// The words of a name without an ending that only says how many values are returned: `get` for `getAll`,
    /// `get-by-id` and `get_one`. The ending must follow a verb that reads, so `get team all` stays.
    private static func withoutAmount(_ words: [String]) -> [String] {
        for end in [["all"], ["list"], ["one"], ["by", "id"]] where words.suffix(end.count) == end[...] {
            let wordsBefore = words.dropLast(end.count)
            if let last = wordsBefore.last, last.mayBe(.reading) { return Array(wordsBefore) }
        }
        return words
    }

    // MARK: - Groups

    /// Moves the words before the verb to the group: `droplets list` becomes the group `droplets` and the name `list`.
    ///
    /// If an object follows the verb, the words also stay in the name, before the object: `droplets list snapshots`
    /// becomes the group `droplets` and the name `list droplet snapshots`.
    private mutating func moveWordsBeforeVerbToGroup(_ endpoint: Endpoint) {
        let verb = Self.indexOfVerb(in: words, endpoint)
        // In `star_or_unstar_repo`, the words before the verb `unstar` are another verb.
        let hasTwoVerbs = words.contains("or")
        if verb == 0 || hasTwoVerbs { return }
        group = Array(words[..<verb])
        let object = Array(words[(verb + 1)...])
        let owner = object.isEmpty ? [] : Words(words: group).singular.words
        words = [words[verb]] + owner + object
    }

    /// Makes the group the verb of the name if the group is a verb and the name has none: the group `search` with the
    /// name `code` becomes the name `search code`, without a group.
    private mutating func useGroupAsVerbIfNeeded() {
        let isVerb = group.count == 1 && group[0].mayBe(.verb)
        let nameHasVerb = words.first?.mayBe(.verb) == true
        guard isVerb, !nameHasVerb else { return }
        words = group + words
        group = []
    }

    /// The index of the verb in a name: that of the first word that is rarely a noun, or 0 if there is none, so that no
    /// word is moved to the group.
    ///
    /// Only the first four words are searched, as later ones belong to the object. The rows are in the order of the
    /// checks:
    ///
    /// | name | index | reason |
    /// | --- | --- | --- |
    /// | `mark as read` | 0, `mark` | before a preposition, a verb counts even if it is often a noun |
    /// | `droplets list snapshots` | 1, `list` | the first word that is rarely a noun |
    /// | `new entry forward` at `/entries/{id}/forwards/new` | 0 | `forward` is a noun of the path |
    /// | `mark read`, of a PUT | 0, `mark` | only a GET reads, so `read` is not the verb |
    /// | `drafts post` | 1, `post` | the last choice, since it may just repeat the method |
    private static func indexOfVerb(in words: [String], _ endpoint: Endpoint) -> Int {
        let firstMayBeVerb = words.first.map(EndpointName.isVerbOfPath) == true
        let hasPrepositionNext = words.count > 1 && words[1].mayBe(.preposition)
        if firstMayBeVerb, hasPrepositionNext { return 0 }
        let wordsOfPath = Set(Words(endpoint.path).words)
        /// Whether the word at an index is the verb: rarely a noun, and, after the first word, not a noun of the path.
        func isVerb(at index: Int) -> Bool {
            let word = words[index]
            if !EndpointName.isAlwaysVerb(word) || word == "post" { return false }
            if index == 0 { return true }
            // Paths have most nouns in the plural: `/forwards` shows that `forward` is a noun.
            let isNounInPath = wordsOfPath.contains(Words(words: [word]).plural.words[0])
            let cannotRead = firstMayBeVerb && endpoint.method != "GET" && word.mayBe(.reading)
            return !isNounInPath && !cannotRead
        }
        let indices = words.indices.prefix(4)
        return indices.first(where: isVerb) ?? indices.first { words[$0] == "post" } ?? 0
    }

    // MARK: - Names

    /// The names of the endpoint. With a group, there are two: the first one has the group only if the object is
    /// missing, and the second one always has it. Without a group, there is one, unless the name is only a verb that
    /// reads:
    ///
    /// | own name | names |
    /// | --- | --- |
    /// | `getAll` | no name, since it does not say what is returned |
    /// | `createIssue` | `CreateIssue` |
    /// | `teams/list` | `ListTeams` in both cases |
    /// | `teams/list-members` | `ListMembers`, `ListTeamMembers` |
    func names(for endpoint: Endpoint) -> [String] {
        if group.isEmpty {
            let isOnlyVerb = words.count == 1 && words[0].mayBe(.reading)
            return isOnlyVerb ? [] : [UsualName.name(words, endpoint)]
        }
        let withGroupIfNeeded = Self.insertingIfNeeded(group, into: words)
        let verb = Array(words.prefix(1))
        let withGroup = verb + Words(words: group).singular.words + words.dropFirst()
        return [UsualName.name(withGroupIfNeeded, endpoint), UsualName.name(withGroup, endpoint)]
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
        let object = verb.mayBe(.several) ? group : Words(words: group).singular.words
        let rest = words.dropFirst()
        guard let next = rest.first else { return [verb] + object }
        if next.mayBe(.preposition) { return [verb] + object + rest }
        let isVerbAndAdjective = rest.count == 1 && next.mayBe(.adjective)
        return isVerbAndAdjective ? words + object : words
    }
}
