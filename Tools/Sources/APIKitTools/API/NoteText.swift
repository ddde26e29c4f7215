/// The text of a note, with the pattern that similar notes share.
///
/// The values in `"query parameter \(name) is a String"` are not part of the pattern, so the summary has one line for
/// all such parameters. `\(exact: type)` is a part of it: there is a line for each media type, for example.
struct NoteText: ExpressibleByStringInterpolation {
    /// The whole text.
    let text: String
    /// The text without the values that differ among similar notes.
    let pattern: String

    /// Creates the text of a note that is only similar to equal ones.
    init(_ text: String) {
        self.text = text
        pattern = text
    }

    init(stringLiteral text: String) { self.init(text) }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        pattern = stringInterpolation.pattern
    }

    /// Collects the parts of a text.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var pattern = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { appendInterpolation(exact: literal) }

        /// Appends a value that differs among similar notes.
        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description
            // A character that no text has, so that the pattern shows where the value is.
            pattern += "\u{0}"
        }

        /// Appends a value that similar notes share.
        mutating func appendInterpolation(exact value: String) {
            text += value
            pattern += value
        }
    }
}
