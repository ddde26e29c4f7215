internal import Foundation

/// Selects the sentences of a description's prose that a person would keep: short ones about what something is or does.
enum Prose {
    /// The maximum number of characters of a sentence that is kept. It fits in a line even in nested types.
    private static let longestKeptSentence = 100

    /// The maximum numbers of bytes that are read of a text, a paragraph and a sentence. They limit the time of regular
    /// expressions. A first sentence that is short enough to be kept is within them.
    static let longestReadText = 20_000
    static let longestReadParagraph = 2000
    static let longestReadSentence = 1000

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
    static func holds(_ text: String, _ phrase: String) -> Bool { strstr(text, phrase) != nil }

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

    private static let precisePhrases = ["at most", "at least", "up to", "currency unit"]

    /// Whether a sentence about a property specifies a unit, a limit or a format, which its type and name do not show.
    static func isPrecise(_ sentence: String) -> Bool {
        let hasPreciseWord = Words(sentence).words.contains { $0.mayBe(.precise) }
        return hasPreciseWord || precisePhrases.contains { holds(sentence, $0) }
    }

    static func capitalized(_ text: some StringProtocol) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
