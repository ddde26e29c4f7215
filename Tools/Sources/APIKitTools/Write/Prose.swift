import Foundation

/// Selects the sentences of a description's prose that a person would keep: short ones about what something is or does.
enum Prose {
    /// The maximum number of characters of a sentence that is kept. It fits in a line even in nested types.
    private static let limit = 100

    /// The maximum numbers of bytes that are read of a text, a paragraph and a sentence. They limit the time of regular
    /// expressions. A first sentence that is short enough to be kept is within them.
    private static let longestText = 20_000
    private static let longestParagraph = 2000
    private static let longestSentence = 1000

    // MARK: - Actions

    /// A sentence about what an endpoint does, in the third person: `Lists the commits of a branch.` A summary may also
    /// be a name that begins with an article. Returns nil for other sentences.
    static func action(_ sentence: String, isSummary: Bool) -> String? {
        var words = sentence.split(separator: " ").map(String.init)
        if ["A", "An", "The"].contains(words.first) {
            return isSummary && isName(words) ? sentence : nil
        }
        // An adverb may precede the verb: `Permanently deletes …`.
        let hasAdverb = words.first?.hasSuffix("ly") == true
        let position = hasAdverb ? 1 : 0
        guard words.count > position + 1, let verb = thirdPerson(words[position]) else { return nil }
        words[position] = verb
        makeSecondVerbThirdPerson(afterFirstAt: position, in: &words)
        return asList(words.joined(separator: " "))
    }

    /// Whether words that begin with an article are only a name: a verb such as "is" would make them a statement.
    private static func isName(_ words: [String]) -> Bool {
        !words.prefix(4).contains { word in
            ["is", "are", "will", "can"].contains(word) || word.hasPrefix("`")
        }
    }

    /// Conjugates a second verb: `Creates or update` becomes `Creates or updates`.
    private static func makeSecondVerbThirdPerson(afterFirstAt position: Int, in words: inout [String]) {
        guard words.count > position + 2, ["and", "or"].contains(words[position + 1]) else { return }
        if let verb = thirdPerson(words[position + 2]) { words[position + 2] = verb }
    }

    /// The sentence with a capital. `returns a list of users.` becomes `Lists users.`
    private static func asList(_ sentence: String) -> String {
        for start in ["returns a list of ", "gets a list of ", "retrieves a list of "] where sentence.hasPrefix(start) {
            return "Lists \(sentence.dropFirst(start.count))"
        }
        return capitalized(sentence)
    }

