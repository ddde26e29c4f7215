/// The words of a name, which other languages join by underscores, hyphens or capitals.
struct Words {
    /// The words in lower case, but for unknown ones that a name has in capitals, as the second of `threeDS2Token` is.
    let words: [String]

    /// Splits a name: `html_url`, `htmlURL` and `HTML-Url` are the same.
    init(_ name: String) {
        var words: [String] = []
        var current = ""
        let characters = Array(name.unicodeScalars)
        for (index, character) in characters.enumerated() {
            guard character.properties.isAlphabetic || character.properties.numericType != nil else {
                if !current.isEmpty { words.append(current) }
                current = ""
                continue
            }
            let previous = index > 0 ? characters[index - 1] : " "
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            let isUpper = character.properties.isUppercase
            let startsWord = isUpper && (!previous.properties.isUppercase || next.properties.isLowercase)
            if startsWord, !current.isEmpty, !Self.isPlural(characters[index...], after: previous) {
                words.append(current)
                current = ""
            }
            current.unicodeScalars.append(character)
        }
        if !current.isEmpty { words.append(current) }
        let keepsCapitals = name.contains(where: \.isLowercase)
        self.words = Self.joined(
            words.map { word in
                let isOwn = keepsCapitals && word.count > 1 && word.allSatisfy { $0.isUppercase || $0.isNumber }
                return isOwn && !Self.acronyms.contains(word.lowercased()) ? word : word.lowercased()
            })
    }

    /// One word of two that are always written together.
    private static func joined(_ words: [String]) -> [String] {
        words.reduce(into: []) { result, word in
            let both = "\(result.last ?? "") \(word)"
            if ["i pv4", "i pv6", "ip v4", "ip v6", "o auth", "o auth2"].contains(both) {
                result[result.count - 1] += word
            } else {
                result.append(word)
            }
        }
    }

    init(words: [String]) { self.words = words }

    /// Whether the letters are the last one of an acronym and its plural: the "Ds" of "userIDs".
    private static func isPlural(_ rest: ArraySlice<Unicode.Scalar>, after previous: Unicode.Scalar) -> Bool {
        let start = rest.startIndex
        guard previous.properties.isUppercase, rest.count > 1, rest[start + 1] == "s" else { return false }
        return rest.count == 2 || !rest[start + 2].properties.isLowercase
    }

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

    /// The same name for one of several things.
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
        // `3DS`, `S3`, `SHA256`, but `95p`
        let letters = word.filter(\.isLetter)
        let isShort =
            word.first?.isNumber == true
            ? ["d", "ds"].contains(letters)
            : letters.count < word.count && (letters.count < 3 || acronyms.contains(letters))
        return isShort ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
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

    /// English plurals, as far as names of things in APIs go.
    static func singular(_ word: String) -> String {
        if let known = ["people": "person", "children": "child", "indices": "index", "schemas": "schema"][word] {
            return known
        }
        let unchanged = [
            "ss", "is", "as", "news", "kubernetes", "series", "data", "status", "virus", "bonus", "mpus", "focus",
        ]
        for ending in unchanged where word.hasSuffix(ending) { return word }
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        for ending in ["ches", "shes", "sses", "tuses", "xes", "zes"] where word.hasSuffix(ending) {
            return String(word.dropLast(2))
        }
        return word.hasSuffix("s") && word.count > 2 ? String(word.dropLast()) : word
    }

    /// The same name for several things.
    var plural: Words {
        guard let last = words.last else { return self }
        if last == "child" { return Words(words: words.dropLast() + ["children"]) }
        let endsInY = last.hasSuffix("y") && !["ay", "ey", "oy", "uy"].contains { last.hasSuffix($0) }
        let needsE = ["s", "x", "z", "ch", "sh"].contains { last.hasSuffix($0) }
        return Words(words: words.dropLast() + [endsInY ? last.dropLast() + "ies" : last + (needsE ? "es" : "s")])
    }
}
