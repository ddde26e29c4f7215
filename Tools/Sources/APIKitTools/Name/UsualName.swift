/// Writes the words of an operation's own name with the usual verb, and in the singular or the plural.
///
/// These steps follow one another, each with an example of what it changes:
///
/// 1. Articles are removed: `get a user` becomes `get user`.
/// 2. A repeated word is removed: `get user user` becomes `get user`.
/// 3. The usual verb replaces others of the same meaning, unless the name is only a verb: `retrieve user` becomes
///    `get user`.
/// 4. `all` is removed after `get` and `list`: `get all users` becomes `get users`.
/// 5. After `list`, the object is put in the plural, and the last noun of a path that ends in a value in the singular:
///    `get users` becomes `get user` at `/users/{id}`.
enum UsualName {
    /// Writes a name.
    ///
    /// - Parameters:
    ///   - words: The words of the own name, the verb first.
    ///   - endpoint: The endpoint.
    /// - Returns: The name: `GetIssue` for `retrieve the issues` at `/issues/{id}`.
    static func name(_ words: [String], _ endpoint: Endpoint) -> String {
        let withoutArticles = words.filter { !["a", "an", "the"].contains($0) }
        let withVerb = withUsualVerb(withoutRepetitions(withoutArticles))
        return EndpointName.joined(withGrammaticalNumber(withVerb, endpoint.path), endpoint)
    }

    /// The words without those that are equal to the one before.
    private static func withoutRepetitions(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words where word != result.last { result.append(word) }
        return result
    }

    /// Verbs and the usual verb with the same meaning.
    private static let usualVerbs = [
        "fetch": "get", "patch": "update", "post": "create", "read": "get", "retrieve": "get", "return": "get",
        "show": "get",
    ]

    /// A name with the usual verb. A name that is only a verb stays as it is.
    private static func withUsualVerb(_ name: [String]) -> [String] {
        var words = name
        guard words.count > 1 else { return words }
        words[0] = usualVerbs[words[0]] ?? words[0]
        if words.count > 2, ["get", "list"].contains(words[0]), words[1] == "all" { words.remove(at: 1) }
        return words
    }

    // MARK: - Singular and plural

    /// Puts the object of a name in the plural or the singular, by its verb and its path.
    ///
    /// `list issue` becomes `list issues`. `get issues` at `/issues/{id}` becomes `get issue`, since that path ends in
    /// a value, and the last noun of the path is the object. All other names stay as they are.
    private static func withGrammaticalNumber(_ words: [String], _ path: String) -> [String] {
        guard words.count > 1, let last = words.last else { return words }
        let pathNoun = PathNouns.lastWord(of: path)
        if words[0] == "list" { return withPluralObject(words, pathNoun: pathNoun) }
        let isAboutOne = ["get", "delete", "update"].contains(words[0]) && path.last == "}"
        let isObjectInPath = last == pathNoun
        if isAboutOne, isObjectInPath { return words.dropLast() + [Words.singular(last)] }
        return words
    }

    /// Puts the last word of the object in the plural: `list alert policy` becomes `list alert policies`. The first row
    /// that applies decides:
    ///
    /// | object | last noun of the path | becomes |
    /// | --- | --- | --- |
    /// | `policy` | `policies` | `policies` |
    /// | `media` | `media` | `media` |
    /// | `starred` | any other | `starred`, since it is a participle |
    /// | `users online` | any other | `users online`, which has a plural already |
    /// | `policy` | any other | `policies` |
    ///
    /// - Parameters:
    ///   - name: The words of a name that begins with `list`.
    ///   - pathNoun: The last noun of the path.
    /// - Returns: The words with the plural, if it is needed.
    private static func withPluralObject(_ name: [String], pathNoun: String?) -> [String] {
        let endOfObject = name.dropFirst().firstIndex { $0.mayBe(.preposition) } ?? name.endIndex
        let object = name[1..<endOfObject]
        guard let last = object.last else { return name }
        let plural = Words(words: [last]).plural.words[0]
        var nameWithPlural = name
        nameWithPlural[endOfObject - 1] = plural
        if pathNoun == plural { return nameWithPlural }
        if pathNoun == last { return name }
        let isParticiple = last.hasSuffix("ed") || last.hasSuffix("ing")
        let hasPlural = object.contains { Words.singular($0) != $0 }
        let needsPlural = !isParticiple && !hasPlural
        return needsPlural ? nameWithPlural : name
    }
}
