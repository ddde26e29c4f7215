extension RequestBody {
    /// Parameters as a JSON object, with its members in their order.
    public static func json(_ parameters: Parameters, style: ParameterStyle = ParameterStyle()) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            var writer = JSONWriter(style: style)
            try writer.append(parameters)
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
