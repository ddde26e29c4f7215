// Lists and objects in a path, in the three notations of RFC 6570 that OpenAPI calls simple, label and matrix.

extension URLPath.StringInterpolation {
    /// Appends a list or an object, separated by commas: `users/\(list: [1, 2])` is `users/1,2`.
    ///
    /// Only the separators stay as they are; a comma in a value is encoded. The members of an object are `R,100,G,200`
    /// or, exploded, `R=100,G=200` (RFC 6570, section 3.2.2). An empty list is an error, as an empty value is.
    public mutating func appendInterpolation(list value: some ParameterValue, exploded: Bool = false, name: String = "")
    {
        append(value.parameterNode, PathNotation(prefix: "", separator: ",", isExploded: exploded), name)
    }

    /// Appends a value, a list or an object after a dot: `map\(label: [1, 2])` is `map.1,2` or, exploded, `map.1.2`
    /// (RFC
    /// 6570, section 3.2.5).
    public mutating func appendInterpolation(
        label value: some ParameterValue, exploded: Bool = false, name: String = ""
    ) {
        append(
            value.parameterNode, PathNotation(prefix: ".", separator: exploded ? "." : ",", isExploded: exploded), name)
    }

    /// Appends a value, a list or an object with a name after a semicolon: `map\(matrix: [1, 2], name: "id")` is
    /// `map;id=1,2` or, exploded, `map;id=1;id=2` (RFC 6570, section 3.2.7).
    public mutating func appendInterpolation(matrix value: some ParameterValue, exploded: Bool = false, name: String) {
        append(
            value.parameterNode,
            PathNotation(prefix: ";", separator: exploded ? ";" : ",", isExploded: exploded, key: name), name)
    }

    /// Appends a value in a notation; one that a path cannot hold becomes a problem.
    private mutating func append(_ node: Parameters.Node, _ notation: PathNotation, _ name: String) {
        do throws(RequestError) {
            guard let text = try notation.text(of: node, named: name) else {
                note(.emptyValue(name: name))
                return
            }
            append(encoded: text, name)
        } catch {
            note(.invalidValue(error.message))
        }
    }
}

/// A notation of values in a path (RFC 6570).
private struct PathNotation {
    /// What begins the value: nothing, a dot or a semicolon.
    let prefix: String
    /// What stands between the elements of a list, or the members of an object.
    let separator: String
    /// Whether each element has the prefix and the key of its own, and each member is `name=value`.
    let isExploded: Bool
    /// The name before the value, as in `;id=1`; nil if the notation has none.
    var key: String?

    /// Returns the bytes of a value, percent-encoded; nil for an empty list or object.
    ///
    /// - Throws: ``RequestError`` for a value that cannot be sent, and for a list within a list.
    func text(of node: Parameters.Node, named name: String) throws(RequestError) -> [UInt8]? {
        var parts: [[UInt8]] = []
        switch node.content {
        case .list(let nodes, _):
            for node in nodes { parts.append(try exploded(encoded(node, name))) }
        case .object(let members, _):
            for member in members.fields {
                let value = try encoded(member.value, member.name)
                if isExploded {
                    parts.append(encoded(member.name) + "=".utf8 + value)
                } else {
                    parts += [encoded(member.name), value]
                }
            }
        default:
            parts = [try exploded(encoded(node, name))]
        }
        guard !parts.isEmpty else { return nil }
        var text = Array(prefix.utf8)
        if let key, !isExploded { text += encoded(key) + "=".utf8 }
        return text + parts.joined(separator: separator.utf8)
    }

    /// An element with the key of its own, as in `;id=1;id=2`, if the notation asks for that.
    private func exploded(_ element: [UInt8]) -> [UInt8] {
        guard isExploded, let key else { return element }
        return encoded(key) + "=".utf8 + element
    }

    private func encoded(_ node: Parameters.Node, _ name: String) throws(RequestError) -> [UInt8] {
        encoded(try node.text(named: name, style: ParameterStyle()))
    }

    private func encoded(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text, percentEncoded: .query)
        return bytes
    }
}
