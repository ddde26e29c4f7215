@_spi(Tools) internal import APIKitJSON

/// Names of Swift declarations.
enum SwiftName {
    /// The name of a property, a parameter or a case. It may be a keyword, which ``code(_:)`` puts in backticks.
    static func member(_ name: String) -> String { identifier(Words(spelledOut(name)).lowerCamel) }

    /// The name of a type.
    static func type(_ name: String) -> String { identifier(Words(spelledOut(name)).upperCamel) }

    /// The name of the type of a list's elements: `Item` for a list called `items`.
    static func element(_ name: String) -> String { identifier(Words(spelledOut(name)).singular.upperCamel) }

    /// The name of a function's parameter. A keyword gets a suffix, since it could be a label, but not a value without
    /// backticks: `defaultKey` for `default`.
    static func parameter(_ name: String, suffix: String) -> String {
        let parameter = member(name)
        let isReserved = code(parameter) != parameter || reservedMembers.contains(parameter)
        return isReserved ? parameter + suffix : parameter
    }

    // MARK: - Snake case

    /// Whether a decoder that converts names from snake case finds a Swift member for a name in JSON: `userName` for
    /// `user_name`, and also `htmlURL` for `html_url`, although that is converted to `htmlUrl`. Otherwise the member
    /// needs a coding key.
    static func isConverted(_ member: String, from name: String) -> Bool {
        // With an underscore at an end, or two in a row, a name keeps a coding key of its own.
        let hasEmptyWord = name.split(separator: "_", omittingEmptySubsequences: false).contains("")
        return !hasEmptyWord && SnakeCase.finds(name, by: member)
    }

    /// Converts a name from snake case, and makes each capital after a capital lowercase: `htmlUrl` for both `html_url`
    /// and `htmlURL`.
    ///
    /// Two names get the same key if a decoder that converts names from snake case would confuse them.
    static func commonKey(_ name: String) -> String {
        var common = ""
        var followsCapital = false
        for letter in SnakeCase.key(of: name) {
            common += followsCapital ? letter.lowercased() : String(letter)
            followsCapital = letter.isUppercase
        }
        return common
    }

    // MARK: - Identifiers

    /// The name as an identifier, without a check for keywords: `_3ds` for `3ds`, and `empty` for a name without
    /// letters and digits.
    private static func identifier(_ name: String) -> String {
        let shortName = shortened(name)
        if shortName.isEmpty { return "empty" }
        return isIdentifier(shortName) ? shortName : "_\(shortName)"
    }

