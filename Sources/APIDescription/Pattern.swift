extension String {
    /// Whether the text has a match of a regular expression (ECMA-262); nil if the pattern is not tried, since it may
    /// be slow or means something else in Swift.
    func matches(pattern: String) -> Bool? {
        let signs = pattern.replacing(/\\./, with: "")
        guard !Self.repeatsGroup(signs), !isReadOtherwise(pattern, signs) else { return nil }
        guard stepLimit(of: signs) < 1_000_000, let regex = try? Regex(pattern) else { return nil }
        return contains(
            regex.asciiOnlyCharacterClasses().wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar))
    }

    /// Whether a pattern repeats a group, which may take time without end, as `(a+)+` does.
    private static func repeatsGroup(_ signs: String) -> Bool {
        [")*", ")+", "){"].contains { signs.contains($0) }
    }

    /// Whether Swift reads a pattern otherwise than ECMA-262. Two signs of a class such as `&&` are an operator in
    /// Swift, and `\s` has the spaces of ASCII only.
    private func isReadOtherwise(_ pattern: String, _ signs: String) -> Bool {
        let holdsOperator = signs.contains("[") && ["--", "&&", "~~"].contains { pattern.contains($0) }
        let holdsSpaces = pattern.contains("\\s") || pattern.contains("\\S")
        return holdsOperator || (holdsSpaces && !utf8.allSatisfy { $0 < 0x80 })
    }

    /// About how many steps a pattern without repeated groups may take: as many as there are ways to divide the text
    /// between what it repeats.
    private func stepLimit(of signs: String) -> Double {
        let ways = Double(utf8.count + 1)
        // A fixed count leaves one way.
        return signs.replacing(/\{\d+\}/, with: "").utf8.reduce(ways) { steps, sign in
            switch sign {
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"): steps * ways
            case UInt8(ascii: "?"), UInt8(ascii: "|"): steps * 2
            default: steps
            }
        }
    }
}
