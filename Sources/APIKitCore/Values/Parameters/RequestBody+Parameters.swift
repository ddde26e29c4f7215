@_spi(Tools) import APIKitJSON

extension RequestBody {
    /// Parameters as a JSON object, with its members in their order.
    public static func json(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            var writer = JSONWriter()
            try writer.object(parameters, style: style)
            return Data(writer.bytes)
        }
    }

    /// Parameters as a plain form, `application/x-www-form-urlencoded` (WHATWG URL, section 5).
    public static func form(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) -> RequestBody {
        RequestBody(contentType: .formURLEncoded) { () throws(RequestError) in
            var encoder = QueryEncoder(.form, style: style)
            try encoder.append(parameters)
            return Data(encoder.bytes)
        }
    }
}

extension MultipartForm {
    /// Creates a form from parameters, which may hold files; a value that cannot be sent causes a ``RequestError`` from
    /// ``APIRequest/httpRequest()``.
    public init(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) {
        self.init()
        do throws(RequestError) {
            try parameters.forEachLeaf(style: style) { name, value throws(RequestError) in
                switch value {
                case .text(let text): append(text, for: name)
                case .joined(let texts, let separator):
                    if !texts.isEmpty { append(texts.joined(separator: separator.rawValue), for: name) }
                case .flag: append("", for: name)
                case .file(let file): append(file, for: name)
                }
            }
        } catch {
            problem = error
        }
    }
}
