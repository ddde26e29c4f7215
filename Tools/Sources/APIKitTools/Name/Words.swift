/// The words of a name, which may be joined by underscores, hyphens or capitals.
struct Words {
    /// The words in lower case. An unknown acronym keeps its capitals, as `DS2` in `threeDS2Token` does.
    let words: [String]

    /// Splits a name into words in lower case: `html_url`, `htmlURL` and `HTML-Url` all become `html` and `url`.
    ///
    /// An unknown acronym keeps its capitals: `threeDS2Token` becomes `three`, `DS2` and `token`. A word such as `IPv4`
    /// is not split.
    init(_ name: String) {
        // A name such as `USER_NAME` is only in capitals, so they do not show what is an acronym.
        let keepsCapitals = name.unicodeScalars.contains { $0.isLowercaseLetter }
        var words = Self.split(name)
        for (index, word) in words.enumerated() {
            let isAcronym = keepsCapitals && Self.isUnknownAcronym(word)
            if !isAcronym { words[index] = word.lowercased() }
        }
        self.words = Self.joined(words)
    }

    /// Splits a name into words at its signs, and where a capital begins a word, without changing their case: `HTML`
    /// and `Url` for `HTML-Url`.
    private static func split(_ name: String) -> [String] {
        let characters = Array(name.unicodeScalars)
        var words: [String] = []
        var start = 0
        /// Adds the word that begins at `start`, unless it is empty, as between two signs.
        func addWord(before end: Int) {
            guard start < end else { return }
            var word = String.UnicodeScalarView()
            word.append(contentsOf: characters[start..<end])
            words.append(String(word))
        }
        var index = 0
        while index < characters.count {
            let isPartOfWord = characters[index].isLetterOrDigit && !characters[index].isInvisible
            if !isPartOfWord {
                addWord(before: index)
                start = index + 1
            } else if startsWord(at: index, in: characters) {
                addWord(before: index)
                start = index
            }
            index += 1
        }
        addWord(before: characters.count)
        return words
    }

    /// Whether the character at an index is a capital that begins a word:
    ///
    /// - a capital that does not follow another one: `N` in `userName`,
    /// - the last of several capitals, if a lowercase letter follows: `P` in `HTMLPage`,
    /// - but not if that letter is the "s" of a plural: `D` in `userIDs`.
    private static func startsWord(at index: Int, in characters: [Unicode.Scalar]) -> Bool {
        guard characters[index].isCapital else { return false }
        let followsCapital = index > 0 && characters[index - 1].isCapital
        if !followsCapital { return true }
        let isBeforeLowercase = index + 1 < characters.count && characters[index + 1].isLowercaseLetter
        return isBeforeLowercase && !endsPlural(characters[index...])
    }

    /// Whether the rest of a name, from the last capital of an acronym, begins with the end of its plural: `Ds` in
    /// `userIDs` and `userIDsOfTeam`, but not in `userIDstring`.
    private static func endsPlural(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let letters = Array(rest.prefix(3))
        guard letters.count > 1, letters[1] == "s" else { return false }
        let isLastLetter = letters.count == 2
        return isLastLetter || !letters[2].isLowercaseLetter
    }

    /// Whether a word is in capitals but not a known acronym. It then keeps its capitals.
    private static func isUnknownAcronym(_ word: String) -> Bool {
        let hasLowercase = word.unicodeScalars.contains { $0.isLowercaseLetter }
        if hasLowercase { return false }
        let isInCapitals = word.allSatisfy { $0.isUppercase || $0.isNumber }
        return isInCapitals && word.count > 1 && !word.lowercased().mayBe(.acronym)
    }

    /// Pairs of words that splitting has separated by mistake: "ip v4".
    private static let wronglySplitPairs: Set = ["i pv4", "i pv6", "ip v4", "ip v6", "o auth", "o auth2"]

