internal import Foundation

/// Selects the sentences of a description's prose that a person would keep: short ones about what something is or does.
enum Prose {
    /// The maximum number of characters of a sentence that is kept. It fits in a line even in nested types.
    private static let longestKeptSentence = 100

    /// The maximum numbers of bytes that are read of a text, a paragraph and a sentence. They limit the time of regular
    /// expressions. A first sentence that is short enough to be kept is within them.
    private static let longestReadText = 20_000
    private static let longestReadParagraph = 2000
    private static let longestReadSentence = 1000

    // MARK: - Actions

    /// Puts a sentence about what an endpoint does in the third person:
    ///
    ///     Delete a branch.                    Deletes a branch.
    ///     Permanently delete a branch.        Permanently deletes a branch.
    ///     Create or update a branch.          Creates or updates a branch.
    ///     Returns a list of branches.         Lists branches.
    ///     The current user.                   The current user.
    ///
    /// The last form, a name with an article, can only be a summary.
    ///
    /// - Returns: The sentence; nil if it has none of these forms, for example if it does not begin with a verb.
    static func action(_ sentence: String, isSummary: Bool) -> String? {
        var words = sentence.split(separator: " ").map(String.init)
        let beginsWithArticle = ["A", "An", "The"].contains(words.first)
        if beginsWithArticle {
            return isSummary && isName(words) ? sentence : nil
        }
        // An adverb may precede the verb: `Permanently deletes …`.
        let hasAdverb = words.first?.hasSuffix("ly") == true
        let verbIndex = hasAdverb ? 1 : 0
        guard words.count > verbIndex + 1, let verb = thirdPerson(words[verbIndex]) else { return nil }
        words[verbIndex] = verb
        makeSecondVerbThirdPerson(afterFirstAt: verbIndex, in: &words)
        return withoutReturnsAListOf(words.joined(separator: " "))
    }

    /// Whether words that begin with an article are only a name: a verb such as "is" would make them a statement.
    private static func isName(_ words: [String]) -> Bool {
        !words.prefix(4).contains { word in
            ["is", "are", "will", "can"].contains(word) || word.hasPrefix("`")
        }
    }

    /// Conjugates a second verb: `Creates or update` becomes `Creates or updates`. The index is that of the first verb.
    private static func makeSecondVerbThirdPerson(afterFirstAt index: Int, in words: inout [String]) {
        guard words.count > index + 2, ["and", "or"].contains(words[index + 1]) else { return }
        if let verb = thirdPerson(words[index + 2]) { words[index + 2] = verb }
    }

    /// Replaces a long beginning by the verb "Lists": `returns a list of users.` becomes `Lists users.` Other sentences
    /// only get a capital.
    private static func withoutReturnsAListOf(_ sentence: String) -> String {
        for start in ["returns a list of ", "gets a list of ", "retrieves a list of "] where sentence.hasPrefix(start) {
            return "Lists \(sentence.dropFirst(start.count))"
        }
        return capitalized(sentence)
    }

