/// Writes documentation comments from the prose of a description. A comment is one sentence, and is left out if it only
/// repeats the name of the declaration.
///
/// Functions take the names that a comment must not merely repeat.
enum Documentation {
    /// Writes the comment on an endpoint: the first sentence of its summary or description that says what it does, and
    /// that says more than some names. For `ListUserRepos`, the sentence `Lists the repos of a user.` is not used.
    ///
    /// Without names, as for public endpoints and methods, the first sentence is used.
    ///
    /// - Parameters:
    ///   - texts: The summary and the description.
    ///   - isGet: Whether the method is GET.
    ///   - names: The names that the comment must not merely repeat, such as that of the endpoint.
    /// - Returns: The line of the comment; empty if no sentence can be used.
    static func action(_ texts: [String?], isGet: Bool = true, names: [String] = []) -> [String] {
        let sentences = sentencesOnAction(in: texts, isGet: isGet)
        if names.isEmpty { return firstComment(sentences, notRepeating: []) }
        // Every GET gets something, so the word "get" and its synonyms say no more than the names.
        if isGet { return firstComment(sentences, notRepeating: names + ["get"]) }
        // A POST that creates an order is not described by `Returns the order.`
        return firstComment(sentences.filter { !saysWhatIsReturned($0) }, notRepeating: names)
    }

    /// Finds the sentences that say what an endpoint does, and puts them in the third person: `Create a rate.` becomes
    /// `Creates a rate.` Sentences on a GET say what is returned: `Lists the rates.` becomes `The rates.`
    ///
    /// The texts are the summary and the description. A summary may also be a mere name, such as `The current user.`
    private static func sentencesOnAction(in texts: [String?], isGet: Bool) -> [String] {
        var sentences: [String] = []
        for (index, text) in texts.compactMap(\.self).enumerated() {
            // If there is no summary, the description takes its place.
            let isSummary = index == 0
            for sentence in Prose.sentences(of: text) {
                guard let action = Prose.action(sentence, isSummary: isSummary) else { continue }
                sentences.append(isGet ? Prose.result(action) : action)
            }
        }
        return sentences
    }

    /// Whether a sentence begins with a verb such as "Returns" or "Lists". One without words counts too.
    private static func saysWhatIsReturned(_ sentence: String) -> Bool {
        guard let verb = Words(sentence).words.first else { return true }
        return synonym(of: verb) == "get"
    }

    /// Writes the comment on a type or a value: the first sentence of its description, unless that merely repeats some
    /// names.
    static func summary(_ text: String?, names: [String] = []) -> [String] {
        guard let text else { return [] }
        return firstComment(Prose.sentences(of: text, atMost: 1), notRepeating: names)
    }

    /// The first sentence of a description; nil if it cannot be used in a comment.
    static func summaryText(_ text: String?) -> String? {
        guard let text, let sentence = Prose.sentences(of: text).first else { return nil }
        return Prose.kept(sentence)
    }

    /// Writes the comment on a property: its meaning, and whether it is deprecated.
    ///
    ///     /// The length in centimeters.
    ///     ///
    ///     /// Deprecated.
    ///
    /// A deprecated property has no attribute `@available`, since the compiler would warn about the generated code of
    /// its own type.
    static func property(_ property: Property, names: [String], isPublic: Bool) -> [String] {
        // An idempotency key, the only property of this type, needs no explanation.
        if property.type == "UUID" { return [] }
        let ownNames = names + [property.name]
        // The users of public code may not know the API's own documentation.
        let lines = isPublic ? summary(property.schema.documentation, names: ownNames) : meaning(of: property, ownNames)
        return property.schema.isDeprecated ? deprecated(lines) : lines
    }

