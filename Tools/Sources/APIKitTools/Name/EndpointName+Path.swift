internal import Foundation

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

        /// The names with parents, or all names if there are no parents.
        var longer: [String] { withParents.isEmpty ? all : withParents }
    }

    /// Builds names from the method and the path: `ListTasks`, `ListProjectTasks` and `ListTeamProjectTasks` for a GET
    /// of `/teams/{id}/projects/{id}/tasks`.
    ///
    /// There are three exceptions:
    ///
    /// - A path without nouns, such as `/`, gives only `GetRoot`.
    /// - A path that ends in `search`, such as `/orders/search`, gives `SearchOrders`. If both GET and POST have it,
    ///   the POST gives `SearchOrdersByBody` too.
    /// - A POST to a path that ends in an action, such as `/orders/{id}/cancel`, gives `CancelOrder`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. A POST to such a path is taken for an update.
    /// - Returns: The names.
    static func namesFromPath(_ endpoint: Endpoint, pathHasGet: Bool) -> PathNames {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        let nouns = pathNouns(of: segments)
        guard let last = nouns.last else {
            return PathNames(withoutParents: SwiftName.type("\(endpoint.method.lowercased())Root"))
        }
        let noun = Words(last)
        let parents = nouns.dropLast()
        let isSearch = last == "search" && ["GET", "POST"].contains(endpoint.method)
        if isSearch { return namesOfSearch(endpoint.method, in: parents.last) }
        // The segment `{id}:cancel` ends in an action.
        let isItem = segments.last?.split(separator: ":").last?.contains("{") == true
        let isList = !isItem && noun.singular.words != noun.words
        let verb = verb(for: endpoint.method, isItem: isItem, isList: isList, pathHasGet: pathHasGet)
        let isSurelyAction = !isItem && isSurelyAction(noun, endpoint.method)
        let wouldCreateSingular = verb == "create" && !isList
        let isActionByPost = wouldCreateSingular && isAction(noun, below: parents)
        if isSurelyAction || isActionByPost { return namesOfAction(noun, below: parents) }
        let returnsList = endpoint.method == "GET" && isList
        let object = returnsList ? noun.words : noun.singular.words
        var withParents: [String] = []
        for first in parents.indices.reversed() {
            let nearestParents = singularWords(of: parents[first...])
            withParents.append(Words(words: [verb] + nearestParents + object).upperCamel)
        }
        return PathNames(withoutParents: Words(words: [verb] + object).upperCamel, withParents: withParents)
    }

    /// The names of a search: `SearchOrders` for the parent `orders`, the noun before `search` in the path, and
    /// `Search` without a parent. A POST has a longer name too, `SearchOrdersByBody`, since a GET of the same path may
    /// get the first one.
    private static func namesOfSearch(_ method: String, in parent: String?) -> PathNames {
        var words = ["search"]
        if let parent { words += Words(parent).words }
        let name = Words(words: words).upperCamel
        if method == "POST" { return PathNames(withoutParents: name, withParents: ["\(name)ByBody"]) }
        return PathNames(withoutParents: name)
    }

    /// Chooses the verb of an endpoint by its method and path: `list` for a GET of `/users`, and `update` for a PUT.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - isItem: Whether the path ends in a value, such as `/users/{id}`.
    ///   - isList: Whether it ends in a plural, such as `/users`.
    ///   - pathHasGet: Whether the same path also has a GET.
    /// - Returns: The verb in lower case.
    private static func verb(for method: String, isItem: Bool, isList: Bool, pathHasGet: Bool) -> String {
        switch method {
        case "GET": return isList ? "list" : "get"
        case "POST":
            // A POST to a single value, such as `/users/{id}` or the `/account` that can be read, updates that value. A
            // POST to a list adds an element.
            let canBeRead = pathHasGet && !isList
            let isSingleValue = isItem || canBeRead
            return isSingleValue ? "update" : "create"
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
        let isVerb = noun.words.first.map(isVerbOfPath) == true
        return isVerb || !parents.isEmpty
    }

    /// Whether the last segment of a path is an action, by its words and the method alone:
    ///
    ///     POST /orders/{id}/cancel            a known verb that is the only word
    ///     POST /messages/count_tokens         a verb that is rarely a noun, and its object
    ///     GET /account/verify_credentials     one of a few verbs, and its object
    ///
    /// A POST to other words may still be an action: see ``isAction(_:below:)``.
    private static func isSurelyAction(_ noun: Words, _ method: String) -> Bool {
        guard let first = noun.words.first else { return false }
        let isAlone = noun.words.count == 1
        if isAlone { return method == "POST" && isVerbOfPath(first) }
        switch method {
        case "POST", "PUT", "PATCH":
            let isVerb = isAlwaysVerb(first) || verbsBeforeObjects.contains(first)
            return isVerb && !wordsOfCompounds.contains(first)
        // A GET of `delete-status` does not delete.
        case "GET": return ["count", "validate", "verify"].contains(first)
        default: return false
        }
    }

    /// Further verbs that begin a segment of several words, as in `count_tokens`.
    private static let verbsBeforeObjects: Set = ["count", "extract", "terminate"]

    /// Verbs that may be the first word of a noun, as in `upload_sessions`.
    private static let wordsOfCompounds: Set = ["download", "post", "search", "upload"]

    /// Whether the last segment of an endpoint's path is surely an action.
    static func endsInAction(_ endpoint: Endpoint) -> Bool {
        guard let last = endpoint.path.split(separator: "/").last, !last.contains("{") else { return false }
        if last == "search" { return true }
        return isSurelyAction(Words(String(last)), endpoint.method)
    }

    /// Whether a word at the end of a path is a verb, also with "un" before it, as in `unmute`.
    static func isVerbOfPath(_ word: String) -> Bool {
        let isVerb = verbs.contains(word) || actions.contains(word)
        if isVerb { return true }
        guard word.hasPrefix("un") else { return false }
        let rest = String(word.dropFirst(2))
        return verbs.contains(rest) || actions.contains(rest)
    }

    /// The names of an action: `PayInvoice` and `PayTeamInvoice` for `/teams/{id}/invoices/{id}/pay`. The parents are
    /// the nouns before the action. The direct parent is always part of the name, since it is the object. A path such
    /// as `/pay` has none, and gives only `Pay`.
    ///
    /// If the action has several words and begins with a verb, the object comes after the verb: `CountMessageTokens`
    /// for `/messages/count_tokens`.
    private static func namesOfAction(_ action: Words, below parents: ArraySlice<String>) -> PathNames {
        if parents.isEmpty { return PathNames(withoutParents: action.upperCamel) }
        var verb: String?
        if let firstWord = action.words.first, isVerbOfPath(firstWord) { verb = firstWord }
        var names: [String] = []
        for count in 1...parents.count {
            let object = singularWords(of: parents.suffix(count))
            if let verb {
                let rest = Words(words: object + action.words.dropFirst()).upperCamel
                // The verb is not looked up among acronyms: `pin` becomes `Pin`, not `PIN`.
                names.append(verb.capitalized + rest)
            } else {
                names.append(Words(words: action.words + object).upperCamel)
            }
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
    /// An adjective at the end is joined with a plural before it: the only noun of `/releases/latest` is
    /// `latest_release`.
    private static func pathNouns(of segments: [String]) -> [String] {
        // The segment `levels:append` has an action after the colon.
        let parts = segments.flatMap { $0.split(separator: ":") }
        let nouns = withJoinedRequests(parts.compactMap(noun))
        guard nouns.count > 1, let last = nouns.last, adjectives.contains(last) else { return nouns }
        let parent = Words(nouns[nouns.count - 2])
        let isPlural = parent.words != parent.singular.words
        guard isPlural else { return nouns }
        let joined = [last] + parent.singular.words
        return nouns.dropLast(2) + [joined.joined(separator: "_")]
    }

    /// The noun in a segment of a path: `repos` for `repos.json`, and `thumbnail` for `thumbnail.{extension}`. Nil for
    /// a value, a version or `api`.
    private static func noun(of segment: Substring) -> String? {
        let name = segment.replacing(".json", with: "")
        let beforeValue = name.prefix { $0 != "{" }
        let hasValue = beforeValue.endIndex < name.endIndex
        // In `{id}` and `v{version}`, there is no noun.
        if hasValue, beforeValue.count(where: \.isLetter) < 3 { return nil }
        if isVersion(beforeValue) || beforeValue == "api" || beforeValue.isEmpty { return nil }
        return String(beforeValue)
    }

    /// Whether a segment is a version such as `v1`.
    private static func isVersion(_ word: Substring) -> Bool {
        word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy { "0"..."9" ~= $0 }
    }

    /// Joins the noun `requests` with the one before it: `/notifications/requests` is about `notification_requests`,
    /// since the names of all endpoints end in "Request" anyway.
    private static func withJoinedRequests(_ nouns: [String]) -> [String] {
        var joined: [String] = []
        for noun in nouns {
            if ["request", "requests"].contains(noun), let parent = joined.popLast() {
                joined.append((Words(parent).singular.words + [noun]).joined(separator: "_"))
            } else {
                joined.append(noun)
            }
        }
        return joined
    }
}
