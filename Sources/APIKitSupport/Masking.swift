/// Keeps secrets out of error texts and descriptions.
package enum Masking {
    package static let mask = "***"
    /// The maximum number of levels of percent-encoding that are decoded. A URL within a parameter of a URL adds one
    /// level; each further level costs another pass over the text.
    package static let maximumLevels = 4

    /// Returns a URL as text, without user information and with the values of secret query parameters masked.
    package static func url(_ url: URL) -> String {
        masked(url.absoluteString)
    }

    /// Cuts a masked text for an error or a log to 1,000 bytes, since a server or a caller may have made it very long.
    ///
    /// Mask a text before cutting it: a secret that was cut in two would not be recognized.
    @inline(never)
    package static func bounded(_ text: String) -> String {
        let limit = 1000
        guard text.utf8.count > limit else { return text }
        return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
    }

    /// Replaces given values in a text by the mask, wherever they occur.
    ///
    /// Values are found by their bytes, since a combining character after a value would change its last `Character`.
    /// Longer values are masked first, since one value may begin with another one.
    @inline(never)
    package static func masked(_ text: String, hiding values: [String]) -> String {
        guard !values.isEmpty else { return text }
        var bytes = Array(text.utf8)
        let longestFirst = values.sorted { $0.utf8.count > $1.utf8.count }
        for value in longestFirst { bytes.replace(value.utf8, with: mask.utf8) }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Bodies

    /// Returns the beginning of a body as text, with secrets masked: JSON, a form, plain text, or the title and the
    /// message of markup. For anything else, such as an image, returns the number of bytes.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - limit: The maximum number of characters.
    ///   - onOneLine: Whether line breaks become spaces.
    ///   - values: Values that are masked too.
    /// - Returns: The text, which ends in `…` if it was cut.
    package static func excerpt(of data: Data, limit: Int, onOneLine: Bool, hiding values: [String] = []) -> String {
        // More than the limit is read, since the text is cut after masking, so that a secret at the cut is recognized:
        // four bytes for each character, as many as a Unicode scalar takes at most. Of markup ten times as much is
        // read, since most of a page's beginning is tags.
        let isMarkup = isMarkup(Array(data.prefix(limit * 4)))
        let factor = isMarkup ? 40 : 4
        let start = Array(data.prefix(limit * factor))
        let text = isMarkup ? markupSummary(of: start) : plainText(of: start)
        guard let text else { return "(\(data.count) bytes)" }
        var masked = Self.masked(Self.masked(text, hiding: values))
        if onOneLine { masked = oneLine(masked) }
        let isCut = masked.count > limit || start.count < data.count
        return isCut ? "\(masked.prefix(limit))…" : masked
    }

    /// Whether bytes are markup or a multipart form, in which a name need not stand right before its value, as in
    /// `<td>password</td><td>hunter2</td>`. So ``masked(_:)`` does not find all of their secrets.
    package static func hasHiddenNames(_ data: Data) -> Bool {
        let bytes = Array(data)
        return isMarkup(bytes) || isForm(bytes)
    }

    /// Returns bytes as text; nil for a multipart form and for binary data.
    private static func plainText(of bytes: [UInt8]) -> String? {
        guard !isForm(bytes), !isBinary(bytes) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the title and the message of markup; nil if it has neither.
    private static func markupSummary(of bytes: [UInt8]) -> String? {
        guard !isBinary(bytes) else { return nil }
        let words = Markup.summary(of: bytes).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// Whether bytes have control characters other than tabs and line breaks, or decode to many replacement characters.
    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        let hasControls = bytes.contains { $0 < 0x20 && !"\t\r\n".utf8.contains($0) }
        if hasControls { return true }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let replaced = scalars.count { $0 == "\u{FFFD}" }
        // Text in another charset has some invalid bytes; compressed data or an image has many, at least a quarter.
        let isMostlyInvalid = replaced * 4 >= scalars.count
        return replaced > 0 && isMostlyInvalid
    }

    /// Whether bytes begin like a multipart form.
    private static func isForm(_ bytes: [UInt8]) -> Bool { trimmed(bytes).starts(with: "--".utf8) }

    /// Whether bytes look like HTML or XML: they begin with a tag, or have an end tag and are neither JSON nor a form.
    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        let start = trimmed(bytes)
        guard let first = start.first else { return false }
        if first == UInt8(ascii: "<") { return true }
        let isJSON = "{[".utf8.contains(first)
        if isJSON || isForm(bytes) { return false }
        // There may be a message before the markup, so this looks for an end tag anywhere.
        return start.dropLast().indices.contains { index in
            start[index] == UInt8(ascii: "<") && start[index + 1] == UInt8(ascii: "/")
        }
    }

    /// Returns the bytes without a byte order mark and white space at their beginning.
    private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let hasMark = bytes.starts(with: "\u{FEFF}".utf8)
        let text = bytes.dropFirst(hasMark ? 3 : 0)
        return text.drop { " \t\r\n".utf8.contains($0) }
    }

    // MARK: - Texts

    /// Joins the lines of a text, with a space between two.
    package static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
    }

    /// Masks the values of secret names in a text, and removes the user information of URLs: `token=abc` becomes
    /// `token=***`.
    @inline(never)
    package static func masked(_ text: String) -> String {
        replacing(in: text, isSecret: SecretNames.contains) { _ in mask }
    }

    /// Replaces the values of secret names in a text, and removes the user information of URLs.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - levels: How many levels of percent-encoding are decoded to find secrets.
    ///   - isSecret: Whether a name belongs to a secret.
    ///   - replacement: Returns the text that replaces a value.
    /// - Returns: The text with the values replaced.
    package static func replacing(
        in text: String, levels: Int = maximumLevels, isSecret: (String) -> Bool,
        by replacement: (_ value: String) -> String
    ) -> String {
        let bytes = Array(text.utf8)
        let matches = SecretScanner.matches(in: bytes, levels: levels, isSecret: isSecret)
        guard !matches.isEmpty else { return text }
        var output: [UInt8] = []
        var end = 0
        for match in matches {
            output += bytes[end..<match.range.lowerBound]
            if !match.isUserInformation {
                let value = String(decoding: bytes[match.range], as: UTF8.self)
                output += replacement(value).utf8
            }
            end = match.range.upperBound
        }
        output += bytes[end...]
        return String(decoding: output, as: UTF8.self)
    }
}

extension String {
    /// Whether this is a name as parameters and algorithms have them, such as `user[api_key]` or `sha-256`, and not a
    /// text of another kind, so that an error may show it.
    package var isPlainName: Bool {
        let isShort = utf8.count <= 64
        let hasOnlyPlainBytes = utf8.allSatisfy { byte in
            let isSign = "-_.[]$".utf8.contains(byte)
            return isSign || byte.isASCIILetter || byte.isDigit
        }
        return isShort && hasOnlyPlainBytes
    }
}
