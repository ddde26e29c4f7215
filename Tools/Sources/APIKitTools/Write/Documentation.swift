/// Writes documentation comments from the prose of a description. A comment is one sentence, and is left out if it only
/// repeats the name of the declaration.
///
/// In public code, every declaration needs a comment. Callers then pass no names, so that no comment is left out.
enum Documentation {
    /// The comment on an endpoint.
    static func action(_ texts: [String?], isGet: Bool = true, names: [String] = []) -> [String] {
        var sentences: [String] = []
        for (index, text) in texts.compactMap(\.self).enumerated() {
            for sentence in Prose.sentences(of: text) {
                guard let action = Prose.action(sentence, isSummary: index == 0) else { continue }
                sentences.append(isGet ? Prose.result(action) : action)
            }
        }
        if names.isEmpty { return firstComment(sentences, names) }
        if isGet { return firstComment(sentences, names + ["get"]) }
        // The comment on a request other than a GET should say what it does, not what it returns.
        return firstComment(sentences.filter { !saysWhatIsReturned($0) }, names)
    }

    private static func saysWhatIsReturned(_ sentence: String) -> Bool {
        guard let verb = Words(sentence).words.first else { return true }
        return synonym(of: verb) == "get"
    }

    /// The comment on a type or a value.
    static func summary(_ text: String?, names: [String] = []) -> [String] {
        guard let text else { return [] }
        return firstComment(Prose.sentences(of: text).prefix(1), names)
    }

    /// The comment on a property. A comment marks it as deprecated: with an attribute, the compiler would warn about
    /// the generated code of the type itself.
    static func property(_ property: Property, names: [String] = []) -> [String] {
        if property.type == "UUID" { return [] }
        let lines = meaning(of: property, names)
        return property.schema.isDeprecated ? deprecated(lines) : lines
    }

    /// The comment on the meaning of a property. If the name is clear to a reader, only a sentence about a unit, a
    /// limit or a format is worth a comment.
    private static func meaning(of property: Property, _ names: [String]) -> [String] {
        let text = property.schema.documentation
        if names.isEmpty { return summary(text) }
        guard needsWords(property) else { return [] }
        let lines = summary(text, names: names + [property.name])
        return lines.contains(where: Prose.isPrecise) ? lines : []
    }

    /// Whether a property may need words for its unit, its limit or its format: a text or a number that is not an
    /// identifier, a date or a link.
    private static func needsWords(_ property: Property) -> Bool {
        switch property.schema.core.kind {
        case .string, .integer, .number:
            let section = MemberOrder(property.wireName, property.schema.kind, isParameter: true).section
            return section == .content || section == .title
        default: return false
        }
    }

    /// A comment with the first sentence that is worth keeping and says more than the names; empty if there is none.
    private static func firstComment(_ sentences: some Sequence<String>, _ names: [String]) -> [String] {
        for sentence in sentences {
            guard let text = Prose.kept(sentence), saysMore(text, than: names) else { continue }
            return [Lines.comment(text)]
        }
        return []
    }

    /// A comment with a note that the declaration is deprecated, unless the comment already says so.
    static func deprecated(_ lines: [String]) -> [String] {
        let isKnown = lines.contains { $0.lowercased().contains("deprecated") }
        if isKnown { return lines }
        return lines + (lines.isEmpty ? [] : ["///"]) + [deprecation]
    }

    private static let deprecation = Lines.comment("Deprecated.")

    private static let smallWords = Set(
        """
        a about all an and any at available belonging by can compact complete data detail existing field for from full
        given has have in information into is it its list multiple new object of on one or parameter particular
        properties record representation requested resource s single specific specified that the their this to using
        value was which with
        """.split { $0.isWhitespace }.map(String.init))

    /// Words that mean the same in names and sentences.
    private static let synonyms = [
        "retrieve": "get", "fetch": "get", "return": "get", "show": "get", "list": "get", "find": "get", "read": "get",
        "add": "create", "make": "create", "modify": "update", "edit": "update", "change": "update", "set": "update",
        "patch": "update", "remove": "delete", "destroy": "delete", "repo": "repository", "org": "organization",
        "config": "configuration", "info": "information", "authenticated": "current", "auth": "authentication",
        "identifier": "id", "uuid": "id", "gid": "id", "sid": "id", "username": "user", "app": "application",
    ]

    private static func synonym(of word: String) -> String {
        let singular = Words.singular(word.lowercased())
        return synonyms[singular] ?? singular
    }

    /// Lines of code, in which a comment that several declarations share appears only at the first.
    static func withoutRepetitions(_ lines: [String]) -> [String] {
        var seen: Set<String> = []
        return lines.filter { line in
            let isComment = line.hasPrefix("/// ") && line != deprecation
            return !isComment || seen.insert(line).inserted
        }
    }

    /// Whether a sentence has words with a meaning that the names do not have.
    private static func saysMore(_ sentence: String, than names: [String]) -> Bool {
        if names.isEmpty { return true }
        let words = meanings(of: sentence).subtracting(smallWords)
        let nameWords = names.reduce(into: Set<String>()) { $0.formUnion(meanings(of: $1)) }
        return !words.isSubset(of: nameWords)
    }

