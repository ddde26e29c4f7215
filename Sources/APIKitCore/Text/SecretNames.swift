/// Decides by its name whether a header, a parameter or a member of a body holds a secret.
///
/// A name is read as a whole and in its parts: `X-User-Pass`, `user[pin]` and `encryptionKey` are cut at signs and
/// where the case changes, so that `passage`, `pinned` and `monkey` are not taken for `pass`, `pin` and `key`.
enum SecretNames {
    /// Secret wherever they stand in a name, also across its signs.
    private static let words = bytes([
        "authorization", "authentication", "cookie", "token", "secret", "password", "passwd", "passphrase", "passcode",
        "passkey", "apikey", "accesskey", "privatekey", "signature", "credential", "session", "sessid", "jwt", "bearer",
        "authkey", "verifier", "samlresponse",
    ])
    /// Secret as a part of a name.
    private static let parts = Set(
        bytes([
            "sig", "pwd", "pw", "pass", "sid", "auth", "xauth", "pin", "pincode", "otp", "totp", "hotp", "cvv", "cvc",
            "dpop", "csrf", "xsrf", "hmac",
        ]))
    /// Secret as the last part of a name, unless the part before is harmless.
    private static let lastParts = Set(bytes(["key", "assertion"]))
    private static let harmlessBeforeLast = Set(
        bytes([
            "idempotency", "websocket", "surrogate", "public", "publishable", "primary", "foreign", "sort", "partition",
            "cache",
        ]))
    /// What is before a `code` that is a credential.
    private static let beforeCode = Set(
        bytes(["authorization", "device", "verification", "recovery", "backup", "security", "confirmation", "login"]))
    /// What is before `tokens` that are counted.
    private static let beforeTokens = Set(
        bytes([
            "max", "min", "total", "prompt", "completion", "input", "output", "cached", "reasoning", "used",
            "remaining",
        ]))
    /// Longer names are judged by their end, so that hostile text takes no more than linear time.
    private static let limit = 200

    private static func bytes(_ words: [String]) -> [[UInt8]] {
        words.map { Array($0.utf8) }
    }

    /// Whether a name is one of a secret.
    static func contain(_ name: some StringProtocol) -> Bool {
        let name = Array(name.removingPercentEncodingOfASCII.utf8.suffix(limit))
        let names = cut(name) { _, _ in false }
        let all = cut(name, where: isWordStart)
        if let last = all.last, isCounted(last, after: all.dropLast().last) { return false }
        let letters = Array(names.joined())
        return words.contains(where: letters.contains(run:))
            || names.contains(where: parts.contains) || all.contains(where: parts.contains)
            || isSecretLast(all.last, after: [names, all].compactMap { $0.dropLast().last })
    }

    private static func isCounted(_ last: [UInt8], after previous: [UInt8]?) -> Bool {
        last.elementsEqual("tokens".utf8) && previous.map(beforeTokens.contains) ?? false
    }

    private static func isSecretLast(_ last: [UInt8]?, after previous: [[UInt8]]) -> Bool {
        guard let last else { return false }
        if lastParts.contains(last) { return !previous.contains(where: harmlessBeforeLast.contains) }
        return last.elementsEqual("code".utf8) && previous.contains(where: beforeCode.contains)
    }

    /// The letters of a name in lower case, cut at everything that is not a letter or a digit, and before each index
    /// that the condition holds for. Digits are left out: `pin2` is `pin`.
    private static func cut(_ name: [UInt8], where isStart: ([UInt8], Int) -> Bool) -> [[UInt8]] {
        var result: [[UInt8]] = []
        var part: [UInt8] = []
        for (index, byte) in name.enumerated() {
            let isSign = !isLetter(byte) && !isDigit(byte)
            if isSign || isStart(name, index) {
                if !part.isEmpty { result.append(part) }
                part = []
            }
            if isLetter(byte) { part.append(byte.lowercasedASCII) }
        }
        return part.isEmpty ? result : result + [part]
    }

    /// Whether a word begins within a name: `apiKey` at the `K`, `SAMLResponse` at the `R`, `OAuth` nowhere.
    private static func isWordStart(_ name: [UInt8], _ index: Int) -> Bool {
        guard index > 0, isUpper(name[index]) else { return false }
        if !isUpper(name[index - 1]) { return true }
        let isFollowedByLower = index + 1 < name.count && isLetter(name[index + 1]) && !isUpper(name[index + 1])
        return isFollowedByLower && index > 1 && isUpper(name[index - 2])
    }

    private static func isUpper(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte.lowercasedASCII
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension [UInt8] {
    /// Whether some bytes occur in these, one after another.
    fileprivate func contains(run: [UInt8]) -> Bool {
        guard count >= run.count else { return false }
        return (0...(count - run.count)).contains { start in
            run.indices.allSatisfy { self[start + $0] == run[$0] }
        }
    }
}
