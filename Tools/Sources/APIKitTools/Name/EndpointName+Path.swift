extension EndpointName {
    /// The names that follow from the path of an endpoint.
    struct PathNames {
        /// The name of the last noun alone: `ListTasks` for `/teams/{id}/projects/{id}/tasks`. Nil for an action, whose
        /// object is the noun before it.
        var withoutParents: String?
        /// The names that add the nouns before the last one, one more with each name: `ListProjectTasks` and
        /// `ListTeamProjectTasks`.
        var withParents: [String] = []

        /// All names, the shortest one first.
        var all: [String] {
            guard let withoutParents else { return withParents }
            return [withoutParents] + withParents
        }
    }

    /// Builds names from the method and the path: `ListTasks`, `ListProjectTasks` and `ListTeamProjectTasks` for a GET
    /// of `/teams/{id}/projects/{id}/tasks`.
    ///
    /// There are three exceptions:
    ///
    /// - A path without nouns, such as `/`, gives only `GetRoot`.
    /// - A GET of a path that ends in `search`, such as `/orders/search`, gives only `SearchOrders`.
    /// - A POST to a path that ends in an action, such as `/orders/{id}/cancel`, gives `CancelOrder`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - isRead: Whether the same path also has a GET. A POST to such a path is taken for an update.
    /// - Returns: The names.
    static func namesFromPath(_ endpoint: Endpoint, isRead: Bool) -> PathNames {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        let nouns = pathNouns(of: segments)
        guard let last = nouns.last else {
            return PathNames(withoutParents: SwiftName.type("\(endpoint.method.lowercased())Root"))
        }
        let noun = Words(last)
        let parents = nouns.dropLast()
        if endpoint.method == "GET", last == "search", let parent = parents.last {
            return PathNames(withoutParents: Words(words: ["search"] + Words(parent).words).upperCamel)
        }
        let isItem = segments.last?.contains("{") == true
        let isList = !isItem && noun.singular.words != noun.words
        let verb = verb(for: endpoint.method, isItem: isItem, isList: isList, isRead: isRead)
        if verb == "create", !isList, isAction(noun, below: parents) {
            return namesOfAction(noun, below: parents)
        }
        let object = endpoint.method == "GET" && isList ? noun.words : noun.singular.words
        var withParents: [String] = []
        for first in parents.indices.reversed() {
            let nearestParents = singularWords(of: parents[first...])
            withParents.append(Words(words: [verb] + nearestParents + object).upperCamel)
        }
        return PathNames(withoutParents: Words(words: [verb] + object).upperCamel, withParents: withParents)
    }

    /// Chooses the verb of an endpoint by its method and path.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - isItem: Whether the path ends in a value, such as `/users/{id}`.
    ///   - isList: Whether it ends in a plural, such as `/users`.
    ///   - isRead: Whether the same path also has a GET.
    /// - Returns: The verb in lower case.
    private static func verb(for method: String, isItem: Bool, isList: Bool, isRead: Bool) -> String {
        switch method {
        case "GET": return isList ? "list" : "get"
        case "POST":
            // A POST to a single value, such as `/users/{id}` or the `/account` that can be read, updates that value. A
            // POST to a list adds an element.
            let isReadValue = isRead && !isList
            return isItem || isReadValue ? "update" : "create"
        case "PUT", "PATCH": return "update"
        // The name of another method, such as DELETE, is the verb. In a recording, it may be any text: `Words` keeps
        // only its letters and digits, so that it cannot become other code than a name.
        default: return Words(method).words.joined()
        }
    }

    /// Whether a POST to a path that ends in a singular noun performs an action instead of creating a value: a POST to
    /// `/invoices/{id}/pay` pays an invoice, and does not create a "pay".
    ///
    /// Below another noun, words that are not known as verbs are taken for actions too, as in
    /// `/alerts/{id}/acknowledge`. Paths at which values are created usually end in a plural.
    private static func isAction(_ noun: Words, below parents: ArraySlice<String>) -> Bool {
        let isVerb = noun.words.first.map(verbs.contains) == true
        return isVerb || !parents.isEmpty
    }

    /// The names of an action: `PayInvoice` and `PayTeamInvoice` for `/teams/{id}/invoices/{id}/pay`. The direct parent
    /// is always part of the name, since it is the object; a path such as `/pay` has none.
    private static func namesOfAction(_ action: Words, below parents: ArraySlice<String>) -> PathNames {
        if parents.isEmpty { return PathNames(withoutParents: action.upperCamel) }
        let names = (1...parents.count).map { count in
            Words(words: action.words + singularWords(of: parents.suffix(count))).upperCamel
        }
        return PathNames(withParents: names)
    }

    /// The words of several names, each name in the singular: `team project` for `teams` and `projects`.
    private static func singularWords(of names: ArraySlice<String>) -> [String] {
        names.flatMap { Words($0).singular.words }
    }

    /// The segments of a path that are nouns: `users` and `repos` for `/api/v1/users/{id}/repos.json`. Values, versions
    /// and the segment `api` are left out.
    ///
    /// An adjective at the end is joined with a plural before it: `/releases/latest` is about the `latest_release`.
    private static func pathNouns(of segments: [String]) -> [String] {
        var nouns: [String] = []
        for segment in segments {
            let word = segment.replacing(".json", with: "")
            let isValue = word.contains("{")
            let isVersion = word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy { "0"..."9" ~= $0 }
            if isValue || isVersion || word == "api" { continue }
            nouns.append(word)
        }
        guard nouns.count > 1, let last = nouns.last, adjectives.contains(last) else { return nouns }
        let parent = Words(nouns[nouns.count - 2])
        let isPlural = parent.words != parent.singular.words
        guard isPlural else { return nouns }
        let joined = [last] + parent.singular.words
        return nouns.dropLast(2) + [joined.joined(separator: "_")]
    }
}
