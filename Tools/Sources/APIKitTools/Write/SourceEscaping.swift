/// Writes texts of a description as comments and literals, in which no character can end the comment or the literal. So
/// a hostile description cannot add code to what is generated.
extension Lines {
    /// A line of a documentation comment. All comments are written by this function, which replaces line breaks, so
    /// that no text of a description can end a comment and become code.
    static func comment(_ text: String) -> String { "/// \(text.visible)" }

    /// A documentation comment of several sections, with an empty line between them. Sections without lines are left
    /// out.
    static func comment(_ sections: [[String]]) -> [String] {
        Lines.sections(sections).map { line in line.isEmpty ? "///" : comment(line) }
    }

    /// A text as it appears in a literal, without the quotes.
    static func literalContent(_ text: String) -> String { String(literal(text).dropFirst().dropLast()) }

    /// A text as a Swift literal. Invisible characters are escaped, so that the code shows what it contains.
    static func literal(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// Writes a character as in a Swift literal: a quote becomes `\"`, and an invisible character such as U+200B
    /// becomes `\u{200b}`. Most characters stay as they are.
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
