/// Lines of code, as `swift format` breaks them.
enum Lines {
    /// The longest line.
    static let width = 120

    private static let indentation = "    "

    static func indented(_ lines: [String]) -> [String] {
        lines.map { line in line.isEmpty ? "" : indentation + line }
    }

    /// Whether a line is short enough at a depth of declarations around it.
    static func fits(_ line: String, _ depth: Int) -> Bool {
        indentation.count * depth + line.count <= width
    }

    /// Elements between parentheses, which end the start and begin the end: in one line if that fits at the depth, and
    /// otherwise each in its own.
    static func list(_ start: String, _ elements: [String], _ end: String, depth: Int) -> [String] {
        let line = start + elements.joined(separator: ", ") + end
        if fits(line, depth) { return [line] }
        var lines = [start]
        for (index, element) in elements.enumerated() {
            let isLast = index == elements.count - 1
            lines.append(indentation + element + (isLast ? "" : ","))
        }
        return lines + [end]
    }

    /// The head of an `if` with alternatives after its binding: in one line if that fits.
    static func condition(_ binding: String, _ alternatives: [String], depth: Int) -> [String] {
        guard !alternatives.isEmpty else { return ["\(binding) {"] }
        let line = "\(binding), \(alternatives.joined(separator: " || ")) {"
        if fits(line, depth) { return [line] }
        let continuation = indentation + indentation + "|| "
        let lines = filled(alternatives, start: indentation, next: continuation, separator: " || ", depth: depth)
        return ["\(binding),"] + lines + ["{"]
    }

    /// A computed property: in one line if that fits.
    static func property(_ head: String, _ value: String, depth: Int) -> [String] {
        let line = "\(head) { \(value) }"
        if fits(line, depth) { return [line] }
        return ["\(head) {", indentation + value, "}"]
    }

    /// A computed property whose value is a dictionary: in one line, with the value in one line, or with as many
    /// elements in each line as fit.
    static func property(_ head: String, _ dictionary: DictionaryLiteral, depth: Int) -> [String] {
        let value = dictionary.line
        let line = "\(head) { \(value) }"
        // The formatter counts a comma that would follow the last element.
        if fits(line + ",", depth) { return [line] }
        let isShort = fits(value + ",", depth + 1)
        let lines = isShort ? [value] : dictionary.brokenLines(depth: depth + 1)
        return ["\(head) {"] + indented(lines) + ["}"]
    }

    /// Names after `case`, as many in a line as fit.
    static func cases(_ names: [String], depth: Int) -> [String] {
        filled(names, start: "case ", next: "case ", separator: ", ", depth: depth)
    }

    /// The lines of a comment in an extension, without its marks.
    static func wrapped(_ text: String) -> [String] {
        filled(text.split(separator: " ").map(String.init), separator: " ", depth: 2)
    }

    /// Words with separators, as many in a line as fit: the first line begins with `start`, the others with `next`.
    fileprivate static func filled(
        _ words: [String], start: String = "", next: String = "", separator: String, depth: Int
    ) -> [String] {
        var lines: [String] = []
        for word in words {
            guard let last = lines.last else {
                lines.append(start + word)
                continue
            }
            let longer = last + separator + word
            if fits(longer, depth) {
                lines[lines.count - 1] = longer
            } else {
                lines.append(next + word)
            }
        }
        return lines
    }
}

// MARK: - Texts of a description

extension Lines {
    /// A line of a documentation comment. All comments are written here, so that no text of a description can end one.
    static func comment(_ text: String) -> String { "/// \(text.visible)" }

    /// A text as a Swift literal, without characters that its reader would not see.
    static func literal(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where scalar.isInvisible: "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }
}

/// A dictionary as code, which may be the only member of another one.
struct DictionaryLiteral {
    /// What is before the first element, such as `.json([`.
    private let start: String
    /// The names and values; `:` if there is none.
    private let elements: [String]
    private let end: String
    /// The name of the member, as a literal, whose value the dictionary is.
    private let member: String?

    init(start: String = "[", _ elements: [String], end: String = "]", member: String? = nil) {
        self.start = start
        self.elements = elements.isEmpty ? [":"] : elements
        self.end = end
        self.member = member
    }

    /// All of it.
    var line: String {
        let list = elements.joined(separator: ", ")
        guard let member else { return start + list + end }
        return "\(start)\(member): .object([\(list)])\(end)"
    }

    /// All of it in several lines, as many elements in each as fit.
    func brokenLines(depth: Int) -> [String] {
        guard let member else { return [start] + elementLines(depth: depth + 1) + [end] }
        let object = ["\(member): .object(["] + elementLines(depth: depth + 2) + ["])"]
        return [start] + Lines.indented(object) + [end]
    }

    /// The elements, each with a comma after it.
    private func elementLines(depth: Int) -> [String] {
        let lines = Lines.filled(elements.map { "\($0)," }, separator: " ", depth: depth)
        return Lines.indented(lines)
    }
}
