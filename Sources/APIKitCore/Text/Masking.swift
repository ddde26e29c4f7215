/// Keeps secrets out of error texts and descriptions.
package enum Masking {
    package static let mask = "***"

    /// A URL without user information and with the values of secret query parameters masked.
    package static func url(_ url: URL) -> String {
        text(url.absoluteString)
    }

    /// A text without some values, of which one may begin with another. They are found byte by byte, since a combining
    /// character would hide the end of one.
    package static func text(_ text: String, hiding values: [String]) -> String {
        values.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) {
            String(decoding: Array($0.utf8).replacing($1.utf8, with: mask.utf8), as: UTF8.self)
        }
    }

    /// The start of some bytes as text, with secrets and some values masked; the number of bytes if they are not text.
    static func excerpt(of data: Data, limit: Int, onOneLine: Bool, hiding values: [String] = []) -> String {
        // Cut after masking, so that a secret at the cut is still recognized.
        let start = data.prefix(limit * 4)
        let decoded = String(decoding: start, as: UTF8.self)
        let isText = !start.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let repairs = decoded.unicodeScalars.count { $0 == "\u{FFFD}" }
        guard isText, repairs == 0 || repairs * 4 < decoded.unicodeScalars.count else { return "(\(data.count) bytes)" }
        var masked = text(text(decoded, hiding: values))
        if onOneLine { masked = oneLine(masked) }
        return masked.count > limit || start.count < data.count ? "\(masked.prefix(limit))…" : masked
    }

    /// The lines of a text in one line.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
    }

    /// Any text with the values of secret names masked, as in a file that is kept.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - vocabulary: Which names are those of secrets.
    ///   - replacing: Returns what replaces a value of a JSON member that is a number, a list or an object; nil has all
    ///     values replaced by the mask.
    /// - Returns: The text, and the values that were masked in it.
    package static func text(
        _ text: String, _ vocabulary: SecretVocabulary, replacing: ((String) -> String)? = nil
    ) -> (text: String, secrets: [String]) {
        var scanner = SecretScanner(text, vocabulary: vocabulary)
        return scanner.maskedWithSecrets(replacing: replacing)
    }

    /// Any text with the values of secret names masked, and the user information of URLs removed.
    package static func text(_ text: String) -> String {
        var scanner = SecretScanner(text)
        return scanner.masked()
    }
}
