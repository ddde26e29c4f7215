extension Unicode.Scalar {
    /// Whether it ends a line, is invisible, or changes where an editor shows other characters, as the ones of Trojan
    /// Source (CVE-2021-42574) do. Generated code and messages contain none, however a description is written.
    var isInvisible: Bool {
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

extension String {
    /// The text in one line, with a space in place of each invisible character: for comments and messages.
    var visible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars { result.append(scalar.isInvisible ? " " : scalar) }
        return String(result)
    }
}
