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

    /// Elements with what ends each, as many in a line as fit.
    static func filled(_ elements: [String], end: String = ",", depth: Int) -> [String] {
        elements.reduce(into: []) { lines, element in
            if let last = lines.last, fits("\(last) \(element)\(end)", depth) {
                lines[lines.count - 1] = "\(last) \(element)\(end)"
            } else {
                lines.append("\(element)\(end)")
            }
        }
    }

    /// Whether a line is short enough.
    static func fits(_ line: String, _ depth: Int) -> Bool { line.count + depth * 4 <= width }

    /// The head of an `if` with alternatives after its binding: in one line if that fits.
    static func condition(_ binding: String, _ alternatives: [String], depth: Int) -> [String] {
        let line = ([binding] + (alternatives.isEmpty ? [] : [alternatives.joined(separator: " || ")]))
            .joined(separator: ", ")
        guard let first = alternatives.first, !fits("\(line) {", depth) else { return ["\(line) {"] }
        var lines = ["    \(first)"]
        for alternative in alternatives.dropFirst() {
            if let last = lines.last, fits("\(last) || \(alternative)", depth) {
                lines[lines.count - 1] += " || \(alternative)"
            } else {
                lines.append("        || \(alternative)")
            }
        }
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
        let inner = filled(elements, depth: depth + (member == nil ? 2 : 3))
        let lines = member == nil ? inner : [open] + indented(inner) + [close]
        return ["\(head) {"] + indented(fits("\(value),", depth + 1) ? [value] : [start] + indented(lines) + [end]) + [
            "}"
        ]
    }

    /// Names after `case`, as many in a line as fit.
    static func cases(_ names: [String], depth: Int) -> [String] {
        filled(names, depth: depth + 1).map { "case \($0.dropLast())" }
    }

    /// The lines of a comment in an extension.
    static func wrapped(_ text: String) -> [String] {
        filled(text.split(separator: " ").map(String.init), end: "", depth: 2)
    }

    /// A text as a Swift literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
