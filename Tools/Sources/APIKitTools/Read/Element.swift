import OpenAPIRules

/// A value of a document and where it is.
struct Element {
    let node: Node
    /// The name of the file, relative to the folder of the description's first file.
    let file: String
    /// The place in the file, as a JSON pointer (RFC 6901).
    let path: String
    /// Whether the element is in a referenced file. Errors do not quote such files.
    var isReferenced = false

    /// The location of the value.
    var place: Place { Place(file: file, line: Int(node.line), path: path) }
    /// A unique identifier of the value in the description.
    var id: String { "\(file)#\(path)" }

    /// The element for a value within this one.
    private func inner(_ node: Node, at key: String) -> Element {
        Element(node: node, file: file, path: Reference.pointer(path, key), isReferenced: isReferenced)
    }

    /// The member with a name, or the element with an index; nil if it does not exist.
    func child(_ key: String) -> Element? {
        switch node.content {
        case .object(let members):
            guard let member = members[key] else { return nil }
            return inner(member, at: key)
        case .list(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return inner(elements[index], at: key)
        default:
            return nil
        }
    }

    /// Whether there is a member with a name.
    func has(_ key: String) -> Bool { hasAny(of: key) }

    /// Whether there is a member with at least one of several names.
    func hasAny(of keys: String...) -> Bool {
        guard case .object(let members) = node.content else { return false }
        return keys.contains { members[$0] != nil }
    }

    /// An error about this value. In a referenced file, the error leaves out the path, since that consists of texts
    /// from the file.
    func error(_ message: String) -> DescriptionError { DescriptionError(message, at: shownPlace) }

    /// The location without the path, if that consists of texts from a referenced file.
    var shownPlace: Place { isReferenced ? Place(file: file, line: Int(node.line)) : place }

    /// An error about this value that begins with a text from it. A text from a referenced file is not quoted.
    func error(about text: String, _ message: String) -> DescriptionError {
        error(isReferenced ? "a text here \(message)" : "\"\(text)\" \(message)")
    }

    private func mismatch(_ expected: String) -> DescriptionError {
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
