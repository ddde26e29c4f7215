import Foundation

/// What a person would keep of the prose of a description: short sentences about what something is or does.
enum Prose {
    /// The longest sentence that is kept: it fits in a line, also in types inside of others.
    private static let limit = 100

    /// How many bytes of a text, of a paragraph and of a sentence are read. The first sentence of a paragraph is in
    /// them, if it is short enough to be kept, and no regular expression has to search more.
    private static let (longestText, longestParagraph, longestSentence) = (20_000, 2000, 1000)

    /// What an endpoint does, in the third person, as in `Lists the commits of a branch.`, or is, if that is a summary;
    /// nil for other sentences.
    static func action(_ sentence: String, isSummary: Bool) -> String? {
        var words = sentence.split(separator: " ").map(String.init)
        if ["A", "An", "The"].contains(words.first) {
            let isName = !words.prefix(4).contains { ["is", "are", "will", "can"].contains($0) || $0.hasPrefix("`") }
            return isSummary && isName ? sentence : nil
        }
        let lead = words.first.map { $0.hasSuffix("ly") ? 1 : 0 } ?? 0
        guard words.count > lead + 1, let verb = thirdPerson(words[lead]) else { return nil }
        words[lead] = verb
        if ["and", "or"].contains(words[lead + 1]), words.count > lead + 2, let next = thirdPerson(words[lead + 2]) {
            words[lead + 2] = next
        }
        let text = words.joined(separator: " ")
        for start in ["returns a list of ", "gets a list of ", "retrieves a list of "] where text.hasPrefix(start) {
            return "Lists \(text.dropFirst(start.count))"
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// What is returned, if that is all that a sentence says: `The rates of a currency.` of `Lists the rates of a
    /// currency.`
    static func result(_ sentence: String) -> String {
        let words = sentence.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 2, ["Gets", "Lists", "Retrieves", "Returns", "Fetches", "Shows"].contains(words[0]),
            ["a", "an", "the"].contains(words[1])
        else { return sentence }
        return "\(words[1].prefix(1).uppercased())\(words[1].dropFirst()) \(words[2])"
    }

    /// `creates` of `Create` and of `creates`; nil if the word is no verb that operations begin with.
    static func thirdPerson(_ word: String) -> String? {
        let word = word.lowercased()
        if EndpointName.verbs.contains(word) {
            if word.hasSuffix("y"), word.dropLast().last.map({ !"aeiou".contains($0) }) == true {
                return word.dropLast() + "ies"
            }
            return word + (["s", "sh", "ch", "x", "o"].contains { word.hasSuffix($0) } ? "es" : "s")
        }
        let bases = [(1, ""), (2, ""), (3, "y")].map { String(word.dropLast($0.0)) + $0.1 }
        return word.hasSuffix("s") && bases.contains(where: EndpointName.verbs.contains) ? word : nil
    }

    /// A sentence that fits in a line and says what something is: not who may call it and how, what the service plans
    /// or recommends, or where to read on.
    static func kept(_ sentence: String) -> String? {
        guard sentence.utf8.count <= longestSentence else { return nil }
        let plain = shortened(sentence)
        let lower = plain.lowercased()
        guard plain.count <= limit, plain.first?.isLowercase != true, !hasCode(plain),
            plain.count(where: { $0 == "`" }) < 5, !noise.contains(where: { lower.contains($0) })
        else { return nil }
        return sentenceCase(plain)
    }

    /// A sentence without what adds nothing to it.
    private static func shortened(_ sentence: String) -> String {
        var text = sentence
        if has(text, "(") { text = text.replacing(/\s*\((?![^)]*(?:\d|in |second|byte))[^)]*\)/, with: "") }
        for tail in padding where text.contains(tail) { text = text.replacing(tail, with: "") }
        guard adjectives.contains(where: { text.contains($0) }) else { return text }
        return text.replacing(/\b([Aa])n? (?:new|single|specific|existing|given) (?=(\w))/) { match in
            "\(match.1)\("aeioAEIO".contains(match.2) ? "n" : "") "
        }
    }

    /// Adjectives after an article that add nothing.
    private static let adjectives = [" new ", " single ", " specific ", " existing ", " given "]

