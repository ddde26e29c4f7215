/// Chooses the names of models: without words such as "model" or "schema", and without the variety if possible.
///
/// A variety is a model with the same subject as another one, but other members: `simple-user` beside `user`.
enum ModelName {
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
    ///   - isRead: Whether the API returns the model. A model that is only sent gets a name such as `NewIssue` for
    ///     `create-issue`, since `Issue` is what the API returns.
    /// - Returns: The names, the best one first, and the description's own name last.
    static func candidates(_ name: String, isRead: Bool) -> [String] {
        var parts = name.split(separator: ".").map { Words(String($0)).words }
        parts.removeAll { words in words.count == 1 && Words.isVersion(words[0]) }
        var names: [String] = []
        // The last part alone comes first, and all parts come last.
        for words in withMoreNamespaces(parts) {
            names += shortNames(of: words, isRead: isRead)
        }
        // A property shows whether it may be nil, so its type does not have to.
        let allWords = parts.joined().filter { $0 != "nullable" }
        names.append(Words(words: allWords).upperCamel)
        names.append(SwiftName.type(name))
        return names.filter(SwiftName.isIdentifier)
    }

    /// The words of a name in several forms: those of its last part alone, then with one more namespace before it in
    /// each form. For `account.call`, the forms are `call`, and then `account call`.
    ///
    /// An enum such as `call.enum-status` always has its namespaces, since its last part says too little.
    private static func withMoreNamespaces(_ parts: [[String]]) -> [[String]] {
        let isEnum = parts.joined().contains("enum")
        let starts = isEnum ? [0] : Array(parts.indices.reversed())
        return starts.map { start in
            parts[start...].joined().filter { $0 != "enum" }
        }
    }

    /// Lists the short names of a model: `User` and `SimpleUser` for the words `simple user schema`.
    ///
    /// The first name only says what the model is about, here a user. If one of the words is a variety, a word such as
    /// "simple" that tells similar models apart, the second name begins with it.
    ///
    /// - Parameters:
    ///   - words: The words of the name in the description.
    ///   - isRead: Whether the API returns the model. Then `create user` gives `User`, the created one. If the model is
    ///     only sent, it gives `NewUser`: see ``typeName(of:isRead:)``.
    /// - Returns: The names, the shortest one first; none if the model would be called `Data`, for example.
    private static func shortNames(of words: [String], isRead: Bool) -> [String] {
        let subject = Subject(of: words, isRead: isRead)
        let isTooGeneral = subject.words.count == 1 && subject.words[0].mayBe(.general)
        if isTooGeneral { return [] }
        let shortest = typeName(of: subject.words, isRead: isRead)
        // The type of a property already says whether it may be nil, as in `User?`, so `NullableUser` is not needed.
        guard let variety = subject.variety, variety != "nullable" else { return [shortest] }
        return [shortest, typeName(of: [variety] + subject.words, isRead: isRead)]
    }

    /// The words of a name that say what the model is about: `user` for `api simple user schema`.
    private struct Subject {
        var words: [String]
        /// The word that tells the model apart from others with the same subject, such as `simple`; nil if the name has
        /// none. If it has several, this is the one removed last.
        var variety: String?

        /// Removes the words around the subject: `api v2 simple user schema` becomes `user`, and the variety is
        /// `simple`. At least one word stays, so `simple schema` becomes `simple`.
        ///
        /// - Parameters:
        ///   - name: The words of a name.
        ///   - isRead: Whether the API returns the model. Then `request` at the end stays, as in `pull request`.
        ///     Otherwise the model is only sent, and `create user request` becomes `create user`.
        init(of name: [String], isRead: Bool) {
            words = Self.withoutContent(name)
            while words.count > 1, let last = words.last, Self.isRemovedAtEnd(last, isRead: isRead) {
                if last.mayBe(.variety) { variety = last }
                words.removeLast()
            }
            while words.count > 1, let first = words.first, Self.isRemovedAtStart(first) {
                if first.mayBe(.variety) { variety = first }
                words.removeFirst()
            }
        }

        /// Removes the end that Smithy gives to the names of bodies: `GetTodoResponseContent` is `GetTodo`.
        private static func withoutContent(_ name: [String]) -> [String] {
            let isBody = [["request", "content"], ["response", "content"]].contains(Array(name.suffix(2)))
            return isBody && name.count > 2 ? name.dropLast(2) : name
        }

        /// Whether a word at the end of a name says nothing about the subject: `schema` or `simple`.
        private static func isRemovedAtEnd(_ word: String, isRead: Bool) -> Bool {
            // In a model that is read, "request" belongs to the subject, as in "pull request". In one that is only
            // sent, it means the request of an endpoint, and is removed.
            if word == "request", isRead { return false }
            return word.mayBe(.modelSuffix) || word.mayBe(.variety)
        }

        /// Whether a word at the beginning of a name says nothing about the subject: `api`, `v2` or `simple`.
        private static func isRemovedAtStart(_ word: String) -> Bool {
            word == "api" || Words.isVersion(word) || word.mayBe(.variety)
        }
    }

    /// Whether a name has the word of a variety, such as "simple".
    static func isVariety(_ name: String) -> Bool { Words(name).words.contains { $0.mayBe(.variety) } }

    /// Joins words to the name of a type. A leading verb is replaced, so that the name is a noun.
    ///
    /// If the model is read, `create issue` is `Issue`, `list issues` is `IssueList`, and `delete issue` is
    /// `IssueDeletion`. If it is only sent, `create issue` is `NewIssue`, and `update issue` is `IssueUpdate`.
    private static func typeName(of words: [String], isRead: Bool) -> String {
        let name = Words(words: words).upperCamel
        guard words.count > 1 else { return name }
        let object = Words(words: Array(words.dropFirst()))
        if isRead { return nameOfResult(words[0], object) ?? name }
        return nameOfInput(words[0], object) ?? name
    }

    /// Names what an endpoint returns by its verb and its object: `Cart` for `get cart`, and `CartList` for
    /// `list carts`. Nil for other verbs, and for a first word that is not a verb.
    private static func nameOfResult(_ verb: String, _ object: Words) -> String? {
        switch verb {
        case "create", "get", "update", "retrieve": object.upperCamel
        case "list": "\(object.singular.upperCamel)List"
        // The response to a DELETE reports the deletion. It is not the deleted object.
        case "delete": "\(object.upperCamel)Deletion"
        default: nil
        }
    }

    /// Names what is sent to an endpoint by its verb and its object: `NewCart` for `create cart`. Nil for other verbs,
    /// and for a first word that is not a verb.
    private static func nameOfInput(_ verb: String, _ object: Words) -> String? {
        switch verb {
        case "create": "New\(object.upperCamel)"
        case "update": "\(object.upperCamel)Update"
        default: nil
        }
    }
}
