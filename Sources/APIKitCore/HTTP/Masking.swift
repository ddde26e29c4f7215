#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps secrets out of error texts and descriptions, and credentials from crossing an origin.
enum Masking {
    static let mask = "***"

    private static let secretWords = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "passcode", "apikey",
        "accesskey", "privatekey", "signature", "credential", "session", "jwt", "bearer", "authkey", "verifier",
    ]
    private static let secretNames = ["key", "sig", "pwd", "pass", "sid", "auth", "pin", "otp", "cvv", "cvc"]
    private static let harmlessKeys = ["idempotency-key", "sec-websocket-key", "surrogate-key"]

    /// Whether a header, a query parameter or a member of a body is one whose value nobody should read in a log.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        let name = name.removingPercentEncodingOfASCII.lowercased()
        let parts = name.split { "[].".contains($0) }
        return ([Substring(name)] + parts.suffix(1)).contains(where: isSecretPart)
    }

    private static func isSecretPart(_ name: Substring) -> Bool {
        let letters = String(decoding: name.utf8.filter { $0 >= UInt8(ascii: "a") }, as: UTF8.self)
        if secretNames.contains(letters) || secretWords.contains(where: letters.contains) { return true }
        return (name.hasSuffix("-key") || name.hasSuffix("_key")) && !harmlessKeys.contains(String(name))
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
        if onOneLine { masked = oneLine(masked) }
        return masked.count > limit || start.count < data.count ? "\(masked.prefix(limit))…" : masked
    }

    /// A text of several lines as one.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: " ")
    }

    /// Any text with the values behind secret names masked (`name=value`, `"name": "value"`, `Bearer value`), and with
    /// the user information of URLs removed.
    static func text(_ text: String) -> String {
        var scanner = SecretScanner(text)
        return scanner.masked()
    }
}
