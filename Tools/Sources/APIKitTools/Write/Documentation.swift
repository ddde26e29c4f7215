/// Documentation comments, from the prose of a description.
enum Documentation {
    /// A comment with all of its parts, one paragraph each.
    static func comment(_ parts: [String?], depth: Int) -> [String] {
        var paragraphs: [String] = []
        for part in parts.compactMap({ $0 }) {
            for paragraph in cleaned(part) where paragraphs.count < 2 && !paragraphs.contains(paragraph) {
                paragraphs.append(paragraph)
            }
        }
        var lines: [String] = []
        for paragraph in paragraphs {
            if !lines.isEmpty { lines.append("///") }
            lines += wrapped(paragraph, width: Lines.width - 4 - depth * 4).map { "/// \($0)" }
        }
        return lines
    }

    /// The first sentence as a comment.
    static func summary(_ text: String?, depth: Int) -> [String] {
        guard let text, let first = cleaned(text).first else { return [] }
        return wrapped(firstSentence(of: first), width: Lines.width - 4 - depth * 4).map { "/// \($0)" }
    }

    /// The comment on a property, whose deprecation the compiler would report in the code of its type.
    static func summary(_ property: Property, depth: Int) -> [String] {
        let lines = summary(property.schema.documentation, depth: depth)
        guard property.schema.isDeprecated else { return lines }
        return lines + (lines.isEmpty ? [] : ["///"]) + ["/// Deprecated."]
    }

    /// All up to the first full stop with a capital after it, unless that is an abbreviation.
    private static func firstSentence(of text: String) -> String {
        var position = text.startIndex
        while let stop = text[position...].firstRange(of: ". ")?.lowerBound {
            position = text.index(after: stop)
            let next = text[position...].dropFirst().first ?? "a"
            let isAbbreviation = ["e.g", "i.e", "etc", "vs", "incl"].contains { text[..<stop].hasSuffix($0) }
            let isInBrackets = text[..<stop].count { $0 == "(" } > text[..<stop].count { $0 == ")" }
            if !next.isLowercase, !isAbbreviation, !isInBrackets { return String(text[...stop]) }
        }
        return text
    }

    /// The paragraphs of a text without markup: at most the first three of prose, until the first heading, list, table
    /// or code.
    private static func cleaned(_ text: String) -> [String] {
        var paragraphs: [String] = []
        var current: [String] = []
        for line in "\(text)\n".split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmed
            let isMarkup = ["#", "- ", "* ", "|", "```", ">", "1.", "<table", "<ul", "<div", "---", ":::"]
                .contains { line.hasPrefix($0) }
            if line.isEmpty || isMarkup {
                let paragraph = sentence(current.joined(separator: " "))
                if !paragraph.isEmpty { paragraphs.append(paragraph) }
                current = []
                if isMarkup, !paragraphs.isEmpty || !line.hasPrefix("#") { break }
            } else {
                current.append(line)
            }
            if paragraphs.count == 3 { break }
        }
        return paragraphs
    }

    /// A paragraph with links as their texts, without HTML, and with a full stop.
    private static func sentence(_ paragraph: String) -> String {
        guard !paragraph.isEmpty else { return "" }
        var text = paragraph.replacing(/!?\[([^\]]*)\]\([^)]*\)/) { String($0.1) }
        text = text.replacing(/<\/?[A-Za-z][^<>]*>/, with: "").replacing("&quot;", with: "\"")
        text = text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        text = text.replacing(/(^|\W)_([^_]+)_(?=\W|$)/) { "\($0.1)\($0.2)" }.replacing("**", with: "").replacing(
            "__", with: ""
        ).replacing("*/", with: "* /")
        text = text.replacing("``", with: "`")
        text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let last = text.last else { return "" }
        if last == ":" { text.removeLast() }
        return ".!?".contains(text.last ?? ".") ? text : "\(text)."
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
        "decoder": "The decoder.",
    ]

    /// What is said of a declaration, by its name.
    private static func words(for code: String) -> String {
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        let modifiers = [
            "public", "static", "nonisolated", "indirect", "var", "let", "func", "struct", "enum", "typealias",
        ]
        let name = words.first { !modifiers.contains($0) } ?? ""
        if let text = known[name] { return text }
        let prose = Words(name).prose
        if words.contains("static") { return "`\(name)`" }
        if words.contains("struct") || words.contains("enum") {
            return "\("aeiou".contains(name.prefix(1).lowercased()) ? "An" : "A") \(prose)."
        }
        if code.contains(": Date"), prose.hasSuffix(" at") { return "When it was \(prose.dropLast(3))." }
        guard code.contains(": Bool") else { return "The \(prose)." }
        let isVerb = ["has ", "can "].contains { prose.hasPrefix($0) }
        return "Whether it \(isVerb ? "" : "is ")\(prose.hasPrefix("is ") ? String(prose.dropFirst(3)) : prose)."
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
