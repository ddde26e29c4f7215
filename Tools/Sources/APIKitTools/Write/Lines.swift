/// Writes lines of code and breaks them like `swift format`, so that formatting generated code changes nothing.
///
/// Functions that break lines need the depth of their lines, which is the number of declarations around them. Each
/// level of depth adds four spaces of indentation. The returned lines do not have this indentation yet.
enum Lines {
    /// The maximum length of a line.
    static let width = 120

    private static let indentation = "    "

    /// Indents lines by one level. Empty lines stay empty.
    static func indented(_ lines: [String]) -> [String] {
        lines.map { line in line.isEmpty ? "" : indentation + line }
    }

    /// Joins sections of code, with an empty line between them. Sections without lines are left out.
    static func sections(_ sections: [[String]]) -> [String] {
        Array(sections.filter { !$0.isEmpty }.joined(separator: [""]))
    }

    /// Whether a line is short enough at a depth, which is the number of declarations around it.
    static func fits(_ line: String, _ depth: Int) -> Bool {
        indentation.count * depth + line.count <= width
    }

    /// Writes a list of parameters or arguments: in one line if it fits, otherwise with one element per line.
    ///
    ///     public init(name: String, age: Int) {
    ///
    ///     public init(
    ///         name: String,
    ///         age: Int
    ///     ) {
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

    /// Writes the beginning of an `if` with a binding and alternatives, one of which has to be true. If it does not fit
    /// in one line, the binding has a line of its own, and the following lines have as many alternatives as fit:
    ///
    ///     if let value = try? container.decode(Courier.self), value.street != nil || value.city != nil {
    ///
    ///     if let value = try? container.decode(Courier.self),
    ///         value.street != nil || value.city != nil
    ///             || value.country != nil
    ///     {
    ///
    /// - Parameters:
    ///   - binding: The code before the comma: `if let value = try? container.decode(Courier.self)`.
    ///   - conditions: The conditions that must all be true, such as `value.kind == 1`.
    ///   - alternatives: The conditions between `||`, such as `value.street != nil`. Without any, and without other
    ///     conditions, the binding is the whole condition.
    ///   - depth: The number of declarations around the `if`.
    /// - Returns: The lines, without the indentation of the depth.
    static func condition(
        _ binding: String, _ conditions: [String] = [], anyOf alternatives: [String], depth: Int
    ) -> [String] {
        var parts = [binding] + conditions
        if !alternatives.isEmpty { parts.append(alternatives.joined(separator: " || ")) }
        let line = "\(parts.joined(separator: ", ")) {"
        // A binding without conditions stays in one line.
        if parts.count == 1 || fits(line, depth) { return [line] }
        var lines = ["\(binding),"] + conditions.map { "\(indentation)\($0)," }
        if alternatives.isEmpty {
            lines[lines.count - 1].removeLast()
        } else {
            let startOfContinuation = indentation + indentation + "|| "
            lines += filled(
                alternatives, firstStart: indentation, nextStart: startOfContinuation, separator: " || ", depth: depth)
        }
        return lines + ["{"]
    }

    /// Writes a computed property: in one line if it fits, otherwise with its value in a line of its own.
    ///
    ///     var path: URLPath { "products" }
    ///
    ///     var path: URLPath {
    ///         "products"
    ///     }
    static func property(_ head: String, _ value: String, depth: Int) -> [String] {
        let line = "\(head) { \(value) }"
        if fits(line, depth) { return [line] }
        return ["\(head) {", indentation + value, "}"]
    }

    /// Writes a computed property whose value is a dictionary. It takes the first of these forms that fits:
    ///
    ///     var parameters: Parameters { ["name": name, "sort": sort] }
    ///
    ///     var parameters: Parameters {
    ///         ["name": name, "sort": sort]
    ///     }
    ///
    ///     var parameters: Parameters {
    ///         [
    ///             "name": name, "sort": sort,
    ///             "limit": limit,
    ///         ]
    ///     }
    ///
    /// In the last one, each line has as many elements as fit.
    static func property(_ head: String, _ dictionary: DictionaryLiteral, depth: Int) -> [String] {
        let value = dictionary.line
        let line = "\(head) { \(value) }"
        // swift-format breaks a dictionary if there is no room for a trailing comma, although it writes that comma
        // only after breaking. So the comma is counted in the line.
        if fits(line + ",", depth) { return [line] }
        let valueFits = fits(value + ",", depth + 1)
        let valueLines = valueFits ? [value] : dictionary.brokenLines(depth: depth + 1)
        return ["\(head) {"] + indented(valueLines) + ["}"]
    }

    /// Writes the cases of an enum, as many in a line as fit: `case created, updated`.
    static func cases(_ names: [String], depth: Int) -> [String] {
        filled(names, firstStart: "case ", nextStart: "case ", separator: ", ", depth: depth)
    }

    /// Breaks the text of a comment on a member of an extension into lines, without the `///` before each.
    static func wrapped(_ text: String) -> [String] {
        let words = text.split(separator: " ").map(String.init)
        // The depth of a comment on a member is 1. The second level leaves room for the `/// `, which is as long.
        return filled(words, separator: " ", depth: 2)
    }

    /// Fills lines with words, as many in a line as fit, and puts a separator between the words of a line. There is no
    /// separator at the end of a line. For three names with the start `case ` and the separator `, `, two of which fit
    /// in a line, the lines are:
    ///
    ///     case created, updated
    ///     case deleted
    ///
    /// - Parameters:
    ///   - words: Words or other short pieces of code.
    ///   - firstStart: The beginning of the first line.
    ///   - nextStart: The beginning of each following line.
    ///   - separator: The text between two words in the same line.
    ///   - depth: The number of declarations around the lines.
    /// - Returns: The lines, without the indentation of the depth.
    static func filled(
        _ words: [String], firstStart: String = "", nextStart: String = "", separator: String, depth: Int
    ) -> [String] {
        guard let firstWord = words.first else { return [] }
        var lines: [String] = []
        var line = firstStart + firstWord
        for word in words.dropFirst() {
            let longerLine = line + separator + word
            if fits(longerLine, depth) {
                line = longerLine
            } else {
                lines.append(line)
                line = nextStart + word
            }
        }
        return lines + [line]
    }

    /// A number as a Swift literal: a whole one with seven digits or more has separators, `5_000_000`.
    static func number(_ literal: String) -> String {
        let digits = literal.drop { $0 == "-" }
        guard digits.count > 6, digits.allSatisfy(\.isNumber) else { return literal }
        var groups: [String] = []
        var rest = digits
        while !rest.isEmpty {
            groups.insert(String(rest.suffix(3)), at: 0)
            rest = rest.dropLast(3)
        }
        return literal.prefix(literal.count - digits.count) + groups.joined(separator: "_")
    }
}
