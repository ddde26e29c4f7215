#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: APIResponse {
    /// Reads UTF-8.
    ///
    /// - Throws: ``TextError`` where the bytes are none.
    public static func process(data: Data) throws -> String {
        try text(of: data, charset: nil)
    }

    /// Reads text in the charset that the `Content-Type` names: UTF-8 (also where it names none), UTF-16, UTF-32, ASCII or
    /// ISO 8859-1. A byte order mark is not part of the text.
    ///
    /// - Throws: ``TextError`` for another charset, and for bytes that are not text in theirs.
    public static func process(response: HTTPResponse) async throws -> String {
        try text(of: response.body.data ?? Data(), charset: response.head.contentType?.parameter("charset"))
    }

    private static func text(of data: Data, charset: String?) throws(TextError) -> String {
        let name = (charset ?? "utf-8").lowercased()
        guard let encoding = encodings[name] else { throw TextError(charset: name, isKnown: false) }
        guard let text = String(data: data, encoding: encoding) else { throw TextError(charset: name, isKnown: true) }
        return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
        "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "latin1": .isoLatin1,
        "utf-16": .utf16, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
    ]
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
