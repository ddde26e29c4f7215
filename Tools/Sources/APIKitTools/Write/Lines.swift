/// Lines of code, as `swift format` breaks them.
enum Lines {
    /// The longest line.
    static let width = 120

    static func indented(_ lines: [String]) -> [String] {
        lines.map { $0.isEmpty ? "" : "    \($0)" }
    }

    /// Elements between parentheses, which end the start and begin the end: in one line if that fits at the depth, and
    /// otherwise each in its own.
    static func list(_ start: String, _ elements: [String], _ end: String, depth: Int) -> [String] {
        let line = start + elements.joined(separator: ", ") + end
        if fits(line, depth) { return [line] }
        let last = elements.count - 1
        return [start] + elements.enumerated().map { "    \($0.element)\($0.offset < last ? "," : "")" } + [end]
    }

    /// Whether a line is short enough.
    static func fits(_ line: String, _ depth: Int) -> Bool { line.count + depth * 4 <= width }

    /// The head of an `if` with alternatives after its binding: in one line if that fits.
    static func condition(_ binding: String, _ alternatives: [String], depth: Int) -> [String] {
        let line = ([binding] + (alternatives.isEmpty ? [] : [alternatives.joined(separator: " || ")]))
            .joined(separator: ", ")
        guard !alternatives.isEmpty, !fits("\(line) {", depth) else { return ["\(line) {"] }
        let lines = filled(alternatives, start: "    ", next: "        || ", separator: " || ", depth: depth)
        return ["\(binding),"] + lines + ["{"]
    }

    /// A computed property: in one line if that fits.
    static func property(_ head: String, _ value: String, depth: Int) -> [String] {
        let line = "\(head) { \(value) }"
        return fits(line, depth) ? [line] : ["\(head) {", "    \(value)", "}"]
    }

    /// A computed property that is a dictionary, or one in the only member of another.
    static func dictionary(
        _ head: String, _ start: String, _ elements: [String], _ end: String, member: String? = nil, depth: Int
    ) -> [String] {
        let (open, close) = member.map { ("\($0): .object([", "])") } ?? ("", "")
        let value = "\(start)\(open)\(elements.joined(separator: ", "))\(close)\(end)"
        // The formatter counts a comma that would follow the last element.
        if fits("\(head) { \(value) },", depth) { return ["\(head) { \(value) }"] }
        var lines = filled(elements.map { "\($0)," }, separator: " ", depth: depth + (member == nil ? 2 : 3))
        if member != nil { lines = [open] + indented(lines) + [close] }
        lines = fits("\(value),", depth + 1) ? [value] : [start] + indented(lines) + [end]
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

    /// Words with separators, as many in a line as fit.
    private static func filled(
        _ words: [String], start: String = "", next: String = "", separator: String, depth: Int
    ) -> [String] {
        words.reduce(into: []) { lines, word in
            if let last = lines.last, fits(last + separator + word, depth) {
                lines[lines.count - 1] += separator + word
            } else {
                lines.append((lines.isEmpty ? start : next) + word)
            }
        }
    }

    /// A line of a documentation comment. All comments are written here, so that no text of a description can end one.
    static func comment(_ text: String) -> String { "/// \(text.visible)" }

    /// A text as a Swift literal, without characters that its reader would not see.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isInvisible:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
