extension String: APIResponse {
    /// Reads UTF-8.
    ///
    /// - Throws: ``TextError`` where the bytes are none.
    public static func process(data: Data) throws -> String {
        try text(of: data, charset: nil)
    }

    /// Reads text in the charset that the `Content-Type` names: UTF-8 (also if it names no charset, or an empty one), UTF-16,
    /// UTF-32, ASCII or ISO 8859-1. A byte order mark is not part of the text.
    ///
    /// - Throws: ``TextError`` for another charset, and for bytes that are not text in theirs.
    public static func process(response: HTTPResponse) async throws -> String {
        try text(of: try await response.body.wholeData, charset: response.head.charset)
    }

    private static func text(of data: Data, charset: String?) throws(TextError) -> String {
        let name = charset ?? "utf-8"
        guard let charset = Charset(name: name) else { throw TextError(charset: name, isKnown: false) }
        guard let text = charset.text(of: data) else { throw TextError(charset: name, isKnown: true) }
        guard text.unicodeScalars.first == "\u{FEFF}" else { return text }
        return String(text.unicodeScalars.dropFirst())
    }
}

/// Why a body could not be read as text.
public struct TextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The charset that the response named, in lower case; `utf-8` where it named none.
    public let charset: String
    /// Whether it is a charset that `String` is read from; then the bytes were not text in it.
    public let isKnown: Bool

    /// What is wrong, in words.
    public var description: String {
        isKnown ? "the bytes are not valid \(charset)" : "the charset \(charset.debugDescription) is not known"
    }
}

extension HTTPResponse.Head {
    /// The charset that the `Content-Type` names, in lower case; nil if it names none, or an empty one.
    var charset: String? {
        guard let name = contentType?.parameter("charset"), !name.trimmingSpaces().isEmpty else { return nil }
        return name.lowercased()
    }
}
