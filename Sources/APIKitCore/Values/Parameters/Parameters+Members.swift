extension Parameters {
    /// A value of a query or a form.
    enum Leaf {
        case text(String)
        /// Values with a separator between them.
        case joined([String], separator: Separator)
        /// A name without a value.
        case flag
        case file(FilePart)
    }

    /// What separates the values of a list that is written as one value.
    enum Separator: String {
        case comma = ","
        case space = " "
        case pipe = "|"
    }

    /// Calls a closure with the name and the value of each parameter, and of each element of its lists and objects.
    func forEachLeaf(
        style: ParameterStyle, _ body: (_ name: String, Leaf) throws(RequestError) -> Void
    ) throws(RequestError) {
        for (name, value) in fields { try value.forEachLeaf(named: name, style: style, body) }
    }
}

extension Parameters.Node {
    /// Calls a closure with each leaf of this node and its name, such as `tags[0]`. A leaf is what is written as one
    /// value: a plain value, a file, or a list or an object if its style joins it, as in `1,2`.
    fileprivate func forEachLeaf(
        named name: String, style: ParameterStyle,
        _ body: (_ name: String, Parameters.Leaf) throws(RequestError) -> Void
    ) throws(RequestError) {
        if let leaf = try leaf(named: name, style: style) {
            try body(name, leaf)
            return
        }
        // A list or an object may have its own notation, which also applies to those within it.
        var style = style
        switch content {
        case .list(let nodes, let ownNotation):
            if let ownNotation { style.lists = ownNotation }
            for (index, node) in nodes.enumerated() {
                try node.forEachLeaf(named: style.lists.name(ofElement: index, in: name), style: style, body)
            }
        case .object(let members, let ownNotation):
            if let ownNotation { style.members = ownNotation }
            for member in members.fields {
                let memberName = style.members.name(ofMember: member.name, in: name)
                try member.value.forEachLeaf(named: memberName, style: style, body)
            }
        case .null, .absent, .text, .number, .boolean, .date, .flag, .file, .invalid:
            break
        }
    }

    /// Returns what is written as one value; nil for a list or an object whose elements are written one by one.
    private func leaf(named name: String, style: ParameterStyle) throws(RequestError) -> Parameters.Leaf? {
        switch content {
        case .file(let file): return .file(file)
        case .flag: return .flag
        case .list(let nodes, let ownNotation):
            guard let separator = (ownNotation ?? style.lists).separator else { return nil }
            var texts: [String] = []
            for node in nodes { texts.append(try node.text(named: name, style: style)) }
            return .joined(texts, separator: separator)
        case .object(let members, let ownNotation):
            guard (ownNotation ?? style.members) == .commas else { return nil }
            var texts: [String] = []
            for member in members.fields {
                texts.append(member.name)
                texts.append(try member.value.text(named: member.name, style: style))
            }
            return .joined(texts, separator: .comma)
        case .null, .absent, .text, .number, .boolean, .date, .invalid:
            return .text(try text(named: name, style: style))
        }
    }

    /// Returns the text of a plain value.
    ///
    /// - Throws: ``RequestError`` for a list, an object, a flag or a file, which a list that is written as one value
    ///   cannot hold, and for a value that cannot be sent.
    @inline(never)
    func text(named name: String, style: ParameterStyle) throws(RequestError) -> String {
        switch content {
        case .null, .absent: ""
        case .text(let text), .number(let text): text
        case .boolean(let value):
            switch style.booleans {
            case .words: value ? "true" : "false"
            case .digits: value ? "1" : "0"
            }
        case .date(let date, let own): try (own ?? style.dates).text(of: date, named: name)
        case .invalid(let problem): throw RequestError(.parameters, "\(name.debugDescription): \(problem)")
        case .list, .object, .flag, .file:
            throw RequestError(.parameters, "the list \(name.debugDescription) holds more than plain values")
        }
    }
}

extension ParameterStyle.Lists {
    /// The separator of a list that is written as one value; nil if each element has its own name.
    fileprivate var separator: Parameters.Separator? {
        switch self {
        case .repeated, .brackets, .indexed: nil
        case .commas: .comma
        case .spaces: .space
        case .pipes: .pipe
        }
    }

    /// Returns the name of an element of a list, such as `tag[0]`.
    fileprivate func name(ofElement index: Int, in list: String) -> String {
        switch self {
        case .repeated, .commas, .spaces, .pipes: list
        case .brackets: "\(list)[]"
        case .indexed: "\(list)[\(index)]"
        }
    }
}

extension ParameterStyle.Members {
    /// Returns the name of a member of an object, such as `user[name]`.
    fileprivate func name(ofMember name: String, in object: String) -> String {
        switch self {
        case .brackets: "\(object)[\(name)]"
        case .dots: "\(object).\(name)"
        case .commas: object
        }
    }
}
