/// The name of an operation that a framework made of the names of a class and a method.
///
/// NestJS calls it `CatsController_findAll`, Phoenix `CatsWeb.CatsController.index`. The class is the group of the
/// operation, and "Controller" says nothing.
struct ControllerName {
    /// The words of the class without "Controller": `cats`.
    private let group: [String]
    /// The words of the method: `find all`.
    private let method: [String]

    /// Takes apart the name of an operation; nil if it is not of this form.
    init?(_ name: String) {
        let marks = ["Controller_", "Controller."]
        guard let range = marks.compactMap({ name.firstRange(of: $0) }).first else { return nil }
        let classes = name[..<range.lowerBound].split(separator: ".")
        var method = Words(String(name[range.upperBound...])).words
        // Versions of NestJS: `CatsController_findAll_v1`.
        if method.count > 1, let last = method.last, Words.isVersion(last) { method.removeLast() }
        guard let className = classes.last, !method.isEmpty else { return nil }
        self.method = method
        let words = Words(String(className)).words
        // In `ResourcesByExternalIdController`, only the resources are what the operation is about.
        let noun = Array(words.prefix { !$0.mayBe(.preposition) })
        // The root class of an application is called `AppController`.
        group = noun == ["app"] ? [] : noun
    }

    /// Lists the words of the endpoint's possible names, the best one first, with the verb first. The list is empty if
    /// the name says no more than the path, which then gives the endpoint its name. The first row that applies decides:
    ///
    /// | class, method | operation | words |
    /// | --- | --- | --- |
    /// | `App`, `find` | GET | empty: the method only says GET, and the class says nothing |
    /// | `Cats`, `findAll`, `create`, … | GET, POST, … | `list cats`, `create cat` |
    /// | `Cats`, `adopt` | any | `adopt cat` |
    /// | `ShopCats`, `addCats` | any | `add cats`, `add shop cats` |
    /// | `Users`, `email` | POST `/email/confirm` | empty: the verb is at the end of the path |
    /// | `Keys`, `jsonWebKeys` | GET | `get json web keys` |
    /// | `Cats`, `cat` | GET | `get cat` |
    /// | `Cats`, `adoption` | POST `/cats/{id}/adoption` | empty: the path says that it is an action |
    /// | `SSO`, `token` | POST `/sso/token` | `create sso token` |
    func names(for endpoint: Endpoint) -> [[String]] {
        if let name = usualName(of: endpoint) { return group.isEmpty ? [] : [name] }
        if beginsWithVerb(endpoint) { return namesWithVerb(for: endpoint) }
        if PathMeaning.endsInAction(endpoint) { return [] }
        let verb = Self.verb(for: endpoint.method)
        if method.count > 1 { return [[verb] + method] }
        // The method is a noun.
        let owner = Words(words: group).singular.words
        if isAbout(method[0]) { return [[verb] + owner] }
        if isActionOnItem(endpoint) { return [] }
        return [[verb] + owner + method]
    }

    /// The names of a method that begins with a verb, as in `setPermissions`. The second one tells it apart from the
    /// same method of another class, `RolePermissions`.
    private func namesWithVerb(for endpoint: Endpoint) -> [[String]] {
        if group.isEmpty { return [method] }
        // The path `/cats/{id}/adopt` is about cats, so its last segment is left out.
        let endsInMethod = method.count == 1 && PathNouns.lastWord(of: endpoint.path) == method[0]
        let segments = endpoint.path.split(separator: "/")
        let path = endsInMethod ? segments.dropLast().joined(separator: "/") : endpoint.path
        let nouns = nounsInPath(path)
        let name = DescribedName.insertingIfNeeded(nouns, into: method)
        guard method.count > 1, let last = method.last, isAbout(last) else { return [name] }
        return [name, method.prefix(1) + nouns.dropLast() + method.dropFirst()]
    }

    /// Whether the noun of the class is a word, or the singular or the plural of it.
    private func isAbout(_ noun: String?) -> Bool {
        guard let noun, let last = group.last else { return false }
        return Words.singular(noun) == Words.singular(last)
    }

