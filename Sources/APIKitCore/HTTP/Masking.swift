#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps secrets out of error texts and descriptions, and credentials from crossing an origin.
enum Masking {
    static let mask = "***"

    private static let secretWords = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey",
        "privatekey", "signature", "credential", "session", "jwt", "bearer", "authkey",
    ]
    private static let secretNames = ["key", "sig", "pwd", "pass", "sid", "auth", "pin", "otp"]

    /// Whether a header, a query parameter or a member of a body is one whose value nobody should read in a log.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        let bytes = name.utf8.map(\.lowercasedASCII).filter { $0 >= UInt8(ascii: "a") }
        let letters = String(decoding: bytes, as: UTF8.self)
        return secretNames.contains(letters) || secretWords.contains { letters.contains($0) }
    }

    /// A URL without user information and with the values of secret query parameters masked.
    static func url(_ url: URL) -> String {
        text(url.absoluteString)
    }

    /// The start of some bytes as text, with secrets masked; what is not text is counted.
    static func excerpt(of data: Data, limit: Int, onOneLine: Bool) -> String {
        // Cut behind the masking, so that a secret at the cut is still recognised.
        let start = data.prefix(limit * 4)
        let isText = !start.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard isText else { return "(\(data.count) bytes)" }
        var masked = text(String(decoding: start, as: UTF8.self))
        if onOneLine {
            masked = masked.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
        }
        return masked.count > limit || start.count < data.count ? "\(masked.prefix(limit))…" : masked
    }

    /// Any text with the values behind secret names masked (`name=value`, `"name": "value"`, `Bearer value`), and with
    /// the user information of URLs removed.
    static func text(_ text: String) -> String {
        var scanner = SecretScanner(text)
        return scanner.masked()
    }
}
