extension RequestBody {
    /// A value as JSON: by the given encoder; otherwise by the value's own, if it is a ``JSONAPIBody``; otherwise by
    /// ``StandardJSON``, with dates in ISO 8601 and members sorted by key, so that the wire is the same each time.
    public static func json(_ value: some Encodable, encoder: (any DataEncoder)? = nil) -> RequestBody {
        RequestBody(contentType: .json) { () throws(RequestError) in
            do {
                return try (encoder ?? StandardJSON.encoder(for: type(of: value))).encode(value)
            } catch {
                throw RequestError(.body, "\(type(of: value)) could not be encoded: \(ErrorText.of(error))")
            }
        }
    }
}
