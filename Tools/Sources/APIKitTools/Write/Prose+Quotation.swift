extension Prose {
    /// The maximum number of characters of a quotation: about three lines.
    private static let longestQuotation = 300

    /// The maximum number of characters of a word, such as a URL. A longer one does not fit into a line of a comment.
    private static let longestQuotedWord = 100

    /// Quotes the first sentences of a text whose instructions count, such as where users create a key. Names in
    /// backticks and links to other sites stay as they are; other markup is dropped.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isLeftOut: Whether a sentence says nothing new.
    /// - Returns: The sentences; nil if there are none.
    static func quotation(of text: String, without isLeftOut: (String) -> Bool) -> String? {
        let paragraphs = texts(in: text, atMost: 2) { paragraph in
            let start = prefix(of: paragraph.joined(separator: " "), byteCount: longestReadParagraph)
            let kept = sentences(in: withoutMarkupAroundCode(start)).filter { !isLeftOut($0) && canBeQuoted($0) }
            return kept.isEmpty ? nil : kept.joined(separator: " ")
        }
        var quotation = ""
        for sentence in paragraphs.flatMap({ sentences(in: $0) }) {
            let longer = quotation.isEmpty ? sentence : "\(quotation) \(sentence)"
            if longer.count > longestQuotation { break }
            quotation = longer
        }
        return quotation.isEmpty ? nil : quotation
    }

    /// Whether a sentence can be quoted: not if it points to something that a comment does not have, or if one of its
    /// words does not fit into a line.
    private static func canBeQuoted(_ sentence: String) -> Bool {
        let hasLongWord = sentence.split(separator: " ").contains { $0.count > longestQuotedWord }
        if hasLongWord { return false }
        let isReference = ["see ", "more information", "learn more", "click "].contains {
            holds(sentence.lowercased(), $0)
        }
        return !isReference || holds(sentence, "://")
    }

    /// Removes the markup from a paragraph, but not from names in backticks: a sign such as `<` is a part of these.
    private static func withoutMarkupAroundCode(_ paragraph: String) -> String {
        // `<https://example.com>` is a link.
        let plainLinks = paragraph.replacing(/<(https?:\/\/[^<>\s]*)>/) { String($0.1) }
        let text = withoutLinks(plainLinks) { $0.hasPrefix("https://") }
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        // An odd number of parts has a backtick at both ends of each name.
        guard !parts.count.isMultiple(of: 2) else { return withoutSigns(text) }
        let cleanParts = parts.enumerated().map { index, part in
            index.isMultiple(of: 2) ? withoutSigns(String(part)) : String(part)
        }
        return cleanParts.joined(separator: "`").split { $0.isWhitespace }.joined(separator: " ")
    }
}
