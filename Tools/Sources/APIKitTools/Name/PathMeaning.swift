/// What an endpoint does, as its method and its path say.
///
/// The first row that applies decides. A noun is a segment of the path that is not a value, a version or `api`.
///
/// | path | method | meaning | names |
/// | --- | --- | --- | --- |
/// | has no noun: `/` | any | root | `GetRoot` |
/// | ends in `search`: `/orders/search` | GET, POST | search | `SearchOrders`, of a POST also `SearchOrdersByBody` |
/// | ends in a verb: `/orders/{id}/cancel` | POST | action | `CancelOrder` |
/// | ends in a verb and its object: `/messages/count_tokens` | POST, PUT, PATCH | action | `CountMessageTokens` |
/// | ends in one of a few verbs: `/account/verify_credentials` | GET | action | `VerifyAccountCredentials` |
/// | ends in another singular below a noun, and has no GET: `/keys/{id}/rekey` | POST | action | `RekeyKey` |
/// | any other: `/teams/{id}/projects` | any | verb | `CreateProject`, `CreateTeamProject` |
enum PathMeaning {
    /// The path has no noun.
    case root(method: String)
    /// It searches what the noun before `search` stands for, if there is one.
    case search(method: String, parent: String?)
    /// It performs an action on what the nouns before it stand for.
    case action(Words, parents: [String])
    /// It does what the method says, such as `create`, with what the last noun stands for.
    case verb(String, object: [String], parents: [String])

    /// What a path ends in.
    private enum Ending {
        /// A value: `/users/{id}`.
        case value
        /// A noun in the plural: `/users`.
        case plural
        /// Another noun: `/account`.
        case singular

        init(_ noun: Words, isBeforeValue: Bool) {
            if isBeforeValue {
                self = .value
            } else {
                let isPlural = noun.singular.words != noun.words
                self = isPlural ? .plural : .singular
            }
        }
    }

    /// Finds out what an endpoint does.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. If so, a POST is taken for an update.
    init(_ endpoint: Endpoint, pathHasGet: Bool) {
        let method = endpoint.method
        let nouns = PathNouns(endpoint.path)
        guard let last = nouns.all.last else {
            self = .root(method: method)
            return
        }
        let parents = nouns.all.dropLast()
        if last == "search", ["GET", "POST"].contains(method) {
            self = .search(method: method, parent: parents.last)
            return
        }
        let noun = Words(last)
        // In `/users` the noun is plural, and in `/users/{id}` it is before a value: the path leads to one user.
        let ending = Ending(noun, isBeforeValue: nouns.endsInValue)
        if Self.isAction(noun, method, ending, pathHasGet: pathHasGet, hasParents: !parents.isEmpty) {
            self = .action(noun, parents: Array(parents))
            return
        }
        let verb = Self.verb(for: method, ending, pathHasGet: pathHasGet)
        let returnsList = method == "GET" && ending == .plural
        self = .verb(verb, object: returnsList ? noun.words : noun.singular.words, parents: Array(parents))
    }

    // MARK: - Verbs

    /// The verb of an endpoint, in lower case. The first row that applies decides:
    ///
    /// | method | path | verb |
    /// | --- | --- | --- |
    /// | GET | ends in a plural: `/users` | `list` |
    /// | GET | any other | `get` |
    /// | POST | ends in a value: `/users/{id}` | `update` |
    /// | POST | ends in a singular, and has a GET too: `/account` | `update` |
    /// | POST | any other | `create` |
    /// | PUT, PATCH | any | `update` |
    /// | another | any | the name of the method |
    private static func verb(for method: String, _ ending: Ending, pathHasGet: Bool) -> String {
        switch method {
        case "GET": return ending == .plural ? "list" : "get"
        case "POST":
            let canBeRead = ending == .singular && pathHasGet
            let isSingleValue = ending == .value || canBeRead
            return isSingleValue ? "update" : "create"
        case "PUT", "PATCH": return "update"
        // In a recording, a method may be any text: `Words` keeps only its letters and digits, so that it cannot become
        // other code than a name.
        default: return Words(method).words.joined()
        }
    }

    // MARK: - Actions

    /// Whether the noun at the end of a path is an action.
    ///
    /// A POST to a singular usually performs one, since paths at which values are created end in a plural: a POST to
    /// `/invoices/{id}/pay` pays an invoice, and does not create a "pay". Below another noun, words that are not known
    /// as verbs are taken for actions too.
    private static func isAction(
        _ noun: Words, _ method: String, _ ending: Ending, pathHasGet: Bool, hasParents: Bool
    ) -> Bool {
        if ending == .value { return false }
        if isSurelyAction(noun, method) { return true }
        let createsSingular = method == "POST" && ending == .singular && !pathHasGet
        let isVerb = noun.words.first.map(EndpointName.isVerbOfPath) == true
        return createsSingular && (isVerb || hasParents)
    }

    /// Whether the last noun of a path is an action, by its words and the method alone.
    private static func isSurelyAction(_ noun: Words, _ method: String) -> Bool {
        guard let first = noun.words.first else { return false }
        let isAlone = noun.words.count == 1
        if isAlone { return method == "POST" && EndpointName.isVerbOfPath(first) }
        switch method {
        case "POST", "PUT", "PATCH":
            let isVerb = EndpointName.isAlwaysVerb(first) || first.mayBe(.beforeObject)
            return isVerb && !first.mayBe(.compound)
        // A GET of `delete-status` does not delete.
        case "GET": return ["count", "validate", "verify"].contains(first)
        default: return false
        }
    }

    /// Whether the last segment of an endpoint's path is surely an action or a search.
    static func endsInAction(_ endpoint: Endpoint) -> Bool {
        guard let last = endpoint.path.split(separator: "/").last, !last.contains("{") else { return false }
        if last == "search" { return true }
        return isSurelyAction(Words(String(last)), endpoint.method)
    }
}