    /// Joins words that splitting has separated by mistake: `i` and `pv4`, from `IPv4`, become `ipv4`.
    private static func joined(_ words: [String]) -> [String] {
        var result: [String] = []
        for word in words {
            // The first words of these pairs have one or two letters. Few others do, so few texts are created.
            if let last = result.last, last.utf8.count < 3, wronglySplitPairs.contains("\(last) \(word)") {
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
            let spelling = Self.capitalized(word)
            let hasCapitalsInside = spelling.dropFirst().contains(where: \.isUppercase)
            return hasCapitalsInside ? spelling : word
        }.joined(separator: " ")
    }

    /// The name with its last word in the singular.
    var singular: Words {
        guard let last = words.last else { return self }
        return Words(words: words.dropLast() + [Self.singular(last)])
    }

    /// A word as it is written inside of a name: `User` for `user`, `URL` for `url`, `IDs` for `ids`, `GitHub` for
    /// `github`, and `S3` for `s3`.
    private static func capitalized(_ word: String) -> String {
        if word.mayBe(.acronym) { return word.uppercased() }
        let isPluralOfAcronym = word.hasSuffix("s") && word.count > 2 && String(word.dropLast()).mayBe(.acronym)
        if isPluralOfAcronym { return word.dropLast().uppercased() + "s" }
        if let spelling = specialSpellings[word] { return spelling }
        if isAcronymWithNumber(word) { return word.uppercased() }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Whether a word, in lower case, is an acronym with a number, which is written in capitals:
    ///
    /// - a number and then `d` or `ds`: `3ds`. Other letters after a number are often a unit, as in `95p`.
    /// - a number after at most two letters or a known acronym: `s3` and `sha256`, but not `step2`.
    private static func isAcronymWithNumber(_ word: String) -> Bool {
        // Nearly all words consist of the letters a to z, and need no closer look.
        let isPlain = word.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
        if isPlain { return false }
        let letters = word.filter(\.isLetter)
        let beginsWithNumber = word.first?.isNumber == true
        if beginsWithNumber { return ["d", "ds"].contains(letters) }
        let hasNumber = letters.count < word.count
        let hasLettersOfAcronym = letters.count < 3 || letters.mayBe(.acronym)
        return hasNumber && hasLettersOfAcronym
    }

    /// The spellings of names and products that have capitals inside.
    private static let specialSpellings = [
        "github": "GitHub", "gitlab": "GitLab", "graphql": "GraphQL", "iphone": "IPhone", "ipv4": "IPv4",
        "ipv6": "IPv6", "javascript": "JavaScript", "linkedin": "LinkedIn", "mongodb": "MongoDB", "mysql": "MySQL",
        "oauth": "OAuth", "oauth2": "OAuth2", "openai": "OpenAI", "openid": "OpenID", "opensearch": "OpenSearch",
        "paypal": "PayPal", "postgresql": "PostgreSQL", "twiml": "TwiML", "webauthn": "WebAuthn",
        "whatsapp": "WhatsApp", "wifi": "WiFi", "youtube": "YouTube",
    ]

    /// The singular of an English word: `category` for `categories`. It covers the words that are common in APIs.
    static func singular(_ word: String) -> String {
        if let known = irregularSingulars[word] { return known }
        // `uris` is the plural of an acronym, unlike other words that end in "is".
        if word.hasSuffix("is"), String(word.dropLast()).mayBe(.acronym) { return String(word.dropLast()) }
        // `status` and `address` end in "s", but are not plurals.
        if singularEndings.contains(where: word.hasSuffix) { return word }
        // The singular of a short word such as "ties" ends in "ie".
        if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
        // `boxes` loses "es", while `cases` only loses "s".
        if pluralEndingsInES.contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
        // A short word such as "s" or "us" is not a plural.
        if word.hasSuffix("s"), word.count > 2 { return String(word.dropLast()) }
        return word
    }

    private static let irregularSingulars = [
        "aliases": "alias", "people": "person", "children": "child", "indices": "index", "schemas": "schema",
    ]

    /// Endings of words that are not plurals, although most of them end in "s".
    private static let singularEndings = [
        "ss", "is", "as", "news", "kubernetes", "series", "data", "status", "virus", "bonus", "mpus", "focus",
    ]

    /// Endings of plurals that lose "es" in the singular: "boxes".
    private static let pluralEndingsInES = ["ches", "shes", "sses", "tuses", "xes", "zes"]

    /// The name with its last word in the plural.
    var plural: Words {
        guard let last = words.last else { return self }
        return Words(words: words.dropLast() + [Self.plural(last)])
    }

    /// The plural of an English word: `policies` for `policy`.
    private static func plural(_ word: String) -> String {
        if word == "child" { return "children" }
        let hasVowelBeforeY = ["ay", "ey", "oy", "uy"].contains { word.hasSuffix($0) }
        if word.hasSuffix("y"), !hasVowelBeforeY { return word.dropLast() + "ies" }
        let needsE = ["s", "x", "z", "ch", "sh"].contains { word.hasSuffix($0) }
        return word + (needsE ? "es" : "s")
    }
}

extension Words {
    /// Whether a word is a version: `v2`.
    static func isVersion(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("v") && word.count > 1 && word.dropFirst().allSatisfy(\.isWholeNumber)
    }
}

extension Unicode.Scalar {
    // Names are nearly always ASCII, for which the tables of Unicode need not be searched.

    /// Whether it is a letter or a digit.
    fileprivate var isLetterOrDigit: Bool {
        if isASCII {
            let isDigit = "0"..."9" ~= self
            return isDigit || isCapital || isLowercaseLetter
        }
        return properties.isAlphabetic || properties.numericType != nil
    }

    /// Whether it is a capital letter.
    fileprivate var isCapital: Bool {
        isASCII ? "A"..."Z" ~= self : properties.isUppercase
    }

    /// Whether it is a lowercase letter.
    fileprivate var isLowercaseLetter: Bool {
        isASCII ? "a"..."z" ~= self : properties.isLowercase
    }
}
