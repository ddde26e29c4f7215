extension String {
    /// Whether the text has a match of a regular expression (ECMA-262). Patterns that may be slow are not tried, nor
    /// are those that mean something else in Swift: every text fits them.
    ///
    /// A pattern that repeats a group may take time without end, as `(a+)+` does. Others take at most about as many
    /// steps as there are ways to divide the text between what they repeat. Two signs of a class such as `&&` are an
    /// operator in Swift, and `\s` has the spaces of ASCII only.
    func fits(pattern: String) -> Bool {
        let signs = pattern.replacing(/\\./, with: "")
        guard ![")*", ")+", "){"].contains(where: signs.contains) else { return true }
        if signs.contains("["), ["--", "&&", "~~"].contains(where: pattern.contains) { return true }
        if ["\\s", "\\S"].contains(where: pattern.contains), !utf8.allSatisfy({ $0 < 0x80 }) { return true }
        let steps = signs.replacing(/\{\d+\}/, with: "").utf8.reduce(Double(utf8.count + 1)) { steps, byte in
            steps * ("*+{".utf8.contains(byte) ? Double(utf8.count + 1) : "?|".utf8.contains(byte) ? 2 : 1)
        }
        guard steps < 1_000_000, let regex = try? Regex(pattern) else { return true }
        return contains(
            regex.asciiOnlyCharacterClasses().wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar))
    }
}
