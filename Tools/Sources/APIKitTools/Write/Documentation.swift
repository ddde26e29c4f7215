/// Documentation comments, from the prose of a description: one sentence, or none if the name says the same.
///
/// Where each declaration needs a comment, since it is public, there are no names to compare with.
enum Documentation {
    /// The comment on an endpoint.
    static func action(_ texts: [String?], isGet: Bool = true, names: [String] = []) -> [String] {
        let sentences = texts.compactMap(\.self).enumerated().flatMap { index, text in
            Prose.sentences(of: text).compactMap { sentence in
                let text = Prose.action(sentence, isSummary: index == 0)
                return isGet ? text.map(Prose.result) : text
            }
        }
        let asks = { (text: String) in Words(text).words.first.map(synonym) ?? "get" == "get" }
        // What a request returns is not what it does.
        let kept = sentences.filter { isGet || names.isEmpty || !asks($0) }
        return line(kept, isGet && !names.isEmpty ? names + ["get"] : names)
    }

    /// The comment on a type or a value.
    static func summary(_ text: String?, names: [String] = []) -> [String] {
        line(text.map { Prose.sentences(of: $0).prefix(1) } ?? [], names)
    }

    /// The comment on a property, whose deprecation the compiler would report in the code of its type. Where the name
    /// is enough for a reader, it is for a unit, a limit or a format.
    static func property(_ property: Property, names: [String] = []) -> [String] {
        if property.type == "UUID" { return [] }
        var lines: [String] = []
        if names.isEmpty {
            lines = summary(property.schema.documentation)
        } else if needsWords(property) {
            lines = summary(property.schema.documentation, names: names + [property.name])
            if !lines.contains(where: Prose.isPrecise) { lines = [] }
        }
        return property.schema.isDeprecated ? deprecated(lines) : lines
    }

    private static func needsWords(_ property: Property) -> Bool {
        switch property.schema.core.kind {
        case .string, .integer, .number:
            let section = MemberOrder(property.wireName, property.schema.kind, isParameter: true).section
            return section == .content || section == .title
        default: return false
        }
    }

    private static func line(_ sentences: some Sequence<String>, _ names: [String]) -> [String] {
        for sentence in sentences {
            guard let text = Prose.kept(sentence), saysMore(text, than: names) else { continue }
            return ["/// \(text)"]
        }
        return []
    }

    /// A comment that says that its declaration is deprecated, if it does not yet.
    static func deprecated(_ lines: [String]) -> [String] {
        let isKnown = lines.contains { $0.lowercased().contains("deprecated") }
        return lines + (isKnown ? [] : lines.isEmpty ? ["/// Deprecated."] : ["///", "/// Deprecated."])
    }

    private static let smallWords = Set(
        """
        a about all an and any at available belonging by can compact complete data detail existing field for from full
        given has have in information into is it its list multiple new object of on one or parameter particular
        properties record representation requested resource s single specific specified that the their this to using
        value was which with
        """.split { $0.isWhitespace }.map(String.init))

    /// Words that say the same in names and sentences.
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

    /// Lines of code without comments that others have, too.
    static func withoutRepetitions(_ lines: [String]) -> [String] {
        var seen: Set<String> = []
        return lines.filter { !$0.hasPrefix("/// ") || seen.insert($0).inserted || $0 == "/// Deprecated." }
    }

    /// Whether a sentence has words that names do not.
    private static func saysMore(_ sentence: String, than names: [String]) -> Bool {
        guard !names.isEmpty else { return true }
        let words = { (text: String) in Set(Words(text).words.map(synonym)) }
        return !words(sentence).subtracting(smallWords).isSubset(of: Set(names.flatMap { words($0) }))
    }

    /// Lines of public code with a comment on each declaration that has none.
    static func completed(_ lines: [String]) -> [String] {
        var result: [String] = []
        for line in lines {
            let code = line.drop { $0 == " " }
            // The comment stands before an attribute.
            let index = result.count - (result.last?.trimmed.hasPrefix("@") == true ? 1 : 0)
            let isCommented = index > 0 && result[index - 1].trimmed.hasPrefix("///")
            if code.hasPrefix("public "), !code.hasPrefix("public import"), !isCommented {
                let comment = "\(line.prefix(line.count - code.count))/// \(words(for: String(code)))"
                result.insert(comment, at: index)
            } else if code.hasPrefix("associatedtype") {
                result.append("    /// The failure that the API reports.")
            }
            result.append(line)
        }
        return result
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

    /// What is said of a declaration, by its name.
    private static func words(for code: String) -> String {
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        let modifiers = [
            "public", "static", "nonisolated", "indirect", "var", "let", "func", "struct", "enum", "typealias",
        ]
        let name = words.first { !modifiers.contains($0) } ?? ""
        if code.contains("init(from decoder") { return "Reads a value." }
        if let text = known[name] { return text }
        let prose = Words(name).prose
        if words.contains("static") { return "\(prose.prefix(1).uppercased())\(prose.dropFirst())." }
        if words.contains("struct"), name.hasSuffix("Request") { return action(Words(name).words.dropLast()) }
        if words.contains("struct") || words.contains("enum") {
            return "\(withArticle(prose).prefix(1).uppercased())\(withArticle(prose).dropFirst())."
        }
        if !code.contains(": Bool"), prose.hasSuffix("ed at") || prose.hasSuffix("ed on") {
            return "When it was \(prose.dropLast(3))."
        }
        if prose.hasSuffix(" count"), words.contains("Int") {
            let counted = Words(prose).words.dropLast()
            return "The number of \(Words(words: Array(counted)).singular.plural.prose)."
        }
        guard code.contains(": Bool") else { return "The \(prose)." }
        if ["has ", "can "].contains(where: { prose.hasPrefix($0) }) { return "Whether it \(prose)." }
        let state = prose.hasPrefix("is ") ? String(prose.dropFirst(3)) : prose
        if adjectives.contains(where: { state.hasSuffix($0) }) { return "Whether it is \(state)." }
        return words.contains("var") && state == prose ? "Whether to \(prose)." : "Whether it is \(withArticle(state))."
    }

    /// How adjectives and participles end.
    private static let adjectives = [
        "ed", "able", "ible", "al", "ive", "ic", "ful", "ous", "ent", "ant", "ate", "en", "ly", "read", "valid",
        "default",
    ]

    /// `Creates an issue for a repository.`
    private static func action(_ words: [String]) -> String {
        guard let verb = words.first else { return "" }
        guard EndpointName.verbs.contains(verb), words.count > 1 else {
            let prose = Words(words: words).prose
            return "The \(prose)."
        }
        let object = Words(words: Array(words.dropFirst())).prose
        let isSeveral = ["list", "search", "find"].contains(verb)
        let ending = ["s", "sh", "ch", "x"].contains { verb.hasSuffix($0) } ? "es" : "s"
        let text = object.isEmpty ? "" : " \(isSeveral ? object : withArticle(object))"
        return "\(verb.prefix(1).uppercased())\(verb.dropFirst())\(ending)\(text)."
    }

    private static func withArticle(_ noun: String) -> String {
        let isPlural = noun.hasSuffix("s") && Words.singular(noun) != noun
        return isPlural ? noun : "\("aeiou".contains(noun.prefix(1).lowercased()) ? "an" : "a") \(noun)"
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
