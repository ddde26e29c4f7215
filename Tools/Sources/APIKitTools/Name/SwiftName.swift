internal import Foundation

/// Names of Swift declarations.
enum SwiftName {
    /// A property, a parameter or a case: a valid identifier, not yet in backticks.
    static func member(_ name: String) -> String { identifier(Words(spelledOut(name)).lowerCamel) }

    /// A type.
    static func type(_ name: String) -> String { identifier(Words(spelledOut(name)).upperCamel) }

    /// The name of what one element of a list is.
    static func element(_ name: String) -> String { identifier(Words(spelledOut(name)).singular.upperCamel) }

    /// Whether a decoder that converts names from snake case finds a member of a name.
    static func isConverted(_ member: String, from name: String) -> Bool {
        let hasEmptyWord = name.split(separator: "_", omittingEmptySubsequences: false).contains("")
        let key = Array(converted(name))
        let letters = Array(member)
        guard !hasEmptyWord, key.count == letters.count else { return false }
        return letters.indices.allSatisfy { index in
            if letters[index] == key[index] { return true }
            // Letters after a capital may be capitals too.
            let followsCapital = index > 0 && letters[index - 1].isUppercase
            return followsCapital && key[index].uppercased() == String(letters[index])
        }
    }

    /// What names have in common that such a decoder may confuse: the key without capitals after capitals.
    static func commonKey(_ name: String) -> String {
        var common = ""
        var followsCapital = false
        for letter in converted(name) {
            common += followsCapital ? letter.lowercased() : String(letter)
            followsCapital = letter.isUppercase
        }
        return common
    }

    /// The key that such a decoder creates from a name, as Foundation's does.
    private static func converted(_ name: String) -> String {
        let words = name.split(separator: "_")
        guard words.count > 1 else { return name }
        let start = name.prefix { $0 == "_" }
        let end = String(name.reversed().prefix { $0 == "_" })
        let camelCase = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return start + camelCase + end
    }

    private static func identifier(_ name: String) -> String {
        let name = shortened(name)
        if name.isEmpty { return "empty" }
        return isIdentifier(name) ? name : "_\(name)"
    }

    /// Whether a name of letters and digits begins as an identifier can, with a letter: not with a digit or with a
    /// combining mark, which can be letters too.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic else {
            return false
        }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: return true
        }
    }

    /// How many bytes of UTF-8 a name may have: those of files have at most 255, with an extension and a number.
    private static let longestName = 200

    /// The beginning of a name that is too long for a file.
    static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var length = 0
        let start = name.unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= longestName
        }
        return String(start)
    }

    /// Signs without letters have names, so that `+1` and `-1` differ, and so have limits: `created<`.
    private static func spelledOut(_ name: String) -> String {
        let name = shortened(name)
        guard let first = name.first else { return name }
        if first.isLetter { return withNameOfLimit(name) }
        let isPlainNumber = first.isNumber && !name.contains { "<>=*".contains($0) }
        let hasLetters = name.contains(where: \.isLetter)
        if isPlainNumber || hasLetters { return name }
        return name.map { signNames[$0] ?? String($0) }.joined()
    }

    private static let signNames: [Character: String] = [
        "+": " plus ", "-": " minus ", "*": " any ", "<": " less ", ">": " greater ", "=": " equal ", "!": " not ",
        "/": " slash ", "#": " number ", "%": " percent ", "&": " and ", "~": " about ",
    ]

    /// `created< before` of `created<`, whose sign is left out of the name later.
    private static func withNameOfLimit(_ name: String) -> String {
        let limits = [("<=", "until"), (">=", "from"), ("<", "before"), (">", "after")]
        for (sign, word) in limits where name.hasSuffix(sign) { return "\(name) \(word)" }
        return name
    }

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

    /// What `APIRequest` and `PagedRequest` require.
    static let requirements: Set<String> = [
        "base", "path", "method", "parameters", "headers", "query", "body", "options", "process", "pageLink", "next",
        "total", "endsAtRepeatedPage", "httpRequest",
    ]

    /// The associated types of the library's protocols. Inside of a conforming type, their names mean these.
    static let associatedTypes: Set<String> = [
        "AsyncIterator", "BodyEncoder", "Content", "Element", "Failure", "Model", "ModelDecoder", "Response",
    ]

    /// Types of Swift, Foundation and APIKit that code beside the generated types uses by their name.
    static let reservedTypes: Set<String> = [
        "APIBase", "APIClient", "APIEngine", "APIError", "APIFailure", "APIReply", "APIRequest", "APIResponse", "Actor",
        "Any", "AnyObject", "Array", "Bool", "Character", "Clock", "Codable", "CodingKey", "CodingKeys", "Collection",
        "Data", "Date", "Decimal", "Decodable", "Decoder", "Dictionary", "Double", "Duration", "Element", "Encodable",
        "Encoder", "Equatable", "Error", "EventModel", "EventRules", "Failure", "FilePart", "Float", "Found",
        "HTTPHeaders", "HTTPMethod", "HTTPRequest", "HTTPResponse", "Hashable", "Identifiable", "Indirect", "Int",
        "Int32", "Int64", "JSON", "JSONBody", "JSONEvents", "JSONLines", "JSONRequest", "JSONResponse", "JSONValue",
        "Locale", "MIMEType", "NSURLRequest", "Never", "NoContent", "Optional", "PagedRequest", "ParameterStyle",
        "ParameterValue", "Parameters", "Patch", "Protocol", "RawRepresentable", "Regex", "RequestBody", "Response",
        "Result", "ResumableRequest", "Self", "Sendable", "Sequence", "Set", "String", "Task", "Type", "URL", "URLPath",
        "URLRequest", "UUID", "Void",
    ]

    /// The first of a name and the same name with numbers that is not taken, ignoring case, since files have it too.
    static func unique(_ name: String, in taken: inout Set<String>) -> String {
        let name = shortened(name)
        var result = name
        var number = 1
        while !taken.insert(result.lowercased()).inserted {
            number = nextNumber(for: name, after: number, in: taken)
            result = "\(name)\(number)"
        }
        return result
    }

    /// The next number to try. After a few that are taken, all up to some number are: it is searched in steps that
    /// double, so that thousands of names that only differ in their numbers take a few steps each.
    private static func nextNumber(for name: String, after number: Int, in taken: Set<String>) -> Int {
        guard number > 20 else { return number + 1 }
        let isTaken = { (number: Int) in taken.contains("\(name)\(number)".lowercased()) }
        var last = number
        var free = number * 2
        while isTaken(free) {
            last = free
            free *= 2
        }
        while free - last > 1 {
            let middle = (last + free) / 2
            if isTaken(middle) { last = middle } else { free = middle }
        }
        return free
    }
}