    /// The words of the class without those that the path only has as a namespace, and with the path's own last noun.
    ///
    /// For `AuthorizationOrganizationRoles` at `/authorization/organizations/{id}/roles`, these are
    /// `organization roles`. If the class is about something else than the path, they are all of its words.
    private func nounsInPath(_ path: String) -> [String] {
        let segments = path.split(separator: "/").map(String.init)
        let lastIndex = segments.lastIndex { !$0.contains("{") }
        guard let lastIndex, isAbout(PathNouns.lastWord(of: path)) else { return group }
        let lastNoun = Words(String(segments[lastIndex].prefix { $0 != "." })).words
        var parents: Set<String> = []
        for (index, segment) in segments[..<lastIndex].enumerated() where !segment.contains("{") {
            let words = Words(segment)
            let isPlural = words.singular.words != words.words
            // A plural, or a noun before a value, is not only a namespace.
            let hasValue = segments[index + 1].contains("{")
            if isPlural || hasValue { parents.formUnion(words.words.map(Words.singular)) }
        }
        let parentsInClass = group.filter { parents.contains(Words.singular($0)) && !lastNoun.contains($0) }
        return parentsInClass + lastNoun
    }

    /// The name of a method that only does what the HTTP method says, such as `findAll` of a GET; nil if it says more.
    private func usualName(of endpoint: Endpoint) -> [String]? {
        guard let first = method.first, Self.isUsualVerb(first, of: endpoint.method) else { return nil }
        let rest = method.dropFirst()
        // In `findOneByName`, `one` is the amount, and `by name` stands for the values that are looked up.
        let amount = rest.prefix { ["all", "many", "one"].contains($0) }
        var values = Array(rest.dropFirst(amount.count))
        let hasOnlyValues = values.isEmpty || values.first == "by"
        if !hasOnlyValues { return nil }
        if values == ["by", "id"] { values = [] }
        let isAboutPath = isAbout(PathNouns.lastWord(of: endpoint.path))
        // The path has the values too, so the name need not repeat them.
        if isAboutPath { values = [] }
        let object = nounsInPath(endpoint.path)
        let singular = Words(words: object).singular.words
        if endpoint.method != "GET" { return [Self.verb(for: endpoint.method)] + singular + values }
        let isItem = endpoint.path.last == "}" || !values.isEmpty || amount.contains("one")
        return isItem ? ["get"] + singular + values : ["list"] + object
    }

    /// Whether the verb of a method says no more than the HTTP method.
    private static func isUsualVerb(_ verb: String, of method: String) -> Bool {
        switch method {
        case "GET": verb.mayBe(.reading) || ["all", "index"].contains(verb)
        case "POST": ["create", "store"].contains(verb)
        case "PUT", "PATCH": ["patch", "replace", "update"].contains(verb)
        case "DELETE": ["delete", "destroy", "remove"].contains(verb)
        default: false
        }
    }

    /// The usual verb for an HTTP method; the method itself if it has none, such as `delete`.
    private static func verb(for method: String) -> String {
        switch method {
        case "GET": "get"
        case "POST": "create"
        case "PUT", "PATCH": "update"
        default: method.lowercased()
        }
    }

    /// Whether the method begins with a verb. A word that is neither a known verb nor a noun of the path or the class
    /// is taken for one, unless several words of a GET begin with it: methods are usually called what they do.
    private func beginsWithVerb(_ endpoint: Endpoint) -> Bool {
        let first = method[0]
        let isAlone = method.count == 1
        if isAlone, isAbout(first) { return false }
        if first.mayBe(.verb) { return true }
        if isAlone, EndpointName.isVerbOfPath(first) { return true }
        let isInPath = Words(endpoint.path).words.contains { Words.singular($0) == Words.singular(first) }
        if isInPath { return false }
        return isAlone || endpoint.method != "GET"
    }

    /// Whether the path ends in a word below a value or a plural, as in `/cats/{id}/adoption` and `/keys/rekey`, and
    /// the HTTP method is not GET.
    private func isActionOnItem(_ endpoint: Endpoint) -> Bool {
        let segments = endpoint.path.split(separator: "/").map(String.init)
        guard endpoint.method != "GET", segments.count > 1 else { return false }
        let parent = segments[segments.count - 2]
        let isPlural = Words(parent).singular.words != Words(parent).words
        return parent.contains("{") || isPlural
    }
}

extension Endpoint {
    /// The operation's own name without the index that a tool adds to the names of several routes of a method, as in
    /// `adopt[0]`.
    var ownName: String? {
        guard let name, name.last == "]", let bracket = name.lastIndex(of: "[") else { return name }
        let index = name[bracket...].dropFirst().dropLast()
        let isIndex = !index.isEmpty && index.allSatisfy(\.isWholeNumber)
        let isNamed = bracket > name.startIndex
        return isIndex && isNamed ? String(name[..<bracket]) : name
    }
}