    private static func capitalized(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// The object of a sentence that only says what is returned: `Lists the rates of a currency.` becomes `The rates of
    /// a currency.` Other sentences stay as they are.
    static func result(_ sentence: String) -> String {
        let parts = sentence.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count > 2 else { return sentence }
        let returns = ["Gets", "Lists", "Retrieves", "Returns", "Fetches", "Shows"].contains(parts[0])
        let hasArticle = ["a", "an", "the"].contains(parts[1])
        return returns && hasArticle ? "\(capitalized(parts[1])) \(parts[2])" : sentence
    }

    /// The third person of a verb: `creates` for `Create` and `creates`. Nil if the word is not a known verb.
    static func thirdPerson(_ word: String) -> String? {
        let word = word.lowercased()
        if EndpointName.verbs.contains(word) { return conjugated(word) }
        guard word.hasSuffix("s") else { return nil }
        // `creates`, `pushes`, `applies`
        let bases = [String(word.dropLast()), String(word.dropLast(2)), word.dropLast(3) + "y"]
        return bases.contains(where: EndpointName.verbs.contains) ? word : nil
    }

    private static func conjugated(_ verb: String) -> String {
        if verb.hasSuffix("y"), let letter = verb.dropLast().last, !"aeiou".contains(letter) {
            return verb.dropLast() + "ies"
        }
        let needsE = ["s", "sh", "ch", "x", "o"].contains { verb.hasSuffix($0) }
        return verb + (needsE ? "es" : "s")
    }

    // MARK: - What is kept

    /// The sentence, shortened; nil if it is too long or does not say what something is. Sentences about permissions,
    /// plans, recommendations or further reading, for example, are not kept.
    static func kept(_ sentence: String) -> String? {
        guard sentence.utf8.count <= longestSentence else { return nil }
        let plain = shortened(sentence)
        let lower = plain.lowercased()
        let isNoise = noise.contains { lower.contains($0) }
        let isContinuation = plain.first?.isLowercase == true
        if isNoise || isContinuation || hasMuchCode(plain) || plain.count > limit { return nil }
        return sentenceCase(plain)
    }

    /// A sentence without phrases, adjectives and remarks in parentheses that add nothing to its meaning.
    private static func shortened(_ sentence: String) -> String {
        var text = sentence
        if has(text, "(") { text = text.replacing(/\s*\((?![^)]*(?:\d|in |second|byte))[^)]*\)/, with: "") }
        for words in padding where text.contains(words) { text = text.replacing(words, with: "") }
        guard emptyAdjectives.contains(where: { text.contains($0) }) else { return text }
        return text.replacing(/\b([Aa])n? (?:new|single|specific|existing|given) (?=(\w))/) { match in
            let beginsWithVowel = "aeioAEIO".contains(match.2)
            return "\(match.1)\(beginsWithVowel ? "n" : "") "
        }
    }

    /// Adjectives after an article that add nothing.
    private static let emptyAdjectives = [" new ", " single ", " specific ", " existing ", " given "]

    /// Whether a text has an ASCII character. A regular expression is compiled at each use, so it is only used if the
    /// text has a character that it needs.
    private static func has(_ text: String, _ character: Unicode.Scalar) -> Bool {
        text.utf8.contains(UInt8(ascii: character))
    }

    private static let padding = [
        " identified in the path", " specified in the path", " specified in the request", " used to make the request",
        " belonging to the account used to make the request", " for the account making the request", "an instance of ",
        "the details of ", "the list of ", "a list of ", ", may be null",
    ]

    /// Whether a sentence has more than two names in backticks, or a name with an underscore outside of them.
    private static func hasMuchCode(_ sentence: String) -> Bool {
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        let backticks = parts.count - 1
        if backticks > 4 { return true }
        // Every second part is in backticks.
        return parts.enumerated().contains { index, part in
            index.isMultiple(of: 2) && part.contains("_")
        }
    }

    private static let noise = [
        "scope", "permission", "beta", "preview", " plan", "access token", "oauth", "deprecat", "default", "http",
        "see ", "for more", "for details", "learn more", "read more", "one of", " values", "docs", "documentation",
        "please", "note that", "note:", "you", "we ", " us ", "endpoint", "opt in", "optional", "required",
        "request to", "this method", "this object", "this resource", "this request", "must ", "currently", "recommend",
        "enterprise", "for example", "$", "representing", "conditional", "the response", "response from", "callers",
        "header", "*", " object", "information about",
    ]

    /// The sentence in lower case, if it is written like a title: `Retrieves an Existing App.` becomes `Retrieves an
    /// existing app.`
    private static func sentenceCase(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        let longWords = words.dropFirst().filter { $0.count > 3 }
        let isTitle = longWords.count > 1 && longWords.allSatisfy { $0.first?.isLowercase != true }
        guard isTitle else { return text }
        let others = words.dropFirst().map { word in
            let hasOwnCapitals = word.dropFirst().contains(where: \.isUppercase)
            return hasOwnCapitals ? word : word.lowercased()
        }
        return ([words[0]] + others).joined(separator: " ")
    }

    private static let precise = Set(
        """
        base64 between byte bytes case cent cents characters comma days degrees digits e exclusive format
        formatted hex hours html inclusive insensitive iso json lowercase markdown max maximum meters
        milliseconds min minimum minutes months ms null otherwise percent percentage pixels rfc seconds
        sensitive unix unless uppercase utc weeks yyyy gb gib mb mib kb kib
        """.split { $0.isWhitespace }.map(String.init))

    /// Whether a sentence about a property specifies a unit, a limit or a format, which its type and name do not show.
    static func isPrecise(_ sentence: String) -> Bool {
        !precise.isDisjoint(with: Words(sentence).words)
            || ["at most", "at least", "up to", "currency unit"].contains { sentence.contains($0) }
    }

    // MARK: - Sentences

    private static let markup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]

    /// The first sentences of the first three paragraphs, without markup. A list, a table or code ends the prose.
    static func sentences(of text: String) -> [String] {
        var found: [String] = []
        var paragraph: [String] = []
        let start = prefix(of: text, longestText)
        for line in "\(start)\n".split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            let isMarkup = markup.contains { line.hasPrefix($0) }
            guard line.isEmpty || isMarkup else {
                paragraph.append(line)
                continue
            }
            if let sentence = firstSentence(of: paragraph) { found.append(sentence) }
            paragraph = []
            let isTitle = found.isEmpty && line.hasPrefix("#")
            let endsProse = isMarkup && !isTitle
            if endsProse || found.count == 3 { break }
        }
        return found
    }

    private static func firstSentence(of paragraph: [String]) -> String? {
        let start = prefix(of: paragraph.joined(separator: " "), longestParagraph)
        return sentences(in: withoutMarkup(start)).first
    }

    /// The beginning of a text, with a maximum number of bytes.
    private static func prefix(of text: String, _ length: Int) -> String {
        guard text.utf8.count > length else { return text }
        return String(decoding: text.utf8.prefix(length), as: UTF8.self)
    }

    private static let plainTexts = [
        (sign: "&quot;", plain: "\""), (sign: "&lt;", plain: "<"), (sign: "&gt;", plain: ">"),
        (sign: "&amp;", plain: "&"), (sign: "**", plain: ""), (sign: "__", plain: ""), (sign: "*/", plain: "* /"),
        (sign: "``", plain: "`"),
    ]

    /// The paragraph without HTML and emphasis, and with the texts of links in place of the links.
    private static func withoutMarkup(_ paragraph: String) -> String {
        var text = withoutLinks(paragraph)
        if has(text, "<") { text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "") }
        if has(text, "_") { text = text.replacing(/(^|\W)_([^_]+)_(?=\W|$)/) { "\($0.1)\($0.2)" } }
        if has(text, "*") {
            text = text.replacing(/(^|[\s(])\*([^*\s`][^*]*)\*(?=\W|$)/) { "\($0.1)\($0.2)" }
        }
        if has(text, "\\") { text = text.replacing(/\\([-_*.#`])/) { String($0.1) } }
        for (sign, plain) in plainTexts where text.contains(sign) { text = text.replacing(sign, with: plain) }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Replaces links and images by their texts: `[a guide](https://example.com)` becomes `a guide`.
    ///
    /// Brackets are searched by hand: a regular expression would search the rest of the text again for each bracket
    /// without an end.
    private static func withoutLinks(_ text: String) -> String {
        guard has(text, "[") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
            let afterText = rest.index(after: close)
            let target = rest[afterText...]
            guard target.first == "(", let end = target.firstIndex(of: ")") else {
                result += rest[..<afterText]
                rest = target
                continue
            }
            let before = rest[..<open]
            let isImage = before.last == "!"
            result += isImage ? before.dropLast() : before
            result += rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// The sentences of a text, each with a capital and a full stop.
    private static func sentences(in text: String) -> [String] {
        var sentences: [Substring] = []
        var start = text.startIndex
        var position = start
        while let stop = text[position...].firstRange(of: ". ")?.lowerBound {
            position = text.index(after: stop)
            guard endsSentence(text, start, stop) else { continue }
            sentences.append(text[start...stop])
            start = text.index(after: position)
        }
        sentences.append(text[start...])
        return sentences.compactMap(completed)
    }

    private static let abbreviations = ["e.g", "i.e", "etc", "vs", "incl"]

    /// Whether a full stop ends the sentence that begins at `start`: not if a lowercase letter follows, if it belongs
    /// to an abbreviation, or inside of parentheses.
    private static func endsSentence(_ text: String, _ start: String.Index, _ stop: String.Index) -> Bool {
        let next = text[stop...].dropFirst(2).first ?? "a"
        if next.isLowercase { return false }
        if abbreviations.contains(where: { text[..<stop].hasSuffix($0) }) { return false }
        let sentence = text[start..<stop]
        let isInBrackets = sentence.count { $0 == "(" } > sentence.count { $0 == ")" }
        return !isInBrackets
    }

    /// The sentence with a capital and a full stop; nil if the text is not a sentence.
    private static func completed(_ sentence: Substring) -> String? {
        // A single word is not a sentence, and a text with a colon at its end introduces a list or code.
        guard sentence.contains(" "), let last = sentence.last, last != ":" else { return nil }
        let firstWord = sentence.prefix { $0 != " " }
        let isPlainWord = firstWord.allSatisfy { $0.isLowercase || $0 == "," }
        let text = isPlainWord ? capitalized(sentence) : String(sentence)
        let isQuoted = "\"')".contains(last)
        let end = isQuoted ? sentence.dropLast().last ?? last : last
        return ".!?".contains(end) ? text : "\(text)."
    }
}
