extension MultipartForm {
    /// Makes a form of parameters, which may hold files; what cannot be sent surfaces when the body is made.
    public init(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) {
        self.init()
        do throws(RequestError) {
            for field in parameters {
                try append(field.name, field.value, style: style)
            }
        } catch {
            problem = error
        }
    }

    private mutating func append(
        _ name: String, _ node: ParameterNode, style: ParameterStyle
    ) throws(RequestError) {
        if case .file(let file) = node.content {
            append(name, file)
        } else if let text = try node.plainText(named: name, style: style) {
            append(name, text)
        } else if case .list(let nodes) = node.content, style.lists == .commas {
            if !nodes.isEmpty { append(name, try commaList(nodes, named: name, style: style)) }
        } else {
            try node.forEachMember(of: name, style: style) { (name, node) throws(RequestError) in
                try append(name, node, style: style)
            }
        }
    }

    private func commaList(
        _ nodes: [ParameterNode], named name: String, style: ParameterStyle
    ) throws(RequestError) -> String {
        var texts: [String] = []
        for node in nodes {
            guard let text = try node.plainText(named: name, style: style) else {
                throw RequestError(.parameters, "the comma list \(name.debugDescription) holds more than plain values")
            }
            texts.append(text)
        }
        return texts.joined(separator: ",")
    }
}
