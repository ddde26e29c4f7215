@_spi(Tools) import APIKitJSON
import Foundation
import OpenAPIRules

/// Writes recorded JSON for a test: indented, with sorted members, and with only a few elements of each list.
struct SampleJSON {
    private var writer = JSONWriter()

    /// The number of elements of a list that are kept. More would make the test longer without covering more types.
    private static let listLimit = 3

    /// Returns the text of a value. Invisible characters in its strings are escaped, so that the test shows what it
    /// contains: a zero-width space becomes `\u200b`.
    static func text(of node: Node) -> String {
        var sample = SampleJSON()
        sample.write(node)
        var result = String.UnicodeScalarView()
        for scalar in sample.writer.text.unicodeScalars {
            // The writer has escaped the line feeds in strings. Any other ends a line of the text, and stays.
            let needsEscape = scalar.isInvisible && scalar != "\n"
            if needsEscape {
                result += escaped(scalar).unicodeScalars
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Writes a value: a list or an object with each of its values in a line of its own, anything else in one line. Of
    /// a list, only the first elements are written; the members of an object are sorted by name.
    private mutating func write(_ node: Node) {
        switch node.content {
        case .null: writer.literal("null")
        case .boolean(let flag): writer.literal("\(flag)")
        case .number(let text): writer.literal(text)
        case .text(let text): writer.string(text)
        case .list(let nodes):
            writer.beginArray(.lines)
            for node in nodes.prefix(Self.listLimit) { write(node) }
            writer.end()
        case .object(let members):
            writer.beginObject(.lines)
            for (name, node) in members.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                write(node)
            }
            writer.end()
        }
    }

    /// The escape of a character, or the two of a character beyond U+FFFF, which has two UTF-16 code units.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in String(format: "\\u%04x", Int(unit)) }.joined()
    }
}
