extension MultipartForm {
    /// Creates a form from parameters, which may hold files; a value that cannot be sent causes a ``RequestError`` from
    /// ``APIRequest/httpRequest()``.
    public init(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) {
        self.init()
        do throws(RequestError) {
            try parameters.forEachLeaf(style: style) { name, value throws(RequestError) in
                switch value {
                case .text(let text): append(text, for: name)
                case .commaList(let texts): if !texts.isEmpty { append(texts.joined(separator: ","), for: name) }
                case .file(let file): append(file, for: name)
                }
            }
        } catch {
            problem = error
        }
    }
}
