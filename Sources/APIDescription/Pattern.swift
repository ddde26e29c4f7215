extension String {
    /// Whether the text has a match of a regular expression (ECMA-262), as far as that can be said in a short time.
    ///
    /// A pattern that repeats a group may take time without end, as `(a+)+` does. Others take at most about as many
    /// steps as there are ways to divide the text between what they repeat.
    func fits(pattern: String) -> Bool {
        let signs = pattern.replacing(/\\./, with: "")
        guard ![")*", ")+", "){"].contains(where: signs.contains) else { return true }
        let steps = signs.replacing(/\{\d+\}/, with: "").utf8.reduce(Double(utf8.count + 1)) { steps, byte in
            steps * ("*+{".utf8.contains(byte) ? Double(utf8.count + 1) : "?|".utf8.contains(byte) ? 2 : 1)
        }
        guard steps < 1_000_000, let regex = try? Regex(pattern) else { return true }
        return contains(regex.asciiOnlyCharacterClasses().matchingSemantics(.unicodeScalar))
    }
}
