extension Unicode.Scalar {
    /// Whether the character ends a line, is invisible, or changes the order in which an editor shows other characters,
    /// as in the attack Trojan Source (CVE-2021-42574). Lines of generated code and of messages never contain such
    /// characters.
    var isInvisible: Bool {
        // The tables of Unicode are slow, and most texts are ASCII.
        if isASCII { return value < 0x20 || value == 0x7F }
        if properties.isDefaultIgnorableCodePoint { return true }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The text in one line, with a space in place of each invisible character: for comments and messages.
    var visible: String {
        guard unicodeScalars.contains(where: { $0.isInvisible }) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars { result.append(scalar.isInvisible ? " " : scalar) }
        return String(result)
    }
}
