/// The parts of an operation's own name that do not repeat its method and its path, if a tool derived the name from
/// these. The words before the repetition are called the qualifier:
///
/// | own name | operation | qualifier |
/// | --- | --- | --- |
/// | `get_folders_id` | GET `/folders/{folder_id}` | |
/// | `postStatusMute` | POST `/statuses/{id}/mute` | |
/// | `beta_messages_post` | POST `/v1/messages` | `beta` |
/// | `read_items_items_get` | GET `/items` | `read items` |
///
/// The own name is hard to read, and says nothing that the path does not say. So the endpoint is named after its path.
struct MechanicalName {
    /// The words before those that repeat the path; empty if there are none.
    private(set) var qualifier: [String] = []
    /// The version at the end, if the path has it too: `v2` for `postFiltersV2`.
    private(set) var version: String?

    /// Whether the qualifier is a name of its own, with a verb.
    var isNamedByQualifier: Bool { qualifier.first?.mayBe(.verb) == true }

    /// Compares the operation's own name with its method and its path. Nil if the name says more than these, or if it
    /// reads like a name that a person chose, such as `getUserTeams`.
    init?(_ endpoint: Endpoint) {
        // The part before a slash is a group, as in `checks/get`. Tools do not derive names with a slash.
        guard let own = endpoint.ownName, !own.contains("/"), ControllerName(own) == nil else { return nil }
        guard var rest = Rest(withoutMethod: own, endpoint) else { return nil }
        // `v2` of `postFiltersV2`.
        if let last = rest.words.last, Words.isVersion(last), Words(endpoint.path).words.contains(last) {
            version = last
            rest.words.removeLast()
        }
        let path = PathWords(endpoint.describedPath ?? endpoint.path)
        guard let match = path.match(rest.words) else { return nil }
        qualifier = match.wordsBefore
        // In a name such as `post_search_issues`, the method comes first, and words after it are the actual name.
        if rest.methodIsFirst, !qualifier.isEmpty { return nil }
        // `getUserTeams` is a good name, unlike `getUsersIdTeams`, `getUsersUserTeams` and `getUsersTeams`.
        let isCopied = match.hasIdentifier || match.repeatsNoun || match.isWholePath
        if rest.isReadable, !isCopied { return nil }
    }

    /// Adds to names from the path what the operation's own name says besides: the qualifier `beta` after the verb, as
    /// in `CreateBetaMessage`, and a version at the end of further names, such as `CreateFilterV2`.
    func adding(to names: [String], _ endpoint: Endpoint) -> [String] {
        var qualifiedNames = names
        // With a qualifier, the name with all parents is the clearest.
        if !qualifier.isEmpty, let longest = names.last {
            let words = Words(longest).words
            let qualified = EndpointName.joined(words.prefix(1) + qualifier + words.dropFirst(), endpoint)
            qualifiedNames.insert(qualified, at: 0)
        }
        guard let version else { return qualifiedNames }
        return qualifiedNames + qualifiedNames.map { $0 + version.uppercased() }
    }
}

/// The words of a name without the method.
private struct Rest {
    var words: [String]
    /// Whether the method was the first word, and not the last one.
    let methodIsFirst: Bool
    /// Whether the name reads like one that a person chose, since it begins with `get` or `delete`. People do not begin
    /// names with `put`, or end them with a method.
    let isReadable: Bool

    /// Removes the method from the beginning or the end of a name; nil if the name does not have it.
    init?(withoutMethod name: String, _ endpoint: Endpoint) {
        let words = Words(name).words.map { $0.lowercased() }
        let method = endpoint.method.lowercased()
        guard words.count > 1 else { return nil }
        if words.last == method {
            self.words = words.dropLast()
            methodIsFirst = false
            isReadable = false
            return
        }
        self.words = Array(words.dropFirst())
        methodIsFirst = true
        let endsInAction = PathMeaning.endsInAction(endpoint)
        switch words[0] {
        case method:
            isReadable = ["get", "delete"].contains(method) && !endsInAction
        case "create" where method == "post" && endsInAction:
            // In `createNotificationClear`, "create" only stands for the method.
            isReadable = false
        default:
            return nil
        }
    }
}

/// The words of a path, in their order.
private struct PathWords {
    private struct Word {
        let text: String
        /// Whether it belongs to the name of a value, as in `{folder_id}`.
        let isValue: Bool
        /// Whether it belongs to the beginning that all paths may have: `api` or `v1`.
        let isRoot: Bool

        /// Whether a word of a name stands for it. An `id` may stand for any value.
        func isMeant(by word: String) -> Bool {
            if isValue, word == "id" { return true }
            return Words.singular(text) == Words.singular(word)
        }
    }

    /// The result of a comparison.
    struct Match {
        /// The words of the name before those of the path.
        let wordsBefore: [String]
        /// Whether the name has an `id` for a value of the path.
        let hasIdentifier: Bool
        /// Whether the name has a noun of the path twice.
        let repeatsNoun: Bool
        /// Whether the name consists of the words of the whole path, apart from its values and a version.
        let isWholePath: Bool
    }

    private var words: [Word] = []

    /// Splits a path into its words, with those of the names of its values.
    init(_ path: String) {
        for segment in path.split(separator: "/") {
            let isValue = segment.contains("{")
            let isRoot = segment == "api" || Words.isVersion(segment.lowercased())
            words += Words(String(segment)).words.map {
                Word(text: $0.lowercased(), isValue: isValue, isRoot: isRoot)
            }
        }
    }

    /// Compares the words of a name with those of the path, from the end of both: `beta messages` matches the end of
    /// `/v1/messages`, and `beta` is left. Words of the path may be missing in the name, except for those of its last
    /// noun.
    ///
    /// - Parameter name: The words of the name, without the method.
    /// - Returns: The result; nil if the name does not end in the last noun of the path.
    func match(_ name: [String]) -> Match? {
        var remainingName = name[...]
        var remainingPath = words[...]
        var matchedWords: [String] = []
        while let word = remainingName.last {
            let matchingIndex = remainingPath.lastIndex { $0.isMeant(by: word) }
            // In `users by id`, `by` only stands before a value.
            if matchingIndex == nil, word != "by" { break }
            if let index = matchingIndex {
                let isFirstMatch = remainingPath.count == words.count
                let skippedWords = remainingPath[index...].dropFirst()
                let skipsLastNoun = isFirstMatch && skippedWords.contains { !$0.isValue }
                // The name is about something else.
                if skipsLastNoun { return nil }
                matchedWords.append(Words.singular(word))
                remainingPath = remainingPath[..<index]
            }
            remainingName.removeLast()
        }
        if matchedWords.isEmpty { return nil }
        let nouns = words.filter { !$0.isValue && !$0.isRoot }.map(\.text)
        return Match(
            wordsBefore: Array(remainingName), hasIdentifier: matchedWords.contains("id"),
            repeatsNoun: Set(matchedWords).count < matchedWords.count, isWholePath: name == nouns)
    }
}
