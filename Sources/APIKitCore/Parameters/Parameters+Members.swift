/// What a query and a form need of a parameter: its text, or the parameters that it consists of.
extension Parameters.Field {
    /// The text of a plain value; nil for a file, a list or an object.
    func text(style: ParameterStyle) throws(RequestError) -> String? {
        switch value.content {
        case .null, .absent: ""
        case .text(let text), .number(let text): text
        case .boolean(let value):
            switch style.booleans {
            case .words: value ? "true" : "false"
            case .digits: value ? "1" : "0"
            }
        case .date(let date, let own): try (own ?? style.dates).text(of: date, named: name)
        case .invalid(let problem): throw RequestError(.parameters, "\(name.debugDescription): \(problem)")
        case .list, .object, .file: nil
        }
    }

    /// The texts of a list's elements if the style separates them by commas; nil for any other value or style.
    func commaList(style: ParameterStyle) throws(RequestError) -> [String]? {
        guard case .list = value.content, style.lists == .commas else { return nil }
        var texts: [String] = []
        for element in members(style: style)?.fields ?? [] {
            guard let text = try element.text(style: style) else {
                throw RequestError(.parameters, "the comma list \(name.debugDescription) holds more than plain values")
            }
            texts.append(text)
        }
        return texts
    }

    /// The elements of a list or the members of an object, with the names they get; nil for any other value.
    func members(style: ParameterStyle) -> Parameters? {
        switch value.content {
        case .list(let nodes):
            Parameters(
                nodes.enumerated().map { index, node in
                    switch style.lists {
                    case .repeated, .commas: Self(name: name, node: node)
                    case .brackets: Self(name: "\(name)[]", node: node)
                    case .indexed: Self(name: "\(name)[\(index)]", node: node)
                    }
                })
        case .object(let members):
            Parameters(
                members.fields.map { member in
                    switch style.members {
                    case .brackets: Self(name: "\(name)[\(member.name)]", node: member.value)
                    case .dots: Self(name: "\(name).\(member.name)", node: member.value)
                    }
                })
        case .null, .absent, .text, .number, .boolean, .date, .file, .invalid: nil
        }
    }
}
