/// The words of a name, which may be joined by underscores, hyphens or capitals.
struct Words {
    /// The words in lower case. An unknown acronym keeps its capitals, as `DS2` in `threeDS2Token` does.
    let words: [String]

    /// Splits a name: `html_url`, `htmlURL` and `HTML-Url` are the same.
    init(_ name: String) {
        let keepsCapitals = name.contains(where: \.isLowercase)
        let words = Self.split(name).map { word in
            keepsCapitals && Self.isUnknownAcronym(word) ? word : word.lowercased()
        }
        self.words = Self.joined(words)
    }

    /// Splits a name into words without changing their case.
    private static func split(_ name: String) -> [String] {
        var words: [String] = []
        var current = ""
        let characters = Array(name.unicodeScalars)
        for (index, character) in characters.enumerated() {
            let isLetterOrDigit = character.properties.isAlphabetic || character.properties.numericType != nil
            let isPartOfAWord = isLetterOrDigit && !character.isInvisible
            let startsWord = isPartOfAWord && self.startsWord(at: index, in: characters)
            if !isPartOfAWord || startsWord, !current.isEmpty {
                words.append(current)
                current = ""
            }
            if isPartOfAWord { current.unicodeScalars.append(character) }
        }
        if !current.isEmpty { words.append(current) }
        return words
    }

    /// Whether a capital begins a word. In a sequence of capitals, the first one does, and also the last one if a
    /// lowercase letter follows: `P` in `HTMLPage`. It does not if the lowercase letter is the "s" of a plural: `D` in
    /// `userIDs`.
    private static func startsWord(at index: Int, in characters: [Unicode.Scalar]) -> Bool {
        guard characters[index].properties.isUppercase else { return false }
        guard index > 0, characters[index - 1].properties.isUppercase else { return true }
        guard index + 1 < characters.count, characters[index + 1].properties.isLowercase else {
            return false
        }
        return !endsPlural(characters[index...])
    }

    /// Whether letters after a capital are the end of an acronym in the plural: the "Ds" of "userIDs".
    private static func endsPlural(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let letters = rest.prefix(3)
        guard letters.count > 1, letters[letters.startIndex + 1] == "s" else {
            return false
        }
        return letters.count == 2 || !letters[letters.startIndex + 2].properties.isLowercase
    }

    /// Whether a word is in capitals but not a known acronym. Such a word keeps its capitals.
    private static func isUnknownAcronym(_ word: String) -> Bool {
        let isInCapitals = word.allSatisfy { $0.isUppercase || $0.isNumber }
        return isInCapitals && word.count > 1 && !acronyms.contains(word.lowercased())
    }

    /// Pairs of words that splitting has separated by mistake: "ip v4".
    private static let pairs: Set = ["i pv4", "i pv6", "ip v4", "ip v6", "o auth", "o auth2"]

