internal import Foundation

extension Prose {
    /// The beginnings of lines that are not prose: titles, lists, tables, code and quotations.
    private static let markup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]

    /// Finds the first sentence of each of the first paragraphs, without markup.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of sentences. The rest of the text is not read.
    /// - Returns: The sentences.
    static func sentences(of text: String, atMost limit: Int = 3) -> [String] {
        texts(in: text, atMost: limit, firstSentence)
    }

    /// Reads the first paragraphs of a text. Titles before the first one are skipped. Any other markup, such as a list,
    /// a table or code, ends the prose.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of results. The rest of the text is not read.
    ///   - read: Reads the lines of a paragraph, which may be none; nil if it has no result.
    /// - Returns: The results.
    static func texts(in text: String, atMost limit: Int, _ read: ([String]) -> String?) -> [String] {
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
                if let result = read(paragraph) { found.append(result) }
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
    static func prefix(of text: String, byteCount: Int) -> String {
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
        let text = withoutSigns(withoutLinks(paragraph))
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Removes HTML and emphasis from a text, and escaped characters.
    static func withoutSigns(_ markedText: String) -> String {
        var text = markedText
        // `<b>bold</b>` becomes `bold`.
        if holds(text, "<") { text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "") }
        text = withoutEmphasis(text)
        // `\*` becomes `*`.
        if holds(text, "\\") { text = text.replacing(/\\([-_*.#`])/) { String($0.1) } }
        for (sign, plain) in replacedSigns where holds(text, sign) { text = text.replacing(sign, with: plain) }
        return text
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
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isKept: Whether a link to a target stays as it is.
    /// - Returns: The text without the other links.
    static func withoutLinks(_ text: String, unless isKept: (Substring) -> Bool = { _ in false }) -> String {
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
                if !isImage, isKept(afterBrackets[..<endOfTarget].dropFirst()) {
                    result += rest[open...endOfTarget]
                } else {
                    result += brackets.dropFirst().dropLast()
                }
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
    static func sentences(in text: String) -> [String] {
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
