import APIKitCore

extension JSONTokens {
    /// Whether a text is JSON, nested up to 512 deep.
    ///
    /// A string may contain half of a surrogate pair, which `JSONDecoder` refuses only when it decodes that string. The
    /// names of members can still be found in such a text.
    static func areValid(in data: Data) -> Bool {
        // `JSONDecoder` ends the process if the last byte of a text opens an array beyond its limit of nesting. The
        // appended space avoids that.
        (try? JSONDecoder().decode(Anything.self, from: data + [0x20])) != nil
    }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// The text of a string token; nil for an invalid escape, a control character, and invalid UTF-8.
    static func unescaped(_ token: ArraySlice<UInt8>) -> String? {
        try? JSONReader().decode(String.self, from: token)
    }
}