    private static func capitalized(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Removes the verb from a sentence that only says what is returned: `Gets the logo.` becomes `The logo.`
    /// Other sentences stay as they are.
    static func result(_ sentence: String) -> String {
        let parts = sentence.split(separator: " ", maxSplits: 2).map(String.init)
        guard parts.count > 2 else { return sentence }
        let isReturned = ["Gets", "Lists", "Retrieves", "Returns", "Fetches", "Shows"].contains(parts[0])
        let hasArticle = ["a", "an", "the"].contains(parts[1])
        guard isReturned, hasArticle else { return sentence }
        return "\(capitalized(parts[1])) \(parts[2])"
    }

    /// The third person of a verb: `creates` for `Create` and `creates`. Nil if the word is not a known verb.
    static func thirdPerson(_ word: String) -> String? {
        let word = word.lowercased()
        if EndpointName.verbs.contains(word) { return conjugated(word) }
        guard word.hasSuffix("s") else { return nil }
        // The verbs that the word could be the third person of.
        let possibleVerbs = [
            String(word.dropLast()),  // `creates` of `create`
            String(word.dropLast(2)),  // `pushes` of `push`
            word.dropLast(3) + "y",  // `applies` of `apply`
        ]
        let isThirdPerson = possibleVerbs.contains(where: EndpointName.verbs.contains)
        return isThirdPerson ? word : nil
    }

    /// The third person of a verb in its basic form: `creates`, `pushes`, `applies`.
    private static func conjugated(_ verb: String) -> String {
        if verb.hasSuffix("y"), let letterBeforeY = verb.dropLast().last, !"aeiou".contains(letterBeforeY) {
            return verb.dropLast() + "ies"
        }
        let needsE = ["s", "sh", "ch", "x", "o"].contains { verb.hasSuffix($0) }
        return verb + (needsE ? "es" : "s")
    }

    // MARK: - Sentences that are kept

    /// Shortens a sentence for a comment. Returns nil if the sentence is still too long, or does not say what something
    /// is: sentences about permissions, plans, recommendations or further reading, for example.
    static func kept(_ sentence: String) -> String? {
        // A sentence that is much too long is not worth the time of the regular expressions.
        guard sentence.utf8.count <= longestReadSentence else { return nil }
        let plain = shortened(sentence)
        // A part of another sentence begins with a lowercase letter.
        let isFragment = plain.first?.isLowercase == true
        let isTooLong = plain.count > longestKeptSentence
        if isFragment || isTooLong || hasMuchCode(plain) { return nil }
        // The search for many phrases takes the most time, so it is the last check.
        let lowercased = plain.lowercased()
        let isNoise = noisePhrases.contains { holds(lowercased, $0) }
        return isNoise ? nil : sentenceCase(plain)
    }

    /// Removes phrases that add nothing to the meaning of a sentence: `Gets a single app (see the guide).` becomes
    /// `Gets an app.`
    private static func shortened(_ sentence: String) -> String {
        var text = withoutRemarks(sentence)
        for phrase in emptyPhrases where holds(text, phrase) { text = text.replacing(phrase, with: "") }
        return withoutEmptyAdjectives(text)
    }

    /// Removes remarks in parentheses. One with a number or a unit stays, such as `(in seconds)` or `(up to 100)`.
    private static func withoutRemarks(_ text: String) -> String {
        guard holds(text, "(") else { return text }
        return text.replacing(/\s*\((?![^)]*(?:\d|in |second|byte))[^)]*\)/, with: "")
    }

    /// Removes an adjective that adds nothing after an indefinite article, and adapts the article to the next word:
    /// `a new app` becomes `an app`, and `an existing key` becomes `a key`.
    private static func withoutEmptyAdjectives(_ text: String) -> String {
        // Most sentences have none of the adjectives, and are not searched with the slower regular expression.
        guard emptyAdjectives.contains(where: { holds(text, $0) }) else { return text }
        // The first group is the `a` of the article, and the second one the first letter of the next word, which is not
        // replaced. A `u` is not counted as a vowel, since it mostly begins words such as `user`.
        return text.replacing(/\b([Aa])n? (?:new|single|specific|existing|given) (?=(\w))/) { match in
            let beginsWithVowel = "aeioAEIO".contains(match.2)
            return "\(match.1)\(beginsWithVowel ? "n" : "") "
        }
    }

    /// The adjectives that ``withoutEmptyAdjectives(_:)`` removes.
    private static let emptyAdjectives = [" new ", " single ", " specific ", " existing ", " given "]

    /// Whether a text contains a phrase in ASCII, by its bytes. The standard library compares characters, which takes
    /// much longer for the many phrases that are searched in each sentence.
    ///
    /// It also decides whether a regular expression is used, which is compiled at each use: only if the text has what
    /// each match begins with.
    private static func holds(_ text: String, _ phrase: String) -> Bool { strstr(text, phrase) != nil }

    private static let emptyPhrases = [
        " identified in the path", " specified in the path", " specified in the request", " used to make the request",
        " belonging to the account used to make the request", " for the account making the request", "an instance of ",
        "the details of ", "the list of ", "a list of ", ", may be null",
    ]

    /// Whether a sentence has more than two names in backticks, or a name with an underscore outside of them.
    private static func hasMuchCode(_ sentence: String) -> Bool {
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        // Each name is between two backticks, so two names have four.
        let backtickCount = parts.count - 1
        if backtickCount > 4 { return true }
        // The first part is outside of backticks, the second one inside, and so on.
        return parts.enumerated().contains { index, part in
            let isOutside = index.isMultiple(of: 2)
            return isOutside && part.contains("_")
        }
    }

    /// Texts in lower case that only appear in sentences that are not kept.
    private static let noisePhrases = [
        "scope", "permission", "beta", "preview", " plan", "access token", "oauth", "deprecat", "default", "http",
        "see ", "for more", "for details", "learn more", "read more", "one of", " values", "docs", "documentation",
        "please", "note that", "note:", "you", "we ", " us ", "endpoint", "opt in", "optional", "required",
        "request to", "this method", "this object", "this resource", "this request", "must ", "currently", "recommend",
        "enterprise", "for example", "$", "representing", "conditional", "the response", "response from", "callers",
        "header", "*", " object", "information about",
    ]

    /// Writes a title like a sentence: `Retrieves an Existing App.` becomes `Retrieves an existing app.` Other
    /// sentences stay as they are.
    ///
    /// A title has capitals in all words of more than three characters. Words with further capitals, such as `GitHub`,
    /// stay as they are.
    private static func sentenceCase(_ text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        let longWords = words.dropFirst().filter { $0.count > 3 }
        // A single word with a capital may be a name, as in `Sends to Slack.`
        let isTitle = longWords.count > 1 && !longWords.contains { $0.first?.isLowercase == true }
        guard isTitle else { return text }
        let otherWords = words.dropFirst().map { word in
            let hasOwnCapitals = word.dropFirst().contains(where: \.isUppercase)
            return hasOwnCapitals ? word : word.lowercased()
        }
        return ([words[0]] + otherWords).joined(separator: " ")
    }

    private static let preciseWords = Set(
        """
        base64 between byte bytes case cent cents characters comma days degrees digits e exclusive format
        formatted hex hours html inclusive insensitive iso json lowercase markdown max maximum meters
        milliseconds min minimum minutes months ms null otherwise percent percentage pixels rfc seconds
        sensitive unix unless uppercase utc weeks yyyy gb gib mb mib kb kib
        """.split { $0.isWhitespace }.map(String.init))

    private static let precisePhrases = ["at most", "at least", "up to", "currency unit"]

    /// Whether a sentence about a property specifies a unit, a limit or a format, which its type and name do not show.
    static func isPrecise(_ sentence: String) -> Bool {
        let hasPreciseWord = !preciseWords.isDisjoint(with: Words(sentence).words)
        return hasPreciseWord || precisePhrases.contains { holds(sentence, $0) }
    }

    // MARK: - Sentences

    /// The beginnings of lines that are not prose: titles, lists, tables, code and quotations.
    private static let markup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]

    /// Finds the first sentence of each of the first paragraphs, without markup. Titles before the first sentence are
    /// skipped. Any other markup, such as a list, a table or code, ends the prose.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of sentences. The rest of the text is not read.
    /// - Returns: The sentences.
    static func sentences(of text: String, atMost limit: Int = 3) -> [String] {
        var found: [String] = []
        var paragraph: [String] = []
        // The empty line at the end completes the last paragraph.
        var rest = (prefix(of: text, byteCount: longestReadText) + "\n\n")[...]
        // Lines are split off one by one, since the first few of a long text usually suffice.
        while let lineBreak = rest.firstIndex(where: { $0.isNewline }) {
            let line = rest[..<lineBreak].trimmed
            rest = rest[lineBreak...].dropFirst()
            let isMarkup = markup.contains { line.hasPrefix($0) }
            let endsParagraph = line.isEmpty || isMarkup
            if !endsParagraph {
                paragraph.append(line)
            } else {
                if let sentence = firstSentence(of: paragraph) { found.append(sentence) }
                paragraph = []
                let isTitleBeforeProse = found.isEmpty && line.hasPrefix("#")
                let endsProse = isMarkup && !isTitleBeforeProse
                if endsProse || found.count == limit { break }
            }
        }
        return found
    }

    /// The first sentence of a paragraph, without markup; nil if the paragraph has no complete sentence.
    private static func firstSentence(of paragraph: [String]) -> String? {
        let start = prefix(of: paragraph.joined(separator: " "), byteCount: longestReadParagraph)
        return sentences(in: withoutMarkup(start)).first
    }

    /// The beginning of a text, with a maximum number of bytes.
    private static func prefix(of text: String, byteCount: Int) -> String {
        guard text.utf8.count > byteCount else { return text }
        return String(decoding: text.utf8.prefix(byteCount), as: UTF8.self)
    }

    /// Signs that are replaced in prose: escaped characters of HTML, strong emphasis, and signs that would end a Swift
    /// comment or a name in backticks. For example, `&lt;` becomes `<`.
    private static let replacedSigns = [
        (sign: "&quot;", plain: "\""), (sign: "&lt;", plain: "<"), (sign: "&gt;", plain: ">"),
        (sign: "&amp;", plain: "&"), (sign: "**", plain: ""), (sign: "__", plain: ""), (sign: "*/", plain: "* /"),
        (sign: "``", plain: "`"),
    ]

    /// Removes the markup from a paragraph: links and images are replaced by their texts, and HTML and emphasis are
    /// dropped. Each regular expression is used only if the text has the character that its matches begin with.
    private static func withoutMarkup(_ paragraph: String) -> String {
        var text = withoutLinks(paragraph)
        // `<b>bold</b>` becomes `bold`.
        if holds(text, "<") { text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "") }
        text = withoutEmphasis(text)
        // `\*` becomes `*`.
        if holds(text, "\\") { text = text.replacing(/\\([-_*.#`])/) { String($0.1) } }
        for (sign, plain) in replacedSigns where holds(text, sign) { text = text.replacing(sign, with: plain) }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Removes the signs of emphasis: `_text_` and `*text*` become `text`, but `snake_case_name` and `2 * 3 * 4` stay.
    ///
    /// In both regular expressions, the first group is what comes before the emphasis: the beginning of the text, or a
    /// character that is not part of a word. The second group is the text within.
    private static func withoutEmphasis(_ text: String) -> String {
        var text = text
        if mayHaveUnderscoresAroundText(text) {
            text = text.replacing(/(^|\W)_([^_]+)_(?=\W|$)/) { "\($0.1)\($0.2)" }
        }
        if holds(text, "*") {
            text = text.replacing(/(^|[\s(])\*([^*\s`][^*]*)\*(?=\W|$)/) { "\($0.1)\($0.2)" }
        }
        return text
    }

    /// Whether an underscore stands at the beginning of a word, unlike those in `snake_case_name`.
    private static func mayHaveUnderscoresAroundText(_ text: String) -> Bool {
        guard holds(text, "_") else { return false }
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.contains { $0.hasPrefix("_") }
    }

    /// Replaces links and images by their texts: `[a guide](https://example.com)` becomes `a guide`.
    ///
    /// Brackets are searched by hand: a regular expression would search the rest of the text again for each bracket
    /// without an end.
    private static func withoutLinks(_ text: String) -> String {
        guard holds(text, "[") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
            let before = rest[..<open]
            let brackets = rest[open...close]
            let afterBrackets = rest[close...].dropFirst()
            if afterBrackets.first == "(", let endOfTarget = afterBrackets.firstIndex(of: ")") {
                // The sign of an image, `![text](target)`, is dropped too.
                let isImage = before.last == "!"
                result += isImage ? before.dropLast() : before
                let textInBrackets = brackets.dropFirst().dropLast()
                result += textInBrackets
                rest = afterBrackets[endOfTarget...].dropFirst()
            } else {
                // Brackets without a target are not a link, and stay.
                result += before
                result += brackets
                rest = afterBrackets
            }
        }
        return result + rest
    }

    /// Splits a text into its sentences, each of which gets a capital and a full stop. Parts that are not sentences,
    /// such as single words, are left out.
    private static func sentences(in text: String) -> [String] {
        var sentences: [Substring] = []
        var start = text.startIndex
        var searchStart = text.startIndex
        while let stop = text[searchStart...].firstRange(of: ". ")?.lowerBound {
            let space = text.index(after: stop)
            if isEndOfSentence(at: stop, from: start, in: text) {
                sentences.append(text[start...stop])
                start = text.index(after: space)
            }
            searchStart = space
        }
        sentences.append(text[start...])
        return sentences.compactMap(completed)
    }

    private static let abbreviations = ["e.g", "i.e", "etc", "vs", "incl"]

    /// Whether a full stop with a space after it ends the sentence that begins at `start`: not if a lowercase letter
    /// follows, if the stop belongs to an abbreviation, or inside of parentheses.
    private static func isEndOfSentence(at stop: String.Index, from start: String.Index, in text: String) -> Bool {
        let afterSpace = text[stop...].dropFirst(2)
        guard let nextCharacter = afterSpace.first, !nextCharacter.isLowercase else { return false }
        let isAbbreviation = abbreviations.contains { text[..<stop].hasSuffix($0) }
        if isAbbreviation { return false }
        let sentence = text[start..<stop]
        let isInParentheses = sentence.count { $0 == "(" } > sentence.count { $0 == ")" }
        return !isInParentheses
    }

    /// Completes a sentence with a capital and a full stop: `the order, with its items` becomes
    /// `The order, with its items.` Returns nil if the text is not a sentence.
    private static func completed(_ sentence: Substring) -> String? {
        // A single word is not a sentence, and a text with a colon at its end introduces a list or code.
        guard sentence.contains(" "), let last = sentence.last, last != ":" else { return nil }
        let firstWord = sentence.prefix { $0 != " " }
        // Names such as `iPhone`, `file.txt` and `x-rate` keep their first letter. A comma may follow a plain word.
        let isPlainWord = firstWord.allSatisfy { $0.isLowercase || $0 == "," }
        let text = isPlainWord ? capitalized(sentence) : String(sentence)
        // The full stop may stand before a quote or a parenthesis at the end, as in `It is "open."`
        var textToLastSign = sentence
        let endsInQuote = "\"')".contains(last)
        if endsInQuote { textToLastSign = textToLastSign.dropLast() }
        if let lastSign = textToLastSign.last, ".!?".contains(lastSign) { return text }
        return "\(text)."
    }
}