    /// Whether a text has a character of ASCII: a regular expression, which is compiled at each use, needs it.
    private static func has(_ text: String, _ character: Unicode.Scalar) -> Bool {
        text.utf8.contains(UInt8(ascii: character))
    }

    private static let padding = [
        " identified in the path", " specified in the path", " specified in the request", " used to make the request",
        " belonging to the account used to make the request", " for the account making the request", "an instance of ",
        "the details of ", "the list of ", "a list of ", ", may be null",
    ]

    /// Whether names of code stand in a sentence as if they were words.
    private static func hasCode(_ sentence: String) -> Bool {
        sentence.split(separator: "`", omittingEmptySubsequences: false).enumerated().contains { index, part in
            index % 2 == 0 && part.contains("_")
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

    /// `Retrieves an existing app.` of `Retrieves an Existing App.`
    private static func sentenceCase(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        let long = words.dropFirst().filter { $0.count > 3 }
        guard long.count > 1, long.allSatisfy({ $0.first?.isLowercase != true }) else { return text }
        return words.enumerated().map { index, word in
            index > 0 && !word.dropFirst().contains(where: \.isUppercase) ? word.lowercased() : word
        }.joined(separator: " ")
    }

    private static let precise = Set(
        """
        base64 between byte bytes case cent cents characters comma days degrees digits e exclusive format
        formatted hex hours html inclusive insensitive iso json lowercase markdown max maximum meters
        milliseconds min minimum minutes months ms null otherwise percent percentage pixels rfc seconds
        sensitive unix unless uppercase utc weeks yyyy gb gib mb mib kb kib
        """.split { $0.isWhitespace }.map(String.init))

    /// Whether a sentence about a property says more than its type and its name: a unit, a limit or a format.
    static func isPrecise(_ sentence: String) -> Bool {
        !precise.isDisjoint(with: Words(sentence).words)
            || ["at most", "at least", "up to", "currency unit"].contains { sentence.contains($0) }
    }

    // MARK: - Sentences

    private static let markup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]

    /// The first sentences of the first three paragraphs of a text, without markup, until a list, a table or code.
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
            let start = prefix(of: paragraph.joined(separator: " "), longestParagraph)
            found += sentences(in: withoutMarkup(start)).prefix(1)
            paragraph = []
            if found.count == 3 || isMarkup && !(found.isEmpty && line.hasPrefix("#")) { break }
        }
        return found
    }

    /// Links as their texts, and neither HTML nor emphasis.
    private static func withoutMarkup(_ paragraph: String) -> String {
        var text = withoutLinks(paragraph)
        if has(text, "<") { text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "") }
        if has(text, "_") { text = text.replacing(/(^|\W)_([^_]+)_(?=\W|$)/) { "\($0.1)\($0.2)" } }
        if has(text, "*") {
            text = text.replacing(/(^|[\s(])\*([^*\s`][^*]*)\*(?=\W|$)/) { "\($0.1)\($0.2)" }
        }
        if has(text, "\\") { text = text.replacing(/\\([-_*.#`])/) { String($0.1) } }
        for (sign, plain) in [
            ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("**", ""), ("__", ""), ("*/", "* /"),
            ("``", "`"),
        ] where text.contains(sign) { text = text.replacing(sign, with: plain) }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The beginning of a text that has so many bytes at most.
    private static func prefix(of text: String, _ length: Int) -> String {
        guard text.utf8.count > length else { return text }
        return String(decoding: text.utf8.prefix(length), as: UTF8.self)
    }

    /// Links and images, as in `[a guide](https://example.com)`, as their texts. A bracket that has no end is met once,
    /// not once for each bracket before it.
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
            result += before.last == "!" ? before.dropLast() : before
            result += rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    /// Sentences with capitals and full stops. One ends at a full stop with a capital after it, unless that is an
    /// abbreviation.
    private static func sentences(in text: String) -> [String] {
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
            guard sentence.contains(" "), let last = sentence.last, last != ":" else { return nil }
            let isWord = sentence.prefix { $0 != " " }.allSatisfy { $0.isLowercase || $0 == "," }
            let capitalized = isWord ? sentence.prefix(1).uppercased() + sentence.dropFirst() : sentence
            let end = "\"')".contains(last) ? sentence.dropLast().last ?? last : last
            return ".!?".contains(end) ? capitalized : "\(capitalized)."
        }
    }
}
