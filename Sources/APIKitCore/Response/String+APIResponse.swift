extension String: APIResponse {
    /// Reads UTF-8.
    ///
    /// - Throws: ``ContentError`` if the bytes are not valid UTF-8.
    public static func process(data: Data) throws -> String {
        try text(of: data, charset: nil)
    }

    /// Reads text in the charset that the `Content-Type` names: UTF-8, which is also the default, UTF-16, UTF-32, ASCII
    /// or ISO 8859-1, by any of their registered names. A byte order mark is not part of the text.
    ///
    /// - Throws: ``ContentError`` for another charset, and for bytes that are not valid in theirs.
    public static func process(response: HTTPResponse) async throws -> String {
        try text(of: try await response.body.wholeData, charset: response.head.charset)
    }

    private static func text(of data: Data, charset: String?) throws(ContentError) -> String {
        let name = charset ?? "utf-8"
        guard let charset = Charset(name: name) else { throw .unsupported(charset: name) }
        guard let text = charset.text(of: data) else {
            throw ContentError(.invalidText, "the bytes are not valid \(name)")
        }
        return text
    }
}

extension HTTPResponse.Head {
    /// The charset that the `Content-Type` names, in lower case; nil if it names none, or an empty one.
    ///
    /// Some servers quote it with apostrophes, which are part of a token (RFC 9110, section 5.6.2) but of no charset's
    /// name.
    package var charset: String? {
        guard var name = contentType?.parameter("charset")?.utf8[...] else { return nil }
        let apostrophe = UInt8(ascii: "'")
        if name.count > 1, name.first == apostrophe, name.last == apostrophe { name = name.dropFirst().dropLast() }
        return Substring(name).trimmingSpaces().isEmpty ? nil : Substring(name).lowercased()
    }
}
