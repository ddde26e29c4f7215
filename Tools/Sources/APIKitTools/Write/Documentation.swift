/// Documentation comments, from the prose of a description.
enum Documentation {
    /// How long a paragraph becomes, unless its first sentence is longer.
    private static let limit = 340

    /// A comment of at most two paragraphs from several texts, without what the names of the declaration say already.
    static func comment(_ texts: [String?], depth: Int, names: [String] = []) -> [String] {
        var seen: Set<String> = []
        var paragraphs: [String] = []
        for sentences in texts.compactMap({ $0 }).flatMap(paragraphs(of:)) where paragraphs.count < 2 {
            var paragraph = ""
            for sentence in sentences where seen.insert(sentence).inserted && saysMore(sentence, than: names) {
                guard paragraph.isEmpty || paragraph.count + sentence.count < limit else { break }
                paragraph += (paragraph.isEmpty ? "" : " ") + sentence
            }
            if !paragraph.isEmpty { paragraphs.append(paragraph) }
        }
        let comments = paragraphs.map { paragraph in
            wrapped(paragraph, width: Lines.width - 4 - depth * 4).map { "/// \($0)" }
        }
        return Array(comments.joined(separator: ["///"]))
    }

    /// The first sentence as a comment.
    static func summary(_ text: String?, depth: Int, names: [String] = []) -> [String] {
        guard let text, let first = paragraphs(of: text).first?.first, saysMore(first, than: names) else { return [] }
        return wrapped(first, width: Lines.width - 4 - depth * 4).map { "/// \($0)" }
    }

    /// The comment on a property, whose deprecation the compiler would report in the code of its type.
    static func summary(_ property: Property, depth: Int, names: [String] = []) -> [String] {
        let lines = summary(property.schema.documentation, depth: depth, names: names + [property.name])
        return property.schema.isDeprecated ? deprecated(lines) : lines
    }

    /// A comment that says that its declaration is deprecated, if it does not yet.
    static func deprecated(_ lines: [String]) -> [String] {
        let isKnown = lines.contains { $0.lowercased().contains("deprecated") }
        return lines + (isKnown ? [] : lines.isEmpty ? ["/// Deprecated."] : ["///", "/// Deprecated."])
    }

    // MARK: - Prose

    private static let markup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]

    /// The sentences of the first three paragraphs of a text without markup, until the first heading, list, table or
    /// code.
    private static func paragraphs(of text: String) -> [[String]] {
        var paragraphs: [[String]] = []
        var current: [String] = []
        for line in "\(text)\n".split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            let isMarkup = markup.contains { line.hasPrefix($0) }
            guard line.isEmpty || isMarkup else {
                current.append(line)
                continue
            }
            let found = sentences(of: withoutMarkup(current.joined(separator: " ")))
            if !found.isEmpty { paragraphs.append(found) }
            current = []
            if paragraphs.count == 3 || isMarkup && !(paragraphs.isEmpty && line.hasPrefix("#")) { break }
        }
        return paragraphs
    }

    /// Links as their texts, and neither HTML nor emphasis.
    private static func withoutMarkup(_ paragraph: String) -> String {
        var text = paragraph.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
        text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "")
        text = text.replacing(/(^|\W)_([^_]+)_(?=\W|$)/) { "\($0.1)\($0.2)" }
        text = text.replacing(/(^|[\s(])\*([^*\s`][^*]*)\*(?=\W|$)/) { "\($0.1)\($0.2)" }
        text = text.replacing(/\\([-_*.#`])/) { String($0.1) }
        for (sign, plain) in [
            ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("**", ""), ("__", ""), ("*/", "* /"),
            ("``", "`"),
        ] { text = text.replacing(sign, with: plain) }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// How sentences begin that lead to links, or list values of an enum.
    private static let fillers = [
        "For more information", "For details", "For more details", "Learn more", "Read more", "Related guide",
        "See also", "Can be one of",
        "Must be one of", "One of:", "One of `", "Possible values", "Allowed values", "Valid values",
        "Permitted values",
    ]

    /// Sentences with capitals and full stops. One ends at a full stop with a capital after it, unless that is an
    /// abbreviation.
    private static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        var start = text.startIndex
        var position = start
        while let stop = text[position...].firstRange(of: ". ")?.lowerBound {
            position = text.index(after: stop)
            let next = text[position...].dropFirst().first ?? "a"
            let isAbbreviation = ["e.g", "i.e", "etc", "vs", "incl"].contains { text[..<stop].hasSuffix($0) }
            let isInBrackets = text[start..<stop].count { $0 == "(" } > text[start..<stop].count { $0 == ")" }
            if next.isLowercase || isAbbreviation || isInBrackets { continue }
            sentences.append(String(text[start...stop]))
            start = text.index(after: position)
        }
        sentences.append(String(text[start...]))
        return sentences.compactMap { sentence in
            // What a colon leads to is not prose, and neither is one word.
            guard sentence.contains(" "), let last = sentence.last, last != ":",
                !fillers.contains(where: { sentence.hasPrefix($0) })
            else { return nil }
            let isWord = sentence.prefix { $0 != " " }.allSatisfy { $0.isLowercase || $0 == "," }
            let capitalized = isWord ? sentence.prefix(1).uppercased() + sentence.dropFirst() : sentence
            let end = "\"')".contains(last) ? sentence.dropLast().last ?? last : last
            return ".!?".contains(end) ? capitalized : "\(capitalized)."
        }
    }

    private static let smallWords: Set<String> = [
        "a", "an", "the", "of", "for", "this", "that", "is", "its", "to", "in", "on", "s", "parameter", "object",
        "field",
    ]

    /// Whether a sentence has words that names do not.
    private static func saysMore(_ sentence: String, than names: [String]) -> Bool {
        guard !names.isEmpty else { return true }
        let words = { (text: String) in Set(Words(text).words.map { Words.singular($0) }) }
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
        "body": "The body.", "next": "The request for the next page.", "parameterNode": "The value as a parameter.",
        "rawValue": "The text in JSON.", "init": "Creates a value.", "encode": "Encodes the value.",
        "process": "Reads the response.", "acceptedTypes": "The types in the `Accept` header.",
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

    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
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
