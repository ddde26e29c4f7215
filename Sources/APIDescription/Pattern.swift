extension String {
    /// Whether a part of the text matches a regular expression (ECMA-262).
    ///
    /// Nil if the pattern is not evaluated, since matching may be slow or since Swift interprets the pattern in another
    /// way.
    func matches(pattern: String) -> Bool? {
        // Without escapes, every operator that is left has its meaning.
        let unescaped = pattern.replacing(/\\./, with: "")
        guard !Self.repeatsGroup(unescaped), !hasOtherMeaning(pattern, unescaped) else { return nil }
        // The limit keeps the time for one text short.
        guard maximumSteps(of: unescaped) < 1_000_000, let regex = try? Regex(pattern) else { return nil }
        // These options are the rules of ECMA-262.
        return contains(
            regex.asciiOnlyCharacterClasses().wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar))
    }

    /// Whether a pattern repeats a group. Matching such a pattern can take exponential time, as `(a+)+` does.
    private static func repeatsGroup(_ unescaped: String) -> Bool {
        [")*", ")+", "){"].contains { unescaped.contains($0) }
    }

    /// Whether Swift may interpret a pattern for this text in another way than ECMA-262.
    ///
    /// Within a character class, `--`, `&&` and `~~` are operators in Swift, but plain characters in ECMA-262. With the
    /// options of `matches(pattern:)`, `\s` matches only the spaces of ASCII.
    private func hasOtherMeaning(_ pattern: String, _ unescaped: String) -> Bool {
        let mayHaveOperator = unescaped.contains("[") && ["--", "&&", "~~"].contains { pattern.contains($0) }
        if mayHaveOperator { return true }
        let matchesSpaces = pattern.contains("\\s") || pattern.contains("\\S")
        let isASCII = utf8.allSatisfy { $0 < 0x80 }
        return matchesSpaces && !isASCII
    }

    /// An estimate of the greatest number of steps for a pattern without repeated groups.
    ///
    /// Each repetition can match any number of bytes from its start, and each option doubles the number of ways.
    private func maximumSteps(of unescaped: String) -> Double {
        let ways = Double(utf8.count + 1)
        // A repetition with a fixed count, such as `{4}`, matches in one way only.
        return unescaped.replacing(/\{\d+\}/, with: "").utf8.reduce(ways) { steps, sign in
            switch sign {
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"): steps * ways
            case UInt8(ascii: "?"), UInt8(ascii: "|"): steps * 2
            default: steps
            }
        }
    }
}
