/// Keeps secrets out of error texts and descriptions, and credentials from crossing an origin.
enum Masking {
    static let mask = "***"

    /// Whether a header, a query parameter or a member of a body is one whose value nobody should read in a log.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        SecretNames.contain(name)
    }

    /// A URL without user information and with the values of secret query parameters masked.
    static func url(_ url: URL) -> String {
        text(url.absoluteString)
    }

    /// The start of some bytes as text, with secrets masked; what is not text is counted.
    static func excerpt(of data: Data, limit: Int, onOneLine: Bool) -> String {
        // Cut behind the masking, so that a secret at the cut is still recognised.
        let start = data.prefix(limit * 4)
        let decoded = String(decoding: start, as: UTF8.self)
        let isText = !start.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let repairs = decoded.unicodeScalars.count { $0 == "\u{FFFD}" }
        guard isText, repairs == 0 || repairs * 4 < decoded.unicodeScalars.count else { return "(\(data.count) bytes)" }
        var masked = text(decoded)
        if onOneLine { masked = oneLine(masked) }
        return masked.count > limit || start.count < data.count ? "\(masked.prefix(limit))…" : masked
    }

    /// A text of several lines as one.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
    }

    /// Any text with the values of secret names masked (`name=value`, `"name": "value"`, `Bearer value`, elements of
    /// XML and parts of forms), and with the user information of URLs removed.
    static func text(_ text: String) -> String {
        var scanner = SecretScanner(text)
        return scanner.masked()
    }
}
