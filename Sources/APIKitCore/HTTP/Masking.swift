#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps secrets out of error texts and descriptions, and credentials from crossing an origin.
enum Masking {
    static let mask = "***"

    private static let secretWords = bytes([
        "authorization", "cookie", "token", "secret", "password", "passwd", "passphrase", "passcode", "apikey",
        "accesskey", "privatekey", "signature", "credential", "session", "jwt", "bearer", "authkey", "verifier",
    ])
    private static let secretNames = bytes([
        "key", "sig", "pwd", "pass", "sid", "auth", "pin", "otp", "cvv", "cvc",
    ])
    private static let harmlessKeys = bytes(["idempotency-key", "sec-websocket-key", "surrogate-key"])

    private static func bytes(_ words: [String]) -> [[UInt8]] {
        words.map { Array($0.utf8) }
    }

    /// Whether a header, a query parameter or a member of a body is one whose value nobody should read in a log.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        let name = name.removingPercentEncodingOfASCII.utf8.map(\.lowercasedASCII)
        let lastPart = name.split { "[].".utf8.contains($0) }.last ?? []
        return isSecretPart(name[...]) || (lastPart.count < name.count && isSecretPart(lastPart))
    }

    private static func isSecretPart(_ name: ArraySlice<UInt8>) -> Bool {
        let letters = name.filter { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        if secretNames.contains(letters) || secretWords.contains(where: letters.contains(run:)) { return true }
        let isKey =
            name.count > 4 && name.suffix(3).elementsEqual("key".utf8) && "-_".utf8.contains(name.suffix(4).first ?? 0)
        return isKey && !harmlessKeys.contains(Array(name))
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

    /// Any text with the values behind secret names masked (`name=value`, `"name": "value"`, `Bearer value`), and with
    /// the user information of URLs removed.
    static func text(_ text: String) -> String {
        var scanner = SecretScanner(text)
        return scanner.masked()
    }
}

extension [UInt8] {
    /// Whether some bytes stand in these, one after another.
    fileprivate func contains(run: [UInt8]) -> Bool {
        guard count >= run.count else { return false }
        return (0...(count - run.count)).contains { start in
            run.indices.allSatisfy { self[start + $0] == run[$0] }
        }
    }
}
