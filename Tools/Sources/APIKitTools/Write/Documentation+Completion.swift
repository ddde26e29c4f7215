extension Documentation {
    /// Adds a comment to each public declaration in lines of code that has none. The comment is derived from the name:
    ///
    ///     /// The HTML URL.
    ///     public var htmlURL: String
    static func completed(_ lines: [String]) -> [String] {
        var result: [String] = []
        for line in lines {
            let code = line.drop { $0 == " " }
            let indentation = line.prefix(line.count - code.count)
            if code.hasPrefix("associatedtype") {
                // The only associated type in generated code is `Failure` in the protocol of endpoints. It never has a
                // comment yet, and is public without the modifier.
                result.append(indentation + Lines.comment("The failure that the API reports."))
            } else if code.hasPrefix("public "), !code.hasPrefix("public import") {
                // A comment stands before the attributes of its declaration.
                let hasAttribute = result.last?.trimmed.hasPrefix("@") == true
                let index = hasAttribute ? result.count - 1 : result.count
                if !isComment(before: index, in: result) {
                    result.insert(indentation + Lines.comment(sentence(on: String(code))), at: index)
                }
            }
            result.append(line)
        }
        return result
    }

    private static func isComment(before index: Int, in lines: [String]) -> Bool {
        index > 0 && lines[index - 1].trimmed.hasPrefix("///")
    }

    /// The sentences for names that many APIs and the library's protocols use.
    private static let knownSentences = [
        "Response": "The response.", "Failure": "The failure.", "base": "The API.", "method": "The method.",
        "path": "The path.", "headers": "The headers.", "query": "The query.", "parameters": "The parameters.",
        "body": "The body.", "idempotencyKey": "Identifies the request if it is sent again.",
        "next": "The request for the next page.", "parameterNode": "The value as a parameter.",
        "rawValue": "The text in JSON.", "init": "Creates a value.", "encode": "Encodes the value.",
        "process": "Reads the response.", "acceptedTypes": "The types in the `Accept` header.",
        "pageLink": "The link to a page, if it is not the first.", "perPage": "The number of items on a page.",
        "pageSize": "The number of items on a page.", "limit": "The number of items on a page.",
        "sort": "What the results are sorted by.", "direction": "In which direction the results are sorted.",
        "decoder": "The decoder.", "options": "The request needs no credential.", "subscript": "A member of the value.",
    ]

    /// The words before the name of a declaration.
    private static let keywords: Set = [
        "public", "static", "nonisolated", "indirect", "var", "let", "func", "struct", "enum", "typealias",
    ]

    /// A sentence about a declaration, derived from its name:
    ///
    ///     public static let soldOut = …            Sold out.
    ///     public struct CreateIssueRequest: …      Creates an issue.
    ///     public struct Issue: …                   An issue.
    ///     public var isLocked: Bool                Whether it is locked.
    ///     public let createdAt: Date               When it was created.
    private static func sentence(on code: String) -> String {
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        // In `public static let soldOut`, the name is the first word that is not a keyword.
        let name = words.first { !keywords.contains($0) } ?? ""
        if code.contains("init(from decoder") { return "Reads a value." }
        if let sentence = knownSentences[name] { return sentence }
        if words.contains("static") { return "\(Prose.capitalized(Words(name).prose))." }
        let isEndpoint = words.contains("struct") && name.hasSuffix("Request")
        if isEndpoint { return sentence(onEndpoint: Words(name).words.dropLast()) }
        let isType = words.contains("struct") || words.contains("enum")
        if isType { return "\(Prose.capitalized(withArticle(Words(name).prose)))." }
        if code.contains(": Bool") { return sentence(onBool: Words(name).prose, isVariable: words.contains("var")) }
        return sentence(onValue: Words(name).prose, isInteger: words.contains("Int"))
    }

    /// A sentence about a property that is not a Bool, from the words of its name:
    ///
    ///     created at              When it was created.
    ///     open issue count        The number of open issues.
    ///     title                   The title.
    private static func sentence(onValue name: String, isInteger: Bool) -> String {
        if name.hasSuffix("ed at") || name.hasSuffix("ed on") { return "When it was \(name.dropLast(3))." }
        if isInteger, name.hasSuffix(" count") {
            let counted = Words(words: Array(Words(name).words.dropLast()))
            // The noun may be in the plural already, as in `issues count`. The plural of a plural would be wrong.
            let plural = counted.singular.plural
            return "The number of \(plural.prose)."
        }
        return "The \(name)."
    }

    /// A sentence about a Bool, from the words of its name:
    ///
    ///     has issues      Whether it has issues.
    ///     archived        Whether it is archived.
    ///     is fork         Whether it is a fork.
    ///     stream          Whether to stream.
    ///
    /// A name after "is" that does not end like an adjective is a noun, which gets an article. The last form is for
    /// variables without "is" only: a caller sets them, so they may be named after an action.
    private static func sentence(onBool name: String, isVariable: Bool) -> String {
        if name.hasPrefix("has ") || name.hasPrefix("can ") { return "Whether it \(name)." }
        let beginsWithIs = name.hasPrefix("is ")
        let state = beginsWithIs ? String(name.dropFirst(3)) : name
        let isAdjective = endingsOfAdjectives.contains { state.hasSuffix($0) }
        if isAdjective { return "Whether it is \(state)." }
        if isVariable, !beginsWithIs { return "Whether to \(name)." }
        return "Whether it is \(withArticle(state))."
    }

    /// Endings of adjectives and participles, and adjectives with other endings.
    private static let endingsOfAdjectives = [
        "ed", "able", "ible", "al", "ive", "ic", "ful", "ous", "ent", "ant", "ate", "en", "ly", "read", "valid",
        "default",
    ]

    /// A sentence about an endpoint, from the words of its name:
    ///
    ///     create issue      Creates an issue.
    ///     list issues       Lists issues.
    ///     issue             The issue.
    private static func sentence(onEndpoint words: [String]) -> String {
        guard let verb = words.first else { return "" }
        let hasObject = words.count > 1
        guard hasObject, verb.mayBe(.verb) else {
            return "The \(Words(words: words).prose)."
        }
        let object = Words(words: Array(words.dropFirst())).prose
        let needsE = ["s", "sh", "ch", "x"].contains { verb.hasSuffix($0) }
        let thirdPerson = Prose.capitalized(verb) + (needsE ? "es" : "s")
        // The objects of these verbs are in the plural, which has no indefinite article.
        let hasPluralObject = verb.mayBe(.several)
        return "\(thirdPerson) \(hasPluralObject ? object : withArticle(object))."
    }

    /// A noun with an indefinite article, `an issue`; a plural stays as it is.
    private static func withArticle(_ noun: String) -> String {
        let isPlural = noun.hasSuffix("s") && Words.singular(noun) != noun
        if isPlural { return noun }
        let beginsWithVowel = "aeiou".contains(noun.prefix(1).lowercased())
        return "\(beginsWithVowel ? "an" : "a") \(noun)"
    }
}
