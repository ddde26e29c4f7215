/// Keeps secrets out of error texts and descriptions.
package enum Masking {
    package static let mask = "***"

    /// A URL without user information and with the values of secret query parameters masked.
    package static func url(_ url: URL) -> String {
        masked(url.absoluteString)
    }

    /// A masked text for an error or a log: at most 1,000 bytes, since a server or a caller may have made it as long as
    /// it likes. It is cut after masking, so that a secret at the cut is recognized.
    @inline(never)
    package static func bounded(_ text: String) -> String {
        let limit = 1000
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }

    /// A text without some values, of which one may begin with another. They are found byte by byte, since a combining
    /// character would hide the end of one.
    @inline(never)
    package static func masked(_ text: String, hiding values: [String]) -> String {
        values.sorted { $0.utf8.count > $1.utf8.count }.reduce(text) {
            String(decoding: Array($0.utf8).replacing($1.utf8, with: mask.utf8), as: UTF8.self)
        }
    }

    /// Whether bytes are markup or a multipart form, in which secrets are not found as in other texts.
    package static func hasHiddenNames(_ data: Data) -> Bool { isMarkup(data) || isForm(data) }

    private static func isForm(_ data: Data) -> Bool { trimmed(data).starts(with: "--".utf8) }

    private static func trimmed(_ data: Data) -> Data {
        (data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data).drop { " \t\r\n".utf8.contains($0) }
    }

    private static func isMarkup(_ data: Data) -> Bool {
        let start = trimmed(data)
        let isJSON = start.first.map("{[".utf8.contains) ?? false
        return start.starts(with: "<".utf8)
            || !isJSON && !isForm(data)
                && zip(start, start.dropFirst()).contains { $0 == UInt8(ascii: "<") && $1 == UInt8(ascii: "/") }
    }

    /// The start of some bytes as text, with secrets and some values masked: JSON, a form, plain text, or the title and
    /// the message of markup. For anything else, returns the number of bytes.
    package static func excerpt(of data: Data, limit: Int, onOneLine: Bool, hiding values: [String] = []) -> String {
        // Cut after masking, so that a secret at the cut is still recognized. Most of a page's start is not text.
        let isMarkup = isMarkup(data.prefix(limit * 4))
        let start = data.prefix(limit * (isMarkup ? 40 : 4))
        let decoded = start.utf8Text
        let isText = !start.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let repairs = decoded.unicodeScalars.count { $0 == "\u{FFFD}" }
        let count = "(\(data.count) bytes)"
        guard isText, !isForm(start), repairs == 0 || repairs * 4 < decoded.unicodeScalars.count else { return count }
        let text = isMarkup ? words(Markup.summary(of: Array(start))) : decoded
        if isMarkup, text.isEmpty { return count }
        var masked = Self.masked(Self.masked(text, hiding: values))
        if onOneLine { masked = oneLine(masked) }
        return masked.count > limit || start.count < data.count ? "\(masked.prefix(limit))…" : masked
    }

    /// The words of a text, with one space between two.
    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The lines of a text in one line.
    package static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
    }

    /// A text with the values of secret names masked, and without the user information of URLs.
    @inline(never)
    package static func masked(_ text: String) -> String {
        replacing(in: text, isSecret: SecretNames.contains) { _ in mask }
    }

    /// A text with something else in place of the values of secret names, and without the user information of URLs.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - levels: How many levels of percent-encoding are decoded to find secrets.
    ///   - isSecret: Whether a name is that of a secret.
    ///   - replacement: What replaces a value.
    /// - Returns: The text with the values replaced.
    package static func replacing(
        in text: String, levels: Int = SecretScanner.maximumLevels, isSecret: (String) -> Bool,
        by replacement: (_ value: String) -> String
    ) -> String {
        let bytes = Array(text.utf8)
        var (output, end): ([UInt8], Int) = ([], 0)
        for match in SecretScanner.matches(in: bytes, levels: levels, isSecret: isSecret) {
            output += bytes[end..<match.range.lowerBound]
            if !match.isUserInformation {
                output += replacement(String(decoding: bytes[match.range], as: UTF8.self)).utf8
            }
            end = match.range.upperBound
        }
        return end == 0 ? text : String(decoding: output + bytes[end...], as: UTF8.self)
    }
}
