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
    static let prepositions: Set<String> = [
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
    private static let verbsOrNouns: Set = [
        "block", "capture", "change", "check", "copy", "export", "fork", "import", "invite", "link", "mark", "ping",
        "record", "refund", "render", "request", "return", "star", "stream", "sync", "test", "transfer", "trigger",
        "void",
    ]

    /// Further verbs, which count only at the end of a path, as in `/alerts/{id}/acknowledge`. In a sentence or a name,
    /// most of them may be nouns.
    static let actions = Set(
        """
        acknowledge append ask authenticate bookmark calculate calibrate collapse commit count deauthorize decrypt
        delegate encrypt endorse escalate estimate evaluate execute expand extract favorite favourite feature fire flag freeze ignore
        increment invoke like migrate mute preview reactivate reblog reconnect refresh reindex reload renew repair
        reprocess reschedule rollback scale schedule share shutdown sign silence simulate snooze split swap switch tag
        terminate trim undo unfreeze unpause upgrade verify vote
        """.split { $0.isWhitespace }.map(String.init))

    /// Words that need a noun after them, as in `authenticated user`.
    static let adjectives: Set = [
        "active", "authenticated", "current", "latest", "legacy", "public", "starred", "upcoming",
    ]

    /// Whether a word is a verb that is rarely a noun: `delete`, but not `check`.
    static func isAlwaysVerb(_ word: String) -> Bool { verbs.contains(word) && !verbsOrNouns.contains(word) }

    // MARK: - Candidates

    /// The possible names of an endpoint without the suffix `Request`.
    struct Candidates {
        /// The best name without the place, if the path repeats that: `Repos` for `listReposForUser` at
        /// `/users/{id}/repos`. It is better than all others, but only if no other endpoint could have it.
        var short: String?
        /// The names, the best one first.
        var names: [String]
        /// Whether the best name lost the word "Request" at its end, which is a part of it: a POST of `/file_requests`
        /// is a `CreateFileRequest`, unless that is the POST of `/files`.
        var lostRequest = false
    }

    /// Finds the possible names of an endpoint, from the description's own name and from the path.
    ///
    /// An example is a GET of `/users/{id}/repos`, which the description calls `listReposForUser`:
    ///
    /// 1. The original name `ListReposForUser` begins with a verb, and ends in a place, `ForUser`.
    /// 2. The place moves before the object: `ListUserRepos`.
    /// 3. The short name has no place, since the path repeats it: `ListRepos`.
    /// 4. A GET is named after what it returns, so "get" or "list" is removed: `UserRepos`, and `Repos` as the short
    ///    name. The name with the verb is the next choice. Other verbs stay, as in `SearchUsers`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. A POST to such a path is taken for an update.
    /// - Returns: The names without the suffix.
    static func candidates(for endpoint: Endpoint, pathHasGet: Bool = false) -> Candidates {
        let namesWithRequest = namesWithVerb(for: endpoint, pathHasGet: pathHasGet)
        let originalNames = namesWithRequest.map(withoutSuffix)
        // `CreateFileRequest` has become `CreateFile`. The name with "Request" is the second choice.
        let lostRequest = namesWithRequest.first != originalNames.first
        var names = originalNames.map { withPlaceFirst($0, endpoint) }
        if lostRequest { names.insert(namesWithRequest[0], at: 1) }
        let furtherNames = lastChoices(for: endpoint, insteadOf: names.first ?? "")
        var short: String?
        if let best = originalNames.first { short = withoutRepeatedPlace(best, endpoint) }
        var candidates = Candidates(short: short, names: names + furtherNames, lostRequest: lostRequest)
        let isNamedAfterResult = endpoint.method == "GET" && !endpoint.isStream
        if isNamedAfterResult {
            let nouns = names.map { withoutVerb($0, endpoint.path) }.filter(SwiftName.isIdentifier)
            candidates.names = nouns + candidates.names
            if let short { candidates.short = withoutVerb(short, endpoint.path) }
        }
        return candidates
    }

    /// Lists the names that begin with a verb, the best one first: `ListReposForUser` from the description's name
    /// `repos/list-for-user`, and `ListUserRepos` from the path. A stream of events gets the verb `stream`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. A POST to such a path is taken for an update.
    /// - Returns: The names. Their last word may be "Request".
    private static func namesWithVerb(for endpoint: Endpoint, pathHasGet: Bool) -> [String] {
        let mechanical = MechanicalName(endpoint)
        let described = namesFromDescription(endpoint, mechanical: mechanical)
        // A GET of the same path is a hint that a POST updates. It is ignored if the description names the endpoint,
        // since that name shows what the POST does.
        let pathNames = namesFromPath(endpoint, pathHasGet: pathHasGet && described.isEmpty)
        var orderedNames = ordered(described: described, pathNames: pathNames)
        if let mechanical, described.isEmpty { orderedNames = adding(mechanical, to: pathNames.longer, endpoint) }
        let names = orderedNames.filter(SwiftName.isIdentifier)
        guard endpoint.isStream else { return names }
        return names.map { name in
            Words(words: ["stream"] + Words(name).words.dropFirst()).upperCamel
        }
    }

    /// Puts names in the order in which they are tried: those from the description before those from the path, unless
    /// the best one from the description is too long.
    ///
    /// If the description has a name, the path's name without parents is left out: `ListTasks` says less than
    /// `ListProjectTasks`, the name with the parent `project`. It stays if the path has no parents.
    ///
    /// - Parameters:
    ///   - described: The names that follow from the description's own name; empty if it has none.
    ///   - pathNames: The names that follow from the path.
    /// - Returns: The names, the first one to try first.
    private static func ordered(described: [String], pathNames: PathNames) -> [String] {
        guard let best = described.first else { return pathNames.all }
        // A name of more than five words is hard to read: the path usually leads to a shorter one.
        let isLong = Words(best).words.count > 5
        return isLong ? pathNames.longer + described : described + pathNames.longer
    }

    /// Adds to names from the path what an operation's own name says besides: the qualifier `beta` after the verb, as
    /// in `CreateBetaMessage`, and a version at the end of further names, such as `CreateFilterV2`.
    private static func adding(
        _ mechanical: MechanicalName, to names: [String], _ endpoint: Endpoint
    ) -> [String] {
        var qualifiedNames = names
        // With a qualifier, the name with all parents is the clearest.
        if !mechanical.qualifier.isEmpty, let longest = names.last {
            let words = Words(longest).words
            let qualified = joined(words.prefix(1) + mechanical.qualifier + words.dropFirst(), endpoint)
            qualifiedNames.insert(qualified, at: 0)
        }
        guard let version = mechanical.version else { return qualifiedNames }
        return qualifiedNames + qualifiedNames.map { $0 + version.uppercased() }
    }

    /// The name without `Request`, which is added to the names of all endpoints. A short name such as `SendRequest`
    /// keeps it, since the word is probably its object.
    private static func withoutSuffix(_ name: String) -> String {
        let maximumLengthWithSuffix = 12
        guard name.count > maximumLengthWithSuffix, name.hasSuffix(EndpointShape.suffix) else { return name }
        return String(name.dropLast(EndpointShape.suffix.count))
    }

    /// Lists names for an endpoint whose better names are taken by other endpoints. Instead of `UpdateUser`, these are
    /// `ReplaceUser` if it is a PUT, and `UpdateUserByName` if the path has the value `name`. The last one is the
    /// description's own name.
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

    // MARK: - Parts of names

    /// Joins the words of a name. The verb at its beginning is not looked up among acronyms: `pin message` becomes
    /// `PinMessage`, not `PINMessage`. The name of an endpoint that reads may begin with a noun, as in `PINCodes`.
    static func joined(_ words: [String], _ endpoint: Endpoint) -> String {
        guard endpoint.method != "GET", let first = words.first, isVerbOfPath(first) else {
            return Words(words: words).upperCamel
        }
        let verb = first.prefix(1).uppercased() + first.dropFirst()
        return verb + Words(words: Array(words.dropFirst())).upperCamel
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

    /// Removes a place at the end of a name that the path repeats: `SearchProjectsForWorkspace` at
    /// `/workspaces/{id}/projects` becomes `SearchProjects`. Nil if nothing can be removed.
    private static func withoutRepeatedPlace(_ name: String, _ endpoint: Endpoint) -> String? {
        let words = Words(name).words
        guard let index = words.firstIndex(where: prepositions.contains) else { return nil }
        // Other prepositions, such as `to` in `AddMemberToTeam`, say more than the place.
        let isBeforePlace = ["by", "for", "in"].contains(words[index])
        if !isBeforePlace { return nil }
        // Without its place, `SearchInProject` would only be a verb.
        let onlyHasVerb = index == 1 && verbs.contains(words[0])
        if onlyHasVerb { return nil }
        // "Object" and "resource" may stand for anything in the path.
        let known = Set(Words(endpoint.path).words.map(Words.singular) + ["object", "resource"])
        let place = words[(index + 1)...]
        guard place.allSatisfy({ known.contains(Words.singular($0)) }) else { return nil }
        return joined(Array(words[..<index]), endpoint)
    }

    /// Moves a short place before the object: `ListProjectsForTeam` becomes `ListTeamProjects`.
    ///
    /// The name has to consist of a verb, an object, `for` or `in`, and a place of one or two words. Other names stay
    /// as they are.
    private static func withPlaceFirst(_ name: String, _ endpoint: Endpoint) -> String {
        let words = Words(name).words
        let index = words.firstIndex(where: prepositions.contains)
        guard let index, index > 1, ["for", "in"].contains(words[index]) else { return name }
        let object = words[1..<index]
        let place = Words(words: Array(words[(index + 1)...])).singular.words
        let isShort = place.count == 1 || place.count == 2
        // `GetTaskForCustomID` is not about the task of an ID.
        let isIdentifier = place.last == "id"
        // `ListTeamMembersForTeam` must not become `ListTeamTeamMembers`.
        let isInObject = object.starts(with: place)
        // `ForUserInTeam` is two places.
        let isSeveralPlaces = !prepositions.isDisjoint(with: place)
        if !isShort || isIdentifier || isInObject || isSeveralPlaces { return name }
        return joined(words[..<1] + place + object, endpoint)
    }

    /// Finds the thing that an endpoint is about: the words between the verb and a preposition, such as `Issue` in
    /// `CreateIssueForRepo`. A name that is only a verb is its own noun.
    ///
    /// - Parameters:
    ///   - name: The endpoint's name without the suffix.
    ///   - isGet: Whether its method is GET. Such names usually have no verb. Their first word is only taken for a verb
    ///     if it is rarely a noun: `check` is often one, so the noun of `CheckRuns` is `CheckRun`.
    /// - Returns: The words of the noun, in the singular.
    static func noun(of name: String, isGet: Bool = false) -> Words {
        let words = Words(name).words
        var hasVerb = true
        if isGet { hasVerb = isAlwaysVerb(words.first ?? "") }
        let wordsAfterVerb = hasVerb ? words.dropFirst() : words[...]
        let object = wordsAfterVerb.prefix { !prepositions.contains($0) }
        let found = object.isEmpty ? words.prefix(1) : object
        return Words(words: Array(found)).singular
    }
}
