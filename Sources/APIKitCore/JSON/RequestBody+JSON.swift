extension RequestBody {
    /// A value as JSON, written with the given encoder; by default with the value's own if it is a ``JSONBody``, and
    /// otherwise with `JSONEncoder.api`, which writes dates in ISO 8601 and sorts members by key.
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            do {
                return try (encoder ?? StandardJSON.encoder(for: type(of: value))).encode(value)
            } catch {
                throw RequestError(.body, "\(type(of: value)) could not be encoded: \(ErrorText.of(error))")
            }
        }
    }
}
