import OpenAPIRules

extension Element {
    /// The location of the value.
    var place: Place { Place(file: file, line: Int(node.line), path: path) }

    /// The location without the path, if that consists of texts from a referenced file.
    var shownPlace: Place { isReferenced ? Place(file: file, line: Int(node.line)) : place }

    /// An error about this value. In a referenced file, the error leaves out the path, since that consists of texts
    /// from the file.
    func error(_ message: String) -> DescriptionError { DescriptionError(message, at: shownPlace) }

    /// An error about this value that begins with a text from it. A text from a referenced file is not quoted.
    func error(about text: String, _ message: String) -> DescriptionError {
        error(isReferenced ? "a text here \(message)" : "\"\(text)\" \(message)")
    }

    /// An error that says which kind of value was expected, and which was found.
    func mismatch(_ expected: String) -> DescriptionError {
        error("expected \(expected), and found \(node.kindName)")
    }
}

// MARK: - Members of a known kind

extension Element {
    /// The text of a member; nil if there is none.
    func text(_ key: String) throws -> String? {
        guard let child = child(key) else { return nil }
        guard case .text(let text) = child.node.content else { throw child.mismatch("a text") }
        return text
    }

    /// The text of a member; nil if it is missing or not a text. For texts that a description can be read without.
    func prose(_ key: String) -> String? {
        guard case .text(let text)? = child(key)?.node.content else { return nil }
        return text
    }

    /// Whether a member is true.
    func flag(_ key: String) throws -> Bool {
        guard let child = child(key) else { return false }
        guard case .boolean(let flag) = child.node.content else { throw child.mismatch("true or false") }
        return flag
    }

    /// The elements of a member; nil if there is none.
    func list(_ key: String) throws -> [Element]? {
        guard let child = child(key) else { return nil }
        guard case .list(let nodes) = child.node.content else { throw child.mismatch("a list") }
        return nodes.enumerated().map { index, node in child.inner(node, at: "\(index)") }
    }

    /// The texts in a member that is a list; empty if there is none.
    func texts(_ key: String) throws -> [String] {
        try (list(key) ?? []).map { element in
            guard case .text(let text) = element.node.content else { throw element.mismatch("a text") }
            return text
        }
    }

    /// The members of a member, sorted by name; empty if there is none.
    func members(_ key: String) throws -> [(name: String, value: Element)] {
        try child(key)?.members() ?? []
    }

    /// The members, sorted by name.
    func members() throws -> [(name: String, value: Element)] {
        guard case .object(let members) = node.content else { throw mismatch("an object") }
        let sorted = members.sorted { $0.key < $1.key }
        return sorted.map { name, node in (name, inner(node, at: name)) }
    }
}
