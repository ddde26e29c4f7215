extension String {
    /// Whether a text looks like a number, a UUID, a hash, a date, an e-mail address or another identifier, and not like
    /// a word. Such a segment of a path, or such a name of a member, is data.
    var looksLikeIdentifier: Bool {
        let isAddress = contains("@") || contains("%40")
        let isMaskedSecret = contains(Secrets.mask)
        if isAddress || isMaskedSecret { return true }

        let isPlain = allSatisfy { $0.isASCIIAlphanumeric || "-_".contains($0) }
        let digits = count { $0.isASCII && $0.isNumber }
        guard isPlain, digits > 0 else { return false }
        let letters = count { $0.isASCII && $0.isLetter }
        if letters == 0 { return true }

        // Hashes and UUIDs have at least eight hexadecimal digits, several of them from 0 to 9. A shorter text, such as
        // `ad2`, or one with a single digit may be a word.
        let isHexadecimal = allSatisfy { $0.isHexDigit || $0 == "-" }
        if isHexadecimal, digits > 1, digits + letters >= 8 { return true }
        return looksRandom(digits: digits)
    }

    /// Whether a text looks like a generated identifier, such as `cus_9s6XKzkNRiz8i3` or `dQw4w9WgXcQ`, and not like a
    /// word with a number, such as `version2` or `lamp-2024`.
    private func looksRandom(digits: Int) -> Bool {
        // People choose short texts, at most one digit, or words with hyphens.
        guard count >= 10, digits > 1, !contains("-") else { return false }
        // Random letters are rarely all in one case. Otherwise, more than a quarter of digits is a sign of them.
        let hasBothCases = contains(where: \.isUppercase) && contains(where: \.isLowercase)
        return hasBothCases || digits * 4 > count
    }
}
