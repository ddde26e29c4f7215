/// Chooses the names of endpoints: a verb and its object, as in `CreateIssueRequest`.
///
/// A name comes from the description's own name of the operation, or from the method and the path. It is built of
/// words, whose parts are called:
///
/// - verb: the first word, such as `list`,
/// - object: the words after the verb, up to a preposition: `issue comments` in `list issue comments for repo`,
/// - noun: the object in the singular: `issue comment`,
/// - place: the words after `for`, `in` or `by` at the end: `repo` in the same name,
/// - group: what an operation belongs to in the description: `issues` in `issues/list-for-repo`.
enum EndpointName {
    /// The possible names of an endpoint without the suffix `Request`.
    struct Candidates {
        /// The best name without the place, if the path repeats that: `Repos` for `listReposForUser` at
        /// `/users/{id}/repos`. It is better than all others, but only if no other endpoint could have it.
        let short: String?
        /// The names, the best one first.
        let names: [String]
        /// Whether the best name lost the word "Request" at its end, which is a part of it: a POST of `/file_requests`
        /// is a `CreateFileRequest`, unless that is the POST of `/files`.
        let lostRequest: Bool
    }

    /// Finds the possible names of an endpoint, from the description's own name and from the path.
    ///
    /// Each step begins with the names of the one before. The example is a GET of `/users/{id}/repos`, which the
    /// description calls `listReposForUser`:
    ///
    /// | step | names | short name |
    /// | --- | --- | --- |
    /// | 1. names with a verb | `ListReposForUser`, `ListUserRepos` | |
    /// | 2. without "Request" at the end | | |
    /// | 3. without the place, if the path repeats it | | `ListRepos` |
    /// | 4. with the place before the object | `ListUserRepos` | |
    /// | 5. last choices, after these | `ListUserReposByID`, `ListReposForUser` | |
    /// | 6. of a GET: without "get" or "list", before all others | `UserRepos` | `Repos` |
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. If so, a POST is taken for an update.
    /// - Returns: The names without the suffix.
    static func candidates(for endpoint: Endpoint, pathHasGet: Bool = false) -> Candidates {
        let namesWithRequest = namesWithVerb(for: endpoint, pathHasGet: pathHasGet)
        let originalNames = namesWithRequest.map(withoutSuffix)
        let short = originalNames.first.flatMap { withoutRepeatedPlace($0, endpoint) }
        var names = originalNames.map { withPlaceFirst($0, endpoint) }
        // `CreateFileRequest` has become `CreateFile`. The name with "Request" is the second choice.
        let lostRequest = namesWithRequest.first != originalNames.first
        if lostRequest { names.insert(namesWithRequest[0], at: 1) }
        let allNames = names + lastChoices(for: endpoint, insteadOf: names.first ?? "")
        let isNamedAfterResult = endpoint.method == "GET" && !endpoint.isStream
        guard isNamedAfterResult else {
            return Candidates(short: short, names: allNames, lostRequest: lostRequest)
        }
        let nouns = names.map { withoutVerb($0, endpoint.path) }.filter(SwiftName.isIdentifier)
        let shortNoun = short.map { withoutVerb($0, endpoint.path) }
        return Candidates(short: shortNoun, names: nouns + allNames, lostRequest: lostRequest)
    }

    // MARK: - Steps

    /// Lists the names that begin with a verb, the best one first: `ListReposForUser` from the description's name
    /// `repos/list-for-user`, and `ListUserRepos` from the path. A stream of events gets the verb `stream`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. If so, a POST is taken for an update.
    /// - Returns: The names. Their last word may be "Request".
    private static func namesWithVerb(for endpoint: Endpoint, pathHasGet: Bool) -> [String] {
        let names = NameSource(endpoint).names(for: endpoint, pathHasGet: pathHasGet).filter(SwiftName.isIdentifier)
        guard endpoint.isStream else { return names }
        return names.map { name in
            Words(words: ["stream"] + Words(name).words.dropFirst()).upperCamel
        }
    }

    /// The name without `Request`, which is added to the names of all endpoints. A short name such as `SendRequest`
    /// keeps it, since the word is probably its object.
    private static func withoutSuffix(_ name: String) -> String {
        let maximumLengthWithSuffix = 12
        guard name.count > maximumLengthWithSuffix, name.hasSuffix(EndpointShape.suffix) else { return name }
        return String(name.dropLast(EndpointShape.suffix.count))
    }

    /// Removes a place at the end of a name that the path repeats: `SearchProjectsForWorkspace` at
    /// `/workspaces/{id}/projects` becomes `SearchProjects`. Nil if nothing can be removed.
    private static func withoutRepeatedPlace(_ name: String, _ endpoint: Endpoint) -> String? {
        let words = Words(name).words
        let preposition = words.firstIndex { $0.mayBe(.preposition) }
        guard let preposition else { return nil }
        // Other prepositions, such as `to` in `AddMemberToTeam`, say more than the place.
        let isBeforePlace = ["by", "for", "in"].contains(words[preposition])
        if !isBeforePlace { return nil }
        // Without its place, `SearchInProject` would only be a verb.
        let onlyHasVerb = preposition == 1 && words[0].mayBe(.verb)
        if onlyHasVerb { return nil }
        // "Object" and "resource" may stand for anything in the path.
        let known = Set(Words(endpoint.path).words.map(Words.singular) + ["object", "resource"])
        let place = words[(preposition + 1)...]
        guard place.allSatisfy({ known.contains(Words.singular($0)) }) else { return nil }
        return joined(Array(words[..<preposition]), endpoint)
    }

