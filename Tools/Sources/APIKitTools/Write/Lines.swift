/// Writes lines of code and breaks them like `swift format`, so that formatting generated code changes nothing.
enum Lines {
    /// The maximum length of a line.
    static let width = 120

    private static let indentation = "    "

    static func indented(_ lines: [String]) -> [String] {
        lines.map { line in line.isEmpty ? "" : indentation + line }
    }

    /// Whether a line is short enough at a depth, which is the number of declarations around it.
    static func fits(_ line: String, _ depth: Int) -> Bool {
        indentation.count * depth + line.count <= width
    }

    /// A list of parameters or arguments: in one line if it fits at the depth, otherwise with one element per line.
    ///
    /// - Parameters:
    ///   - start: The code before the elements, which ends with an opening parenthesis.
    ///   - elements: The elements.
    ///   - end: The code after the elements, which begins with a closing parenthesis.
    ///   - depth: The number of declarations around the list.
    /// - Returns: The lines, without the indentation of the depth.
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

    /// The head of an `if` with a binding and alternatives, of which one has to be true: in one line if it fits.
    static func condition(_ binding: String, _ alternatives: [String], depth: Int) -> [String] {
        guard !alternatives.isEmpty else { return ["\(binding) {"] }
        let line = "\(binding), \(alternatives.joined(separator: " || ")) {"
        if fits(line, depth) { return [line] }
        let continuation = indentation + indentation + "|| "
        let lines = filled(alternatives, start: indentation, next: continuation, separator: " || ", depth: depth)
        return ["\(binding),"] + lines + ["{"]
    }

    /// A computed property: in one line if it fits.
    static func property(_ head: String, _ value: String, depth: Int) -> [String] {
        let line = "\(head) { \(value) }"
        if fits(line, depth) { return [line] }
        return ["\(head) {", indentation + value, "}"]
    }

    /// A computed property whose value is a dictionary. If possible, it is in one line, or else its value is.
    /// Otherwise, each line of the dictionary has as many elements as fit.
    static func property(_ head: String, _ dictionary: DictionaryLiteral, depth: Int) -> [String] {
        let value = dictionary.line
        let line = "\(head) { \(value) }"
        // The formatter also counts the trailing comma that it would add if it broke the line.
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
    /// A line of a documentation comment. All comments are written by this function, which replaces line breaks, so
    /// that no text of a description can end a comment and become code.
    static func comment(_ text: String) -> String { "/// \(text.visible)" }

    /// A text as a Swift literal. Invisible characters are escaped, so that the code shows what it contains.
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

/// A dictionary as code. It may be nested in another dictionary, as the value of its only member.
struct DictionaryLiteral {
    /// The code before the first element, such as `.json([`.
    private let start: String
    /// The code of each name and value. An empty dictionary has the single element `:`.
    private let elements: [String]
    private let end: String
    /// The literal for the name of the outer dictionary's member; nil if the dictionary is not nested.
    private let member: String?

    init(start: String = "[", _ elements: [String], end: String = "]", member: String? = nil) {
        self.start = start
        self.elements = elements.isEmpty ? [":"] : elements
        self.end = end
        self.member = member
    }

    /// The dictionary in one line.
    var line: String {
        let list = elements.joined(separator: ", ")
        guard let member else { return start + list + end }
        return "\(start)\(member): .object([\(list)])\(end)"
    }

    /// The dictionary in several lines, each with as many elements as fit.
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
