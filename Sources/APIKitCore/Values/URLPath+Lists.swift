import APIKitSupport

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
    /// (RFC 6570, section 3.2.5).
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

    /// Appends a value in a notation. One that a path cannot hold becomes a problem, and so does one that is empty, or
    /// whose notation needs a name but has an empty one.
    private mutating func append(_ node: Parameters.Node, _ notation: PathNotation, _ name: String) {
        do throws(RequestError) {
            let values = try notation.values(of: node, named: name)
            let text = notation.text(of: values)
            guard !values.isEmpty, !text.isEmpty, notation.key != "" else {
                note(.emptyValue(name: name))
                return
            }
            append(encoded: text, name, values: values.map(\.text))
            for member in values {
                if let memberName = member.name { addNamedValue(memberName, member.text) }
            }
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

    /// An element of a list, or a member of an object, percent-encoded.
    struct Value {
        /// The name of a member; nil for an element.
        var name: [UInt8]?
        let text: [UInt8]
    }

    /// Returns the elements of a list, the members of an object, or a single value as the only element.
    ///
    /// - Throws: ``RequestError`` for a value that cannot be sent, and for a list within a list.
    func values(of node: Parameters.Node, named name: String) throws(RequestError) -> [Value] {
        var values: [Value] = []
        switch node.content {
        case .list(let nodes, _):
            for element in nodes { values.append(Value(text: try encoded(element, name))) }
        case .object(let members, _):
            for member in members.fields {
                values.append(Value(name: encoded(member.name), text: try encoded(member.value, member.name)))
            }
        default:
            values = [Value(text: try encoded(node, name))]
        }
        return values
    }

    /// Writes values, such as `;id=1,2` for the elements 1 and 2.
    func text(of values: [Value]) -> [UInt8] {
        var joined: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { joined += separator.utf8 }
            joined += self.text(of: value)
        }
        var text = Array(prefix.utf8)
        // The key comes once, before all values, unless each of them has it.
        if let key, !isExploded {
            text += pair(encoded(key), joined)
        } else {
            text += joined
        }
        return text
    }

    /// Writes one value: itself, or its name and itself; exploded, a pair such as `id=1`.
    private func text(of value: Value) -> [UInt8] {
        if isExploded {
            guard let name = value.name ?? key.map(encoded) else { return value.text }
            return pair(name, value.text)
        }
        guard let name = value.name else { return value.text }
        return name + separator.utf8 + value.text
    }

    /// `name=value`. After a semicolon, an empty value has no `=` (RFC 6570, section 3.2.7).
    private func pair(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
        let isNameAlone = value.isEmpty && key != nil
        return isNameAlone ? name : name + "=".utf8 + value
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