    /// Moves a short place before the object: `ListProjectsForTeam` becomes `ListTeamProjects`.
    ///
    /// The name has to consist of a verb, an object, `for` or `in`, and a place of one or two words. Other names stay
    /// as they are.
    private static func withPlaceFirst(_ name: String, _ endpoint: Endpoint) -> String {
        let words = Words(name).words
        let preposition = words.firstIndex { $0.mayBe(.preposition) }
        guard let preposition, preposition > 1, ["for", "in"].contains(words[preposition]) else { return name }
        let object = words[1..<preposition]
        let place = Words(words: Array(words[(preposition + 1)...])).singular.words
        let isShort = place.count == 1 || place.count == 2
        // `GetTaskForCustomID` is not about the task of an ID.
        let isIdentifier = place.last == "id"
        // `ListTeamMembersForTeam` must not become `ListTeamTeamMembers`.
        let isInObject = object.starts(with: place)
        // `ForUserInTeam` is two places.
        let isSeveralPlaces = place.contains { $0.mayBe(.preposition) }
        if !isShort || isIdentifier || isInObject || isSeveralPlaces { return name }
        return joined(words[..<1] + place + object, endpoint)
    }

    /// Lists names for an endpoint whose better names are taken by other endpoints, in this order:
    ///
    /// 1. `ReplaceUser` instead of `UpdateUser`, if it is a PUT,
    /// 2. `UpdateUserByName`, for each value of the path, such as `name`,
    /// 3. the description's own name.
    private static func lastChoices(for endpoint: Endpoint, insteadOf name: String) -> [String] {
        var names: [String] = []
        if endpoint.method == "PUT", name.hasPrefix("Update") {
            names.append("Replace\(name.dropFirst("Update".count))")
        }
        names += namesWithValues(name, endpoint.path)
        if let own = endpoint.name { names.append(SwiftName.type(own)) }
        return names
    }

    /// Adds each value in the path to a name: `DeleteUserByName` for `DeleteUser` at `/users/{name}`. These names tell
    /// apart endpoints that do the same with different values.
    private static func namesWithValues(_ name: String, _ path: String) -> [String] {
        let noun = noun(of: name).words
        return Endpoint.names(in: path).map { value in
            var words = Words(value).words
            // The value `user_name` of a user is its name, and the value `user` is its identifier.
            if words.starts(with: noun) { words.removeFirst(noun.count) }
            if words.isEmpty { words = ["id"] }
            return "\(name)By\(Words(words: words).upperCamel)"
        }
    }

    /// Removes a leading "get" or "list": `ListUserTeams` becomes `UserTeams`. The verb stays if the next word would be
    /// read as one, as in `GetDeleteStatus`: otherwise the endpoint would seem to delete.
    private static func withoutVerb(_ name: String, _ path: String) -> String {
        let words = Words(name).words
        guard words.count > 1, ["get", "list"].contains(words[0]) else { return name }
        let next = words[1]
        // Paths have nouns in the plural: for `GetRunReviews`, `/runs/{id}/reviews` shows that `run` is a noun.
        let plural = Words(words: [next]).plural.words[0]
        let isNounInPath = Words(path).words.contains(plural)
        // A GET of `/search` does search.
        let isOnlySearch = words == ["get", "search"]
        let readsAsVerb = isAlwaysVerb(next) && !isNounInPath && !isOnlySearch
        return readsAsVerb ? name : Words(words: Array(words.dropFirst())).upperCamel
    }
}

// MARK: - Verbs and nouns

extension EndpointName {
    /// Whether a word is a verb that is rarely a noun: `delete`, but not `check`.
    static func isAlwaysVerb(_ word: String) -> Bool { word.mayBe(.verb) && !word.mayBe(.noun) }

    /// Whether a word at the end of a path is a verb, also with "un" before it, as in `unmute`.
    static func isVerbOfPath(_ word: String) -> Bool {
        func isKnown(_ word: String) -> Bool { word.mayBe(.verb) || word.mayBe(.action) }
        if isKnown(word) { return true }
        return word.hasPrefix("un") && isKnown(String(word.dropFirst(2)))
    }

    /// Joins the words of a name. The verb at its beginning is not looked up among acronyms: `pin message` becomes
    /// `PinMessage`, not `PINMessage`. The name of an endpoint that reads may begin with a noun, as in `PINCodes`.
    static func joined(_ words: [String], _ endpoint: Endpoint) -> String {
        guard endpoint.method != "GET", let first = words.first, isVerbOfPath(first) else {
            return Words(words: words).upperCamel
        }
        let verb = first.prefix(1).uppercased() + first.dropFirst()
        return verb + Words(words: Array(words.dropFirst())).upperCamel
    }

    /// Finds the thing that an endpoint is about: the words between the verb and a preposition, such as `Issue` in
    /// `CreateIssueForRepo`. A name that is only a verb is its own noun.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name without the suffix.
    ///   - isGet: Whether its method is GET. The name of a GET usually has no verb. Its first word is only taken for a
    ///     verb if it is rarely a noun: `check` is often one, so the noun of `CheckRuns` is `CheckRun`.
    /// - Returns: The words of the noun, in the singular.
    static func noun(of name: String, isGet: Bool = false) -> Words {
        let words = Words(name).words
        var hasVerb = true
        if isGet { hasVerb = isAlwaysVerb(words.first ?? "") }
        let wordsAfterVerb = hasVerb ? words.dropFirst() : words[...]
        // Without a verb before it, a preposition at the beginning is part of the thing: `on calls`.
        let start = hasVerb ? 0 : wordsAfterVerb.prefix { $0.mayBe(.preposition) }.count
        let end = wordsAfterVerb.dropFirst(start).firstIndex { $0.mayBe(.preposition) }
        let object = wordsAfterVerb.prefix(upTo: end ?? words.endIndex)
        let found = object.isEmpty ? words.prefix(1) : object
        return Words(words: Array(found)).singular
    }
}
