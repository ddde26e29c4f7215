extension String {
    /// Whether a text looks like a number, a UUID, a hash, a date, an e-mail address or another identifier, and not
    /// like a word. Such a segment of a path, or such a name of a member, is data.
    var looksLikeIdentifier: Bool {
        let isAddress = contains("@") || contains("%40")
        let isMaskedSecret = contains(Secrets.mask)
        if isAddress || isMaskedSecret { return true }

        let isPlain = allSatisfy { $0.isASCIIAlphanumeric || "-_".contains($0) }
        let digitCount = count { $0.isASCII && $0.isNumber }
        guard isPlain, digitCount > 0 else { return false }
        let letterCount = count { $0.isASCII && $0.isLetter }
        // A number or a date, such as `42` or `2024-05-31`.
        if letterCount == 0 { return true }

        // Hashes and UUIDs have at least eight hexadecimal digits, which include the letters from `a` to `f`. A shorter
        // text, such as `ad2`, or one with a single digit from 0 to 9 may be a word.
        let isHexadecimal = allSatisfy { $0.isHexDigit || $0 == "-" }
        let isHashOrUUID = isHexadecimal && digitCount > 1 && digitCount + letterCount >= 8
        return isHashOrUUID || looksRandom(digitCount: digitCount)
    }

    /// Whether a text looks like a generated identifier, such as `cus_9s6XKzkNRiz8i3` or `dQw4w9WgXcQ`, and not like a
    /// word with a number, such as `version2` or `lamp-2024`.
    private func looksRandom(digitCount: Int) -> Bool {
        // People choose short texts, at most one digit, or words with hyphens.
        guard count >= 10, digitCount > 1, !contains("-") else { return false }
        // Random letters are in both cases. If all are in one case, more than a quarter of digits is a sign of a random
        // text.
        let hasBothCases = contains(where: \.isUppercase) && contains(where: \.isLowercase)
        return hasBothCases || digitCount * 4 > count
    }
}
