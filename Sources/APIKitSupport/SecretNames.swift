/// Decides by its name whether a header, a parameter or a member of a body holds a secret.
///
/// A name is split into words at signs and at changes of case. So `passage`, `pinned` and `monkey` are not secret,
/// although they contain `pass`, `pin` and `key`.
package enum SecretNames {
    /// Letters that are secret anywhere in a name, even across its words: `apikey` is part of `api_key`.
    private static let secretLetters = list(
        """
        authorization authentication cookie token secret password passwd passphrase passcode passkey apikey accesskey \
        privatekey signature credential session sessid jwt bearer authkey verifier samlresponse dpop
        """
    ).map { Array($0.utf8) }
    /// Words that are secret anywhere in a name, but not as a part of another word: `pin`, but not `pinned`. The token
    /// in the URLs of Microsoft Graph's uploads is `tempauth`, and OpenWeather's and Wolfram Alpha's key is `appid`.
    private static let secretWords = Set(
        list("sig pwd pw pass sid auth xauth tempauth appid pin pincode otp totp hotp cvv cvc csrf xsrf hmac"))
    /// Words that are secret at the end of a name, as in `api_key`, unless the word before is harmless, as in
    /// `sort_key`.
    private static let secretLastWords = Set(list("key assertion"))
    private static let harmlessWordsBeforeLast = Set(
        list("idempotency websocket socket surrogate public publishable primary foreign sort partition cache"))
    /// The words before a `code` that is a credential.
    private static let wordsBeforeSecretCode = Set(
        list("authorization device verification recovery backup security confirmation login"))
    /// The words before `tokens` in the counts of language models, which are not secret.
    private static let wordsBeforeTokenCount = Set(
        list("max min total prompt completion input output cached reasoning used remaining"))
    /// The number of bytes at the end of a name that decide. Longer names occur only in hostile text, which must not
    /// take more than linear time.
    private static let lengthLimit = 200

    private static func list(_ words: String) -> [String] {
        words.split(separator: " ").map(String.init)
    }

    /// Whether a name is that of a secret: `api_key`, `X-Auth-Token` and `pin2` are, `max_tokens` and `sort_key` are
    /// not.
    package static func contains(_ name: String) -> Bool {
        let nameWords = words(of: Array(name.removingPercentEncodingOfASCII.utf8.suffix(lengthLimit)))
        guard let last = nameWords.last else { return false }
        let previous = nameWords.dropLast().last ?? ""
        // The number of tokens and the type of a token are not secret, although their names contain `token`.
        let isCount = last == "tokens" && wordsBeforeTokenCount.contains(previous)
        let isTokenType = last == "type" && previous == "token"
        if isCount || isTokenType { return false }
        // Words that are secret only at the end of a name: `key`, unless a harmless word is before it, and `code`, only
        // if one of certain words is.
        let isKey = secretLastWords.contains(last) && !harmlessWordsBeforeLast.contains(previous)
        let isCode = last == "code" && wordsBeforeSecretCode.contains(previous)
        // In Google's APIs, anyone who knows the `upload_id` can continue the upload.
        let isUpload = last == "id" && previous == "upload"
        if isKey || isCode || isUpload { return true }
        let hasSecretWord = nameWords.contains(where: secretWords.contains)
        return hasSecretWord || hasSecretLetters(Array(nameWords.joined().utf8))
    }

    /// Whether the letters of a name contain some of ``secretLetters``, also across its words: `APIKey` contains
    /// `apikey`.
    ///
    /// The first byte is compared before the rest, since most positions differ in it, and this is called for each name
    /// of a header or a query.
    private static func hasSecretLetters(_ letters: [UInt8]) -> Bool {
        letters.indices.contains { start in
            secretLetters.contains { $0[0] == letters[start] && letters[start...].starts(with: $0) }
        }
    }

    /// Returns the words of a name in lower case and without digits: `X-User-Pass` is x, user and pass; `pin2` is pin.
    ///
    /// The generator of endpoints splits names by rules of its own, which keep digits and unknown acronyms. What is
    /// masked must not depend on how generated code is named, and it takes less time to look at bytes only.
    private static func words(of name: [UInt8]) -> [String] {
        var words: [[UInt8]] = [[]]
        for (index, byte) in name.enumerated() {
            let isSign = !byte.isASCIILetter && !byte.isDigit
            if isSign || isWordStart(name, index) { words.append([]) }
            if byte.isASCIILetter { words[words.count - 1].append(byte.lowercasedASCII) }
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the case says that a word begins: at the `K` of `apiKey` and the `R` of `SAMLResponse`, but nowhere in
    /// `OAuth`.
    private static func isWordStart(_ name: [UInt8], _ index: Int) -> Bool {
        guard index > 0, name[index].isASCIIUppercase else { return false }
        let isAfterCapital = name[index - 1].isASCIIUppercase
        if !isAfterCapital { return true }
        // The last capital of several begins a word if a lower-case letter follows.
        let isAfterTwoCapitals = index > 1 && name[index - 2].isASCIIUppercase
        guard isAfterTwoCapitals, index + 1 < name.count else { return false }
        let next = name[index + 1]
        return next.isASCIILetter && !next.isASCIIUppercase
    }
}