    /// The words of a text, with a single word for all synonyms.
    private static func meanings(of text: String) -> Set<String> {
        Set(Words(text).words.map(synonym))
    }
}

// MARK: - Comments of public code

extension Documentation {
    /// Lines of public code with a comment on each declaration that has none.
    static func completed(_ lines: [String]) -> [String] {
        var result: [String] = []
        for line in lines {
            let code = line.drop { $0 == " " }
            let indentation = line.prefix(line.count - code.count)
            // The comment stands before an attribute.
            let hasAttribute = result.last?.trimmed.hasPrefix("@") == true
            let index = hasAttribute ? result.count - 1 : result.count
            if code.hasPrefix("public "), !code.hasPrefix("public import"), !isComment(before: index, in: result) {
                result.insert(indentation + Lines.comment(sentence(on: String(code))), at: index)
            } else if code.hasPrefix("associatedtype") {
                result.append("    " + Lines.comment("The failure that the API reports."))
            }
            result.append(line)
        }
        return result
    }

    private static func isComment(before index: Int, in lines: [String]) -> Bool {
        index > 0 && lines[index - 1].trimmed.hasPrefix("///")
    }

    private static let known = [
        "Response": "The response.", "Failure": "The failure.", "base": "The API.", "method": "The method.",
        "path": "The path.", "headers": "The headers.", "query": "The query.", "parameters": "The parameters.",
        "body": "The body.", "idempotencyKey": "Identifies the request if it is sent again.",
        "next": "The request for the next page.", "parameterNode": "The value as a parameter.",
        "rawValue": "The text in JSON.", "init": "Creates a value.", "encode": "Encodes the value.",
        "process": "Reads the response.", "acceptedTypes": "The types in the `Accept` header.",
        "pageLink": "The link to a page, if it is not the first.", "perPage": "The number of items on a page.",
        "pageSize": "The number of items on a page.", "limit": "The number of items on a page.",
        "sort": "What the results are sorted by.", "direction": "In which direction the results are sorted.",
        "decoder": "The decoder.", "subscript": "A member of the value.",
    ]

    private static let modifiers: Set = [
        "public", "static", "nonisolated", "indirect", "var", "let", "func", "struct", "enum", "typealias",
    ]

    /// A sentence for a declaration, derived from its name.
    private static func sentence(on code: String) -> String {
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        let name = words.first { !modifiers.contains($0) } ?? ""
        if code.contains("init(from decoder") { return "Reads a value." }
        if let text = known[name] { return text }
        if words.contains("static") { return "\(capitalized(Words(name).prose))." }
        if words.contains("struct"), name.hasSuffix("Request") { return action(Words(name).words.dropLast()) }
        if words.contains("struct") || words.contains("enum") {
            return "\(capitalized(withArticle(Words(name).prose)))."
        }
        if code.contains(": Bool") { return condition(Words(name).prose, isVariable: words.contains("var")) }
        return value(Words(name).prose, isInteger: words.contains("Int"))
    }

    /// `The number of open issues.`, `When it was created.`
    private static func value(_ prose: String, isInteger: Bool) -> String {
        if prose.hasSuffix("ed at") || prose.hasSuffix("ed on") { return "When it was \(prose.dropLast(3))." }
        if isInteger, prose.hasSuffix(" count") {
            let counted = Words(words: Array(Words(prose).words.dropLast()))
            return "The number of \(counted.singular.plural.prose)."
        }
        return "The \(prose)."
    }

    /// `Whether it is archived.`, `Whether it has issues.`, `Whether to stream.`
    private static func condition(_ prose: String, isVariable: Bool) -> String {
        if prose.hasPrefix("has ") || prose.hasPrefix("can ") { return "Whether it \(prose)." }
        let isState = prose.hasPrefix("is ")
        let state = isState ? String(prose.dropFirst(3)) : prose
        if adjectives.contains(where: { state.hasSuffix($0) }) { return "Whether it is \(state)." }
        if isVariable, !isState { return "Whether to \(prose)." }
        return "Whether it is \(withArticle(state))."
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// Endings of adjectives and participles.
    private static let adjectives = [
        "ed", "able", "ible", "al", "ive", "ic", "ful", "ous", "ent", "ant", "ate", "en", "ly", "read", "valid",
        "default",
    ]

    /// `Creates an issue for a repository.`
    private static func action(_ words: [String]) -> String {
        guard let verb = words.first else { return "" }
        guard words.count > 1, EndpointName.verbs.contains(verb) else {
            return "The \(Words(words: words).prose)."
        }
        let object = Words(words: Array(words.dropFirst())).prose
        let needsE = ["s", "sh", "ch", "x"].contains { verb.hasSuffix($0) }
        let thirdPerson = capitalized(verb) + (needsE ? "es" : "s")
        if object.isEmpty { return "\(thirdPerson)." }
        let isOfSeveral = ["list", "search", "find"].contains(verb)
        return "\(thirdPerson) \(isOfSeveral ? object : withArticle(object))."
    }

    private static func withArticle(_ noun: String) -> String {
        let isPlural = noun.hasSuffix("s") && Words.singular(noun) != noun
        if isPlural { return noun }
        let beginsWithVowel = "aeiou".contains(noun.prefix(1).lowercased())
        return "\(beginsWithVowel ? "an" : "a") \(noun)"
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
