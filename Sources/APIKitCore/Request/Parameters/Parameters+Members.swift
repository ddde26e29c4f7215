extension Parameters {
    /// A value of a query or a form.
    enum Leaf {
        case text(String)
        /// The elements of a list that the style separates by commas.
        case commaList([String])
        case file(FilePart)
    }

    /// Calls a closure with the name and the value of each parameter, and of each element of its lists and objects.
    func forEachLeaf(
        style: ParameterStyle, _ body: (_ name: String, Leaf) throws(RequestError) -> Void
    ) throws(RequestError) {
        for (name, value) in fields { try value.forEachLeaf(named: name, style: style, body) }
    }
}

extension Parameters.Node {
    /// Calls a closure with each plain value and file in this node. The style names the elements of lists and the
    /// members of objects, such as `tags[0]`.
    fileprivate func forEachLeaf(
        named name: String, style: ParameterStyle,
        _ body: (_ name: String, Parameters.Leaf) throws(RequestError) -> Void
    ) throws(RequestError) {
        switch content {
        case .file(let file): try body(name, .file(file))
        case .list(let nodes) where style.lists == .commas:
            var texts: [String] = []
            for node in nodes { texts.append(try node.text(named: name, style: style)) }
            try body(name, .commaList(texts))
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                try node.forEachLeaf(named: style.name(ofElement: index, in: name), style: style, body)
            }
        case .object(let members):
            for member in members {
                let name = style.name(ofMember: member.name, in: name)
                try member.value.forEachLeaf(named: name, style: style, body)
            }
        case .null, .absent, .text, .number, .boolean, .date, .invalid:
            try body(name, .text(try text(named: name, style: style)))
        }
    }

    /// The text of a plain value.
    ///
    /// - Throws: ``RequestError`` for a list, an object or a file within a comma list, and for a value that cannot be
    ///   sent.
    @inline(never)
    private func text(named name: String, style: ParameterStyle) throws(RequestError) -> String {
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
        case .list, .object, .file:
            throw RequestError(.parameters, "the comma list \(name.debugDescription) holds more than plain values")
        }
    }
}

extension ParameterStyle {
    fileprivate func name(ofElement index: Int, in list: String) -> String {
        switch lists {
        case .repeated, .commas: list
        case .brackets: "\(list)[]"
        case .indexed: "\(list)[\(index)]"
        }
    }

    fileprivate func name(ofMember name: String, in object: String) -> String {
        switch members {
        case .brackets: "\(object)[\(name)]"
        case .dots: "\(object).\(name)"
        }
    }
}