    /// Whether a name is an identifier: `user1`, but not `1user`. The name must consist of letters and digits, so only
    /// its first character is checked. Some combining marks count as alphabetic, but cannot begin an identifier.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic else {
            return false
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: return true
        }
    }

    /// The maximum length of a name, in bytes of UTF-8. File systems limit a file's name to 255 bytes; the rest is for
    /// suffixes such as `Request`, a number and the extension.
    private static let longestName = 200

    /// The name, cut off if it is too long for the name of a file.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var shortened = ""
        var length = 0
        for scalar in name.unicodeScalars {
            length += UTF8.width(scalar)
            if length > longestName { break }
            shortened.unicodeScalars.append(scalar)
        }
        return shortened
    }

    // MARK: - Signs

    /// Replaces signs by words where only they distinguish a name from similar names. `+1` becomes ` plus 1`, which is
    /// not the same as ` minus 1`; signs themselves are dropped when the name is split into words.
    ///
    /// - In a name that begins with a letter, a comparison at the end gets a word: `created< before` for `created<`.
    ///   Without one, as in `user_id`, the name stays as it is.
    /// - Other names with a letter, such as `2fa`, and plain numbers, such as `10`, stay as they are.
    /// - In any other name, such as `+1` and `<10`, all signs are replaced. The words have spaces around them, which
    ///   separate them from digits.
    private static func spelledOut(_ name: String) -> String {
        let shortName = shortened(name)
        guard let first = shortName.first else { return shortName }
        // A name such as `created<`.
        if first.isLetter { return withWordForComparison(shortName) }
        // A name such as `2fa` or `10`.
        let hasLetters = shortName.contains(where: \.isLetter)
        let isPlainNumber = first.isNumber && !shortName.contains { "<>=*".contains($0) }
        if hasLetters || isPlainNumber { return shortName }
        var words = ""
        for character in shortName { words += signNames[character] ?? String(character) }
        return words
    }

    /// The words for signs, with spaces that separate them from other words.
    private static let signNames: [Character: String] = [
        "+": " plus ", "-": " minus ", "*": " any ", "<": " less ", ">": " greater ", "=": " equal ", "!": " not ",
        "/": " slash ", "#": " number ", "%": " percent ", "&": " and ", "~": " about ",
    ]

    /// Adds a word for a comparison at the end of a name: `created< before` for `created<`. The sign itself is dropped
    /// when the name is split into words.
    private static func withWordForComparison(_ name: String) -> String {
        let comparisons = [("<=", "until"), (">=", "from"), ("<", "before"), (">", "after")]
        for (sign, word) in comparisons where name.hasSuffix(sign) { return "\(name) \(word)" }
        return name
    }

    // MARK: - Reserved names

    /// The name as code: in backticks if it is a keyword.
    static func code(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// Members that a declaration cannot have under these names, or that would mean something else.
    static let reservedMembers: Set<String> = ["init", "self", "parameterNode", "rawValue"]

    /// The requirements of `APIRequest`, `LinkedRequest` and `PagedRequest`. A property of the same name would
    /// implement one by mistake.
    static let requirements: Set<String> = [
        "base", "path", "method", "parameters", "headers", "query", "body", "options", "process", "pageLink", "next",
        "total", "endsAtRepeatedPage", "httpRequest", "requestLink",
    ]

    /// The associated types of the library's protocols. Inside a conforming type, the name refers to the associated
    /// type, and not to a generated type.
    static let associatedTypes: Set<String> = [
        "AsyncIterator", "BodyEncoder", "Content", "Element", "Failure", "Model", "ModelDecoder", "Output", "Poll",
        "Response",
    ]

    /// Types of Swift, Foundation and APIKit. A generated type of the same name would hide them from the user's code.
    static let reservedTypes: Set<String> = [
        "APIBase", "APIClient", "APIEngine", "APIError", "APIFailure", "APIReply", "APIRequest", "APIResponse", "Actor",
        "Any", "AnyObject", "Array", "Bool", "CaseIterable", "Character", "Clock", "Codable", "CodingKey", "CodingKeys",
        "Collection", "Credential", "CredentialSource", "Data", "Date", "DateOnly", "Decimal", "Decodable", "Decoder",
        "Dictionary", "Double", "DownloadedFile", "Duration", "Element", "Encodable", "Encoder", "Equatable", "Error",
        "EventModel", "EventRules", "Failure", "FilePart", "Float", "HTTPDate", "HTTPHeaders", "HTTPMethod",
        "HTTPRequest", "HTTPResponse", "Hashable", "ISO8601Date", "Identifiable", "Indirect", "Int", "Int32", "Int64",
        "ItemList", "JSON", "JSONBody", "JSONEnvelope", "JSONEvents", "JSONLines", "JSONReader", "JSONRequest",
        "JSONResponse", "JSONValue", "KeyPath", "Locale", "LocalizedError", "MIMEType", "MultipartForm",
        "MultipartRequest", "NSURLRequest", "Never", "NilIfNotFound", "NoContent", "Optional", "PagedItems",
        "PagedRequest", "ParameterStyle", "ParameterValue", "Parameters", "Patch", "Protocol", "Quoted",
        "RawRepresentable", "Regex", "RequestBody", "RequestError", "RequestOptions", "Response", "Result",
        "ResumableRequest", "Self", "Sendable", "Sequence", "ServerSentEvents", "Set", "String", "Task", "TimeOnly",
        "Type", "UInt32", "UInt64", "URL", "URLPath", "URLRequest", "UUID", "UnixDate", "Void",
    ]

    /// The types of APIKitOAuth that the file with a source of tokens contains.
    static let typesOfOAuth = [
        "ClientAuthentication", "OAuth", "OAuthEndpoints", "OAuthFlow", "TokenStore", "URLSession",
    ]

    // MARK: - Unique names

    /// Adds a number to a name if it is taken, and adds the result to the taken ones. The second `Status` is `Status2`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - taken: The taken names in lower case: case is ignored, as many file systems do.
    /// - Returns: A name that was not taken before.
    static func unique(_ name: String, in taken: inout Set<String>) -> String {
        let shortName = shortened(name)
        var result = shortName
        var number = 1
        while !taken.insert(result.lowercased()).inserted {
            // Usually the next number; if thousands of names are equal, counting would be too slow.
            number = nextNumber(for: shortName, after: number, in: taken)
            result = "\(shortName)\(number)"
        }
        return result
    }

    /// The number up to which numbers are simply counted. Almost all names have few others of the same kind.
    private static let lastCountedNumber = 20

    /// Finds the next number to try for a name: usually the one after the given number, which the caller still has to
    /// check, or a free one if many are taken.
    ///
    /// Numbers are assigned in ascending order, so if many are taken, it is likely that all up to some number are. The
    /// first free one is then found in steps that double, followed by a binary search. Otherwise thousands of equal
    /// names would take a time that grows with the square of their number.
    private static func nextNumber(for name: String, after number: Int, in taken: Set<String>) -> Int {
        // The first numbers are counted one by one.
        if number <= lastCountedNumber { return number + 1 }
        func isTaken(_ number: Int) -> Bool { taken.contains("\(name)\(number)".lowercased()) }
        var lastTaken = number
        var free = number * 2
        while isTaken(free) {
            lastTaken = free
            free *= 2
        }
        while free - lastTaken > 1 {
            let middle = (lastTaken + free) / 2
            if isTaken(middle) {
                lastTaken = middle
            } else {
                free = middle
            }
        }
        return free
    }
}
