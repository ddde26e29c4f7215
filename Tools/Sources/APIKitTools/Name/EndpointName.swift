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
        finish follow fork generate get grant hide import initiate install invite link list lock make mark merge
        modify move patch pause pay pin ping post promote provision publish purge put read rebuild record
        redeliver refund register reject remove rename render reopen reorder replace request resend re-run rerun
        reset resize restart restore resume retrieve retry return revoke rotate run save search send set show
        skip star start stop submit subscribe suspend sync test toggle transcribe transfer translate trigger
        unarchive unassign unblock unfollow unlock unpin unstar unsubscribe update upload validate verify void
        """.split { $0.isWhitespace }.map(String.init))

    /// Verbs that are often nouns, too.
    private static let nouns: Set = [
        "block", "capture", "change", "check", "copy", "export", "fork", "import", "invite", "link", "mark", "ping",
        "post", "record", "refund", "render", "request", "star", "sync", "test", "transfer", "trigger", "void",
    ]

    /// The possible names of an endpoint without the suffix, the best one first.
    static func candidates(for endpoint: Endpoint) -> [String] {
        var names: [String] = []
        if let name = endpoint.name, !isMechanical(name, endpoint) {
            let parts = name.split(separator: "/").map(String.init)
            var words = Words(parts.last ?? name).words
            var group = Words(parts.count > 1 ? parts[0] : "").words
            if group.isEmpty, !words.contains("or"),
                let verb = words.prefix(4).firstIndex(where: { verbs.contains($0) && !nouns.contains($0) }),
                verb > 0
            {
                // As in `droplets_list_snapshots`.
                group = Array(words[..<verb])
                words =
                    [words[verb]] + (words.count > verb + 1 ? Words(words: group).singular.words : [])
                    + words[(verb + 1)...]
            }
            names.append(usual(group.isEmpty ? words : inserting(group, into: words), endpoint))
            names.append(usual(words.prefix(1) + Words(words: group).singular.words + words.dropFirst(), endpoint))
        }
        let paths = fromPath(endpoint)
        let isLong = names.first.map { Words($0).words.count > 5 } == true
        names = (isLong ? paths.dropFirst() + names : names + paths).filter { $0.first?.isLetter == true }.map { name in
            name.count > 12 && name.hasSuffix("Request") ? String(name.dropLast("Request".count)) : name
        }
        if let first = names.first {
            let noun = noun(of: first).words
            names += Endpoint.names(in: endpoint.path).map { value in
                let words = Words(value).words
                let own = words.starts(with: noun) ? Array(words.dropFirst(noun.count)) : words
                return "\(first)By\(Words(words: own.isEmpty ? ["id"] : own).upperCamel)"
            }
        }
        return endpoint.isStream
            ? names.map { Words(words: ["stream"] + Words($0).words.dropFirst()).upperCamel } : names
    }

    /// A name with the usual verb, without articles, and with one thing or several as in the path.
    private static func usual(_ words: [String], _ endpoint: Endpoint) -> String {
        var words = words.filter { !["a", "an", "the"].contains($0) }
        if words.count > 2, words[0] == "post", verbs.contains(words[1]) { words.removeFirst() }
        let usual = ["fetch": "get", "retrieve": "get", "patch": "update"]
        guard words.count > 1, let verb = words.first, let last = words.last else {
            return Words(words: words).upperCamel
        }
        words[0] = usual[verb] ?? verb
        let segment = endpoint.path.split { "/.".contains($0) }.last { !$0.contains("{") && $0 != "json" }
        let noun = Words(segment.map(String.init) ?? "")
        if verb == "list", noun.singular.words.last == last, noun.words.last != last {
            words[words.count - 1] = noun.words.last ?? last
        } else if ["get", "delete", "update"].contains(words[0]), noun.words.last == last, endpoint.path.last == "}" {
            words[words.count - 1] = Words.singular(last)
        }
        return Words(words: words).upperCamel
    }

    /// What an endpoint is about: the issue of `CreateIssueForRepo`, or its verb if that is all.
    static func noun(of name: String) -> Words {
        let words = Words(name).words
        let object = words.dropFirst().prefix { !prepositions.contains($0) }
        return Words(words: object.isEmpty ? Array(words.prefix(1)) : Array(object)).singular
    }

    /// Puts the group of `issues/list-for-repo` where it belongs: `list issues for repo`.
    private static func inserting(_ group: [String], into words: [String]) -> [String] {
        let needsObject = words.count == 1 || prepositions.contains(words[1])
        guard needsObject, let verb = words.first else { return words }
        let isList = ["list", "search", "find"].contains(verb)
        return [verb] + (isList ? group : Words(words: group).singular.words) + words.dropFirst()
    }

    /// Whether a name only repeats the method and the path, as in `GetCustomersCustomer`.
    private static func isMechanical(_ name: String, _ endpoint: Endpoint) -> Bool {
        let words = Words(name).words
        let path = Words(endpoint.path).words
        guard words.first == endpoint.method.lowercased() else { return false }
        let rest = words.dropFirst()
        return !rest.isEmpty && path.joined().hasSuffix(rest.joined())
    }

    /// Names from the method and the path: each has one more part of the path than the one before.
    private static func fromPath(_ endpoint: Endpoint) -> [String] {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        let isItem = segments.last?.contains("{") == true
        let nouns = segments.map { $0.replacing(".json", with: "") }.filter { segment in
            !segment.contains("{") && segment != "api" && segment.wholeMatch(of: /v\d+/) == nil
        }
        guard let last = nouns.last else { return [SwiftName.type("\(endpoint.method.lowercased())Root")] }
        let noun = Words(last)
        let isList = !isItem && noun.singular.words != noun.words
        let verb =
            switch endpoint.method {
            case "GET": isList ? "list" : "get"
            case "POST": isItem ? "update" : isList ? "create" : "post"
            case "PUT", "PATCH": "update"
            default: endpoint.method.lowercased()
            }
        let isAction = endpoint.method == "POST" && !isItem && !isList && segments.count > 1
        let object = endpoint.method == "GET" && isList ? noun.words : noun.singular.words
        return nouns.indices.map { count in
            let parents = nouns.dropLast().suffix(count).flatMap { Words($0).singular.words }
            if isAction { return Words(words: noun.words + (count == 0 ? previous(nouns) : parents)).upperCamel }
            return Words(words: [verb] + parents + object).upperCamel
        }
    }

    /// What an action such as `/invoices/{id}/pay` is done to.
    private static func previous(_ nouns: [String]) -> [String] {
        nouns.dropLast().last.map { Words($0).singular.words } ?? []
    }
}