    /// Writes the comment on the meaning of a property, if it is about a unit, a limit or a format, such as
    /// `The length in centimeters.` Otherwise, the name and the type of the property say enough.
    private static func meaning(of property: Property, _ names: [String]) -> [String] {
        guard mayHaveUnitOrFormat(property), let text = property.schema.documentation else { return [] }
        // Most sentences are not precise, and need no closer look.
        let sentences = Prose.sentences(of: text, atMost: 1)
        guard sentences.contains(where: Prose.isPrecise) else { return [] }
        let lines = firstComment(sentences, notRepeating: names)
        let isPrecise = lines.contains(where: Prose.isPrecise)
        return isPrecise ? lines : []
    }

    /// Whether a property may have a unit, a limit or a format to explain: if it is a text or a number in the content
    /// of an object, such as `weight` or `title`.
    ///
    /// Identifiers, dates, links, and the parameters for the order and the pages of a list have sections of their own
    /// in ``MemberOrder``. Their names say enough.
    private static func mayHaveUnitOrFormat(_ property: Property) -> Bool {
        switch property.schema.core.kind {
        case .string, .integer, .number:
            let section = MemberOrder(property.wireName, property.schema.kind, isParameter: true).section
            return section == .content || section == .title
        default:
            return false
        }
    }

    /// Writes a comment with the first sentence that is worth keeping and says more than some names; nothing if there
    /// is none.
    private static func firstComment(_ sentences: some Sequence<String>, notRepeating names: [String]) -> [String] {
        for sentence in sentences {
            if let text = Prose.kept(sentence), saysMore(text, than: names) { return [Lines.comment(text)] }
        }
        return []
    }

    /// Adds a note to a comment that the declaration is deprecated, unless the comment already says so.
    static func deprecated(_ comment: [String]) -> [String] {
        let isKnown = comment.contains { $0.lowercased().contains("deprecated") }
        if isKnown { return comment }
        let separator = comment.isEmpty ? [] : ["///"]
        return comment + separator + [deprecation]
    }

    private static let deprecation = Lines.comment("Deprecated.")

    /// Words that mean the same in names and sentences.
    private static let synonyms = [
        "retrieve": "get", "fetch": "get", "return": "get", "show": "get", "list": "get", "find": "get", "read": "get",
        "add": "create", "make": "create", "modify": "update", "edit": "update", "change": "update", "set": "update",
        "patch": "update", "remove": "delete", "destroy": "delete", "repo": "repository", "org": "organization",
        "config": "configuration", "info": "information", "authenticated": "current", "auth": "authentication",
        "identifier": "id", "uuid": "id", "gid": "id", "sid": "id", "username": "user", "app": "application",
    ]

    /// The word that stands for all words with the same meaning: `get` for "list", and `repository` for "repos".
    private static func synonym(of word: String) -> String {
        let singular = Words.singular(word.lowercased())
        return synonyms[singular] ?? singular
    }

    /// Removes repeated comments: of several declarations with the same comment, only the first keeps it. The note that
    /// a declaration is deprecated stays, since it holds for each of them.
    ///
    /// Each line of a comment is compared by itself. A comment has one line, apart from that note.
    static func withoutRepetitions(_ lines: [String]) -> [String] {
        var result: [String] = []
        var seenComments: Set<String> = []
        for line in lines {
            let isComment = line.hasPrefix("/// ") && line != deprecation
            if isComment {
                let isNew = seenComments.insert(line).inserted
                if isNew { result.append(line) }
            } else {
                result.append(line)
            }
        }
        return result
    }

    /// Whether a sentence has words with a meaning that some names do not have. `Returns all repositories of a user.`
    /// says no more than the name `ListUserRepos`.
    private static func saysMore(_ sentence: String, than names: [String]) -> Bool {
        if names.isEmpty { return true }
        let wordsOfSentence = meanings(of: sentence).filter { !$0.mayBe(.filler) }
        let wordsOfNames = Set(names.flatMap(meanings))
        let repeatsNames = wordsOfSentence.isSubset(of: wordsOfNames)
        return !repeatsNames
    }

    /// The words of a text, with a single word for all synonyms.
    private static func meanings(of text: String) -> Set<String> {
        Set(Words(text).words.map(synonym))
    }
}

extension StringProtocol {
    /// The text without white space at both ends.
    var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
