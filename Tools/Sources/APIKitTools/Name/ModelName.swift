/// Chooses the names of models: without words such as "model" or "schema", and without the variety if possible.
///
/// A variety is a model with the same subject as another one, but other members: `simple-user` beside `user`.
enum ModelName {
    /// The words for varieties.
    private static let varieties: Set = ["base", "compact", "full", "minimal", "nullable", "simple", "simplified"]

    /// Words at the end of a name that say how a model is used, and nothing about its subject.
    private static let suffixes: Set = [
        "body", "dto", "entity", "enum", "input", "model", "object", "output", "param", "params", "payload", "request",
        "resource", "response", "schema",
    ]

    /// Words that are too general to be a name on their own.
    private static let general: Set = ["api", "beta", "data", "list", "new", "error", "item"]

    /// Finds the possible names of a model.
    ///
    /// | own name | possible names |
    /// | --- | --- |
    /// | `simple-user` | `User`, `SimpleUser` |
    /// | `issue-schema` | `Issue`, `IssueSchema` |
    /// | `api.v2010.account.call` | `Call`, `AccountCall`, `APIAccountCall`, `APIV2010AccountCall` |
    /// | `call.enum-status` | `CallStatus`, `CallEnumStatus` |
    ///
    /// - Parameters:
    ///   - name: The name in the description. Dots separate namespaces.
    ///   - isRead: Whether values are received, and not only sent.
    /// - Returns: The names, the best one first, and the description's own name last.
    static func candidates(_ name: String, isRead: Bool) -> [String] {
        let parts = name.split(separator: ".").map { Words(String($0)).words }.filter { !isVersion($0) }
        var names: [String] = []
        for words in withMoreNamespaces(parts) {
            names += shortNames(of: words, isRead: isRead)
        }
        let allWords = parts.joined().filter { $0 != "nullable" }
        names.append(Words(words: allWords).upperCamel)
        names.append(SwiftName.type(name))
        return names.filter(SwiftName.isIdentifier)
    }

    /// The words of a name in several forms: the last part alone, then with one more namespace before it in each form.
    /// The parts of `account.call` are `call`, and then `account call`.
    ///
    /// An enum such as `call.enum-status` always has its namespaces, since its last part says too little.
    private static func withMoreNamespaces(_ parts: [[String]]) -> [[String]] {
        let isEnum = parts.joined().contains("enum")
        let starts = isEnum ? [0] : Array(parts.indices.reversed())
        return starts.map { start in
            parts[start...].joined().filter { $0 != "enum" }
        }
    }

    /// The names without words such as "schema": first without the variety, then with it. `simple user schema` is
    /// `User` or `SimpleUser`. Empty if only a word such as "data" is left.
    private static func shortNames(of words: [String], isRead: Bool) -> [String] {
        let core = Core(of: words, isRead: isRead)
        let isTooGeneral = core.words.count == 1 && general.contains(core.words[0])
        if isTooGeneral { return [] }
        var names = [type(of: core.words, isRead: isRead)]
        // A property shows whether it may be nil, so a type does not have to.
        if let variety = core.variety, variety != "nullable" {
            names.append(type(of: [variety] + core.words, isRead: isRead))
        }
        return names
    }

    /// The words of a name that describe the subject of the model: `user` for `api simple user schema`.
    private struct Core {
        var words: [String]
        /// The word for the variety, such as `simple`; nil if the name has none.
        var variety: String?

        /// Removes suffixes such as "schema", the version of the API, and the variety. At least one word is left.
        init(of name: [String], isRead: Bool) {
            words = name
            while words.count > 1, let last = words.last, suffixes.contains(last) || varieties.contains(last) {
                // In a model that is read, "request" belongs to the subject, as in "pull request". In one that is only
                // sent, it means the request of an endpoint.
                if last == "request", isRead { break }
                if varieties.contains(last) { variety = last }
                words.removeLast()
            }
            while words.count > 1, let first = words.first, Self.isRemovedAtStart(first) {
                if varieties.contains(first) { variety = first }
                words.removeFirst()
            }
        }

        /// Whether a word at the beginning of a name says nothing about the subject: `api`, `v2` or `simple`.
        private static func isRemovedAtStart(_ word: String) -> Bool {
            word == "api" || isVersion([word]) || varieties.contains(word)
        }
    }

    /// Whether a name has the word of a variety, such as "simple".
    static func isVariety(_ name: String) -> Bool { !varieties.isDisjoint(with: Words(name).words) }

    /// Whether words are just a version, such as `v2`.
    private static func isVersion(_ words: [String]) -> Bool {
        guard words.count == 1, words[0].hasPrefix("v") else { return false }
        let number = words[0].dropFirst()
        return !number.isEmpty && number.allSatisfy(\.isWholeNumber)
    }

    /// The type's name. A leading verb is replaced, so that the name is a noun.
    ///
    /// If the model is read, `create issue` is `Issue`, `list issues` is `IssueList`, and `delete issue` is
    /// `IssueDeletion`. If it is only sent, `create issue` is `NewIssue`, and `update issue` is `IssueUpdate`.
    private static func type(of words: [String], isRead: Bool) -> String {
        let name = Words(words: words).upperCamel
        guard words.count > 1 else { return name }
        let object = Words(words: Array(words.dropFirst()))
        if isRead { return nameOfResult(words[0], object) ?? name }
        return nameOfInput(words[0], object) ?? name
    }

    /// A name for what an endpoint with the verb returns; nil if the first word of the name is not such a verb.
    private static func nameOfResult(_ verb: String, _ object: Words) -> String? {
        switch verb {
        case "create", "get", "update", "retrieve": object.upperCamel
        case "list": "\(object.singular.upperCamel)List"
        case "delete": "\(object.upperCamel)Deletion"
        default: nil
        }
    }

    /// A name for what is sent to an endpoint with the verb; nil if the first word of the name is not such a verb.
    private static func nameOfInput(_ verb: String, _ object: Words) -> String? {
        switch verb {
        case "create": "New\(object.upperCamel)"
        case "update": "\(object.upperCamel)Update"
        default: nil
        }
    }
}
