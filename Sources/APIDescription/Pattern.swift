/// Whether a text matches a pattern.
enum PatternMatch {
    case matches, differs
    /// The pattern was not tried.
    case unknown
}

extension String {
    /// The greatest number of steps that matching may take, by ``maximumSteps(of:)``. It keeps the time for one text
    /// short.
    private static let stepLimit = 1_000_000.0

    /// Searches the text for a part that matches a regular expression in the syntax of JavaScript (ECMA-262), which
    /// JSON Schema uses.
    ///
    /// - Returns: Whether some part of the text matches. This is unknown if the pattern is invalid, if matching might
    ///   take very long, or if the pattern might mean something else in Swift.
    func match(with pattern: String) -> PatternMatch {
        // Without escapes such as `\*`, each remaining `*` is an operator.
        let unescaped = pattern.replacing(/\\./, with: "")
        if Self.repeatsGroup(unescaped) { return .unknown }
        if meansSomethingElseInSwift(pattern, unescaped: unescaped) { return .unknown }
        if maximumSteps(of: unescaped) >= Self.stepLimit { return .unknown }
        guard let regex = try? Regex(pattern) else { return .unknown }
        // In JavaScript, `\d` and `\w` match only ASCII, `\b` is the border of `\w`, and an accent is a character of
        // its own.
        let scriptRegex = regex.asciiOnlyCharacterClasses().wordBoundaryKind(.simple)
            .matchingSemantics(.unicodeScalar)
        return contains(scriptRegex) ? .matches : .differs
    }

    /// Whether a pattern repeats a group. Matching such a pattern can take exponential time, as `(a+)+` does.
    private static func repeatsGroup(_ unescaped: String) -> Bool {
        [")*", ")+", "){"].contains { unescaped.contains($0) }
    }

    /// Whether Swift may match this text in another way than JavaScript does.
    ///
    /// Two parts of a pattern can have another meaning:
    ///
    /// - `--`, `&&` and `~~` in brackets, as in `[a&&b]`, are operators in Swift, but plain characters in JavaScript.
    /// - `\s` and `\S` know only the spaces of ASCII with the options of ``match(with:)``, but all spaces in
    ///   JavaScript. For a text in ASCII, that is the same.
    private func meansSomethingElseInSwift(_ pattern: String, unescaped: String) -> Bool {
        let hasBrackets = unescaped.contains("[")
        let hasOperator = ["--", "&&", "~~"].contains { pattern.contains($0) }
        if hasBrackets, hasOperator { return true }
        let matchesSpaces = pattern.contains("\\s") || pattern.contains("\\S")
        let isASCII = utf8.allSatisfy { $0 < 0x80 }
        return matchesSpaces && !isASCII
    }

    /// Estimates how many steps it takes at most to search the text for a pattern that repeats no group.
    ///
    /// The search can begin at each position of the text, and each repetition (`*`, `+`, `{2,3}`) can end at each
    /// position, so each of them multiplies the steps by the number of positions. Each `?` and each `|` doubles them.
    /// For the pattern `a*b?` and a text of 9 bytes, the estimate is 10 · 10 · 2 = 200.
    private func maximumSteps(of unescaped: String) -> Double {
        let positionCount = Double(utf8.count + 1)
        // A repetition with a fixed count, such as `{4}`, can end at one position only.
        let variablePart = unescaped.replacing(/\{\d+\}/, with: "")
        var steps = positionCount
        for byte in variablePart.utf8 {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"):
                steps *= positionCount
            case UInt8(ascii: "?"), UInt8(ascii: "|"):
                steps *= 2
            default:
                break
            }
        }
        return steps
    }
}
