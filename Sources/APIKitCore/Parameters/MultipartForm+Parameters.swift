extension MultipartForm {
    /// Creates a form from parameters, which may hold files; a value that cannot be sent causes a ``RequestError`` from
    /// ``APIRequest/httpRequest()``.
    public init(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) {
        self.init()
        do throws(RequestError) {
            try append(parameters, style: style)
        } catch {
            problem = error
        }
    }

    private mutating func append(_ parameters: Parameters, style: ParameterStyle) throws(RequestError) {
        for field in parameters.fields {
            if case .file(let file) = field.value.content {
                append(file, for: field.name)
            } else if let text = try field.text(style: style) {
                append(text, for: field.name)
            } else if let texts = try field.commaList(style: style) {
                if !texts.isEmpty { append(texts.joined(separator: ","), for: field.name) }
            } else if let members = field.members(style: style) {
                try append(members, style: style)
            }
        }
    }
}
