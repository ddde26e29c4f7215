@_spi(Tools) import APIKitJSON

extension JSONWriter {
    /// Writes parameters as an object, with its members in the order of the parameters:
    /// `{"limit":20,"tags":["a","b"]}`.
    ///
    /// - Throws: ``RequestError`` for a file, a number that is not finite, or a name that appears twice in one object.
    mutating func object(_ parameters: Parameters, style: ParameterStyle) throws(RequestError) {
        // Names are compared by their bytes, since Swift considers the two spellings of é equal.
        var names: Set<[UInt8]> = []
        beginObject(.compact)
        for member in parameters.fields {
            guard names.insert(Array(member.name.utf8)).inserted else {
                throw RequestError(.parameters, "\(member.name.debugDescription) appears twice in a JSON object")
            }
            name(member.name)
            try value(member.value, named: member.name, style: style)
        }
        end()
    }

    /// Writes the value of a parameter. Its name is only needed for errors; the elements of a list have that of the
    /// list.
    private mutating func value(
        _ node: Parameters.Node, named name: String, style: ParameterStyle
    ) throws(RequestError) {
        switch node.content {
        case .null, .absent: literal("null")
        case .text(let text): string(text)
        case .number(let digits): literal(digits)
        case .boolean(let value): literal(value ? "true" : "false")
        case .date(let date, let ownFormat):
            let format = ownFormat ?? style.dates
            let text = try format.text(of: date, named: name)
            if format.isNumber {
                literal(text)
            } else {
                string(text)
            }
        case .list(let nodes, _):
            beginArray(.compact)
            for node in nodes { try value(node, named: name, style: style) }
            end()
        case .object(let members, _):
            try object(members, style: style)
        case .flag: literal("true")
        case .file:
            let problem = "the file \(name.debugDescription) does not fit into JSON: use an APIRequest for a form"
            throw RequestError(.parameters, problem)
        case .invalid(let problem):
            throw RequestError(.parameters, "\(name.debugDescription): \(problem)")
        }
    }
}