    private static func joined(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            if let last = result.last, pairs.contains("\(last) \(word)") {
                result[result.count - 1] = last + word
            } else {
                result.append(word)
            }
        }
        return result
    }

    init(words: [String]) { self.words = words }

    /// `htmlURL`
    var lowerCamel: String {
        guard let first = words.first else { return "" }
        return first.lowercased() + words.dropFirst().map(Self.capitalized).joined()
    }

    /// `HTMLURL`
    var upperCamel: String { words.map(Self.capitalized).joined() }

    /// `HTML URL`, as in a sentence.
    var prose: String {
        words.map { word in
            let name = Self.capitalized(word)
            return name.dropFirst().contains(where: \.isUppercase) ? name : word
        }.joined(separator: " ")
    }

    /// The name with its last word in the singular.
    var singular: Words {
        guard let last = words.last else { return self }
        return Words(words: words.dropLast() + [Self.singular(last)])
    }

    private static func capitalized(_ word: String) -> String {
        if acronyms.contains(word) { return word.uppercased() }
        if word.hasSuffix("s"), word.count > 2, acronyms.contains(String(word.dropLast())) {
            return word.dropLast().uppercased() + "s"
        }
        if let name = names[word] { return name }
        if isShortWithNumber(word) { return word.uppercased() }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Whether a word with a number is written in capitals: `3DS`, `S3` and `SHA256`, but not `95p`.
    private static func isShortWithNumber(_ word: String) -> Bool {
        let letters = word.filter(\.isLetter)
        if word.first?.isNumber == true { return ["d", "ds"].contains(letters) }
        let hasNumber = letters.count < word.count
        let isShort = letters.count < 3 || acronyms.contains(letters)
        return hasNumber && isShort
    }

    private static let names = [
        "github": "GitHub", "gitlab": "GitLab", "graphql": "GraphQL", "iphone": "IPhone", "ipv4": "IPv4",
        "ipv6": "IPv6", "javascript": "JavaScript", "linkedin": "LinkedIn", "mongodb": "MongoDB", "mysql": "MySQL",
        "oauth": "OAuth", "oauth2": "OAuth2", "openai": "OpenAI", "openid": "OpenID", "opensearch": "OpenSearch",
        "paypal": "PayPal", "postgresql": "PostgreSQL", "twiml": "TwiML", "webauthn": "WebAuthn",
        "whatsapp": "WhatsApp", "wifi": "WiFi", "youtube": "YouTube",
    ]

    private static let acronyms = Set(
        """
        ach acl ai amd api apn arn asn aws bic bin byok caa cdn cidr cli cname cpf cnpj cpu cors csp csr css csv
        cve cvc cvv cvss cwe db dba dcc dkim dmarc dns dpo dsa dsn dtmf eap ecdsa ein emv fcm ftp gb gcp ghsa
        gib gid gif gpg gps gpu gst gtin guid hd hls hmac hst html http https iam iban ice id iec imap imei io
        ip isbn iso isrc ivr jpg json jsonl jwt kb kyc ldap lfs llm lru mac mb mcc mcp mfa mib mime
        mms mp3 mp4 mtls mx nat nfc nlb nvme oci ocsp oidc opi os otp pan pci pcm pdf pem php pin png pos psk
        psp pst pstn qr qst ram rbac rcs rest rfc rgb rpc rpm rsa rss rtmp rtp saml sarif sbom scim sdk sdp sepa
        sftp sha sic sid sim sip sku sla smtp sms soa spdx sql sse ssd ssh ssid ssl ssn sso svg tcp tin tls totp
        tpm ttl tts tv udp ui upc uri url urn usb usd utc uuid vad vat vcpu vlan vm vpc vpn xml xss yaml
        """.split { $0.isWhitespace }.map(String.init))

    /// The singular of an English word. It covers the words that are common in APIs.
    static func singular(_ word: String) -> String {
        if let known = irregularSingulars[word] { return known }
        if singularEndings.contains(where: word.hasSuffix) { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        if pluralEndingsInES.contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
        if word.hasSuffix("s"), word.count > 2 { return String(word.dropLast()) }
        return word
    }

    private static let irregularSingulars = [
        "people": "person", "children": "child", "indices": "index", "schemas": "schema",
    ]

    /// Endings of words that are not plurals, although most of them end in "s".
    private static let singularEndings = [
        "ss", "is", "as", "news", "kubernetes", "series", "data", "status", "virus", "bonus", "mpus", "focus",
    ]

    private static let pluralEndingsInES = ["ches", "shes", "sses", "tuses", "xes", "zes"]

    /// The name with its last word in the plural.
    var plural: Words {
        guard let last = words.last else { return self }
        return Words(words: words.dropLast() + [Self.plural(last)])
    }

    private static func plural(_ word: String) -> String {
        if word == "child" { return "children" }
        let hasVowelBeforeY = ["ay", "ey", "oy", "uy"].contains { word.hasSuffix($0) }
        if word.hasSuffix("y"), !hasVowelBeforeY { return word.dropLast() + "ies" }
        let needsE = ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
        return word + (needsE ? "es" : "s")
    }
}
