extension Server {
    /// Whether a function can have a parameter for the variable at a position. A caller must be able to pass the
    /// default value too, and a value after the name of a host must not become a part of that name.
    func canChange(_ variable: Variable, at position: Int) -> Bool {
        // Any of the values that the description lists can be passed.
        let isText = variable.values.isEmpty
        if !isText { return true }
        let signs = signs(allowedAt: position)
        let hasPossibleDefault = variable.defaultValue?.hasOnlyLettersDigits(andSigns: signs) ?? true
        return hasPossibleDefault && !isEmptyAfterHost(at: position)
    }

    /// The signs that the value of a variable may have besides letters and digits. They keep the value in the part of
    /// the URL where the variable stands. In `https://{region}.example.com/{version}`, a `region` with a slash would
    /// begin the path, so it may only have `-` and `.`, while a `version` may also have slashes.
    ///
    ///     place of the variable                                  signs
    ///     in the scheme: `{scheme}://example.com`                none
    ///     the beginning of the URL: `{server}/v1`                - . _ ~ : /
    ///     in the path                                            - . _ ~ /
    ///     the port                                               none
    ///     in the host, but not at its end                        - .
    ///     the whole host, or its end with a port by default      - . :
    ///     the end of the host                                    - .
    func signs(allowedAt position: Int) -> String {
        let before = textBefore(position)
        let next = characterAfter(position)
        guard let hostStart = before.firstRange(of: "://")?.upperBound else {
            // The variable is a part of the scheme, or the beginning of the URL: `{server}/v1`.
            let isScheme = next == ":" || !before.isEmpty
            return isScheme ? "" : "-._~:/"
        }
        let isInPath = before[hostStart...].contains("/")
        if isInPath { return "-._~/" }
        // After a colon, only the digits of a port can be meant.
        if before.hasSuffix(":") { return "" }
        let isWholeHost = before.hasSuffix("://")
        let endsHost = next == nil || next == "/"
        guard endsHost else { return "-." }
        // The name of a host may have a port if the description does not have one in its place.
        return isWholeHost || hasPort(inDefaultAt: position) ? "-.:" : "-."
    }

    /// Whether the default value of the variable at a position has a port.
    private func hasPort(inDefaultAt position: Int) -> Bool {
        guard case .variable(let variable) = parts[position] else { return false }
        return variable.defaultValue?.contains(":") ?? false
    }

    /// Whether a variable that is empty by default stands after the name of a host, as in `https://example.com{path}`.
    /// Any other value without a slash would become a part of that name.
    private func isEmptyAfterHost(at position: Int) -> Bool {
        guard case .variable(let variable) = parts[position], variable.defaultValue?.isEmpty == true else {
            return false
        }
        let before = textBefore(position)
        guard let start = before.firstRange(of: "://")?.upperBound, start < before.endIndex else { return false }
        let isInHost = !before[start...].contains("/")
        let next = characterAfter(position)
        return isInHost && (next == nil || next == "/")
    }

    /// The first character after the variable at a position; a brace if it is another variable, and nil at the end.
    private func characterAfter(_ position: Int) -> Character? {
        guard position + 1 < parts.count else { return nil }
        switch parts[position + 1] {
        case .text(let text): return text.first
        case .variable: return "{"
        }
    }

    /// The URL before a position, with the names of variables in braces.
    private func textBefore(_ position: Int) -> String { parts[..<position].map(Self.text).joined() }

    /// A part of a URL as text: that of a variable is its name in braces, such as `{region}`.
    private static func text(of part: Part) -> String {
        switch part {
        case .text(let text): text
        // A slash in a name would look like the beginning of the path.
        case .variable(let variable): "{\(variable.name.filter { $0 != "/" })}"
        }
    }
}

extension String {
    /// Whether the text has only letters and digits of ASCII, and the given signs.
    fileprivate func hasOnlyLettersDigits(andSigns signs: String) -> Bool {
        allSatisfy { $0.isASCIIAlphanumeric || signs.contains($0) }
    }
}
