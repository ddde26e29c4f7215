internal import Foundation

/// Names of Swift declarations.
enum SwiftName {
    /// The name of a property, a parameter or a case. It may be a keyword, which ``code(_:)`` puts in backticks.
    static func member(_ name: String) -> String { identifier(Words(spelledOut(name)).lowerCamel) }

    /// The name of a type.
    static func type(_ name: String) -> String { identifier(Words(spelledOut(name)).upperCamel) }

    /// The name of the type of a list's elements: `Item` for a list called `items`.
    static func element(_ name: String) -> String { identifier(Words(spelledOut(name)).singular.upperCamel) }

    /// Whether a decoder that converts names from snake case finds a Swift member for a name in JSON.
    static func isConverted(_ member: String, from name: String) -> Bool {
        // With an underscore at an end, or two in a row, a name keeps a coding key of its own.
        let hasEmptyWord = name.split(separator: "_", omittingEmptySubsequences: false).contains("")
        let key = Array(converted(name))
        let letters = Array(member)
        guard !hasEmptyWord, key.count == letters.count else { return false }
        return letters.indices.allSatisfy { index in
            if letters[index] == key[index] { return true }
            // The decoder accepts acronyms: `htmlURL` for `html_url`, which is converted to `htmlUrl`.
            let followsCapital = index > 0 && letters[index - 1].isUppercase
            return followsCapital && key[index].uppercased() == String(letters[index])
        }
    }

    /// A key that is equal for all names that such a decoder cannot tell apart: the converted name, in which every
    /// capital after a capital is lowercase.
    static func commonKey(_ name: String) -> String {
        var common = ""
        var followsCapital = false
        for letter in converted(name) {
            common += followsCapital ? letter.lowercased() : String(letter)
            followsCapital = letter.isUppercase
        }
        return common
    }

    /// A name converted from snake case, in the same way as Foundation's `convertFromSnakeCase`.
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

    /// Whether a name of letters and digits begins with a character that can begin an identifier. Some combining marks
    /// count as alphabetic, but cannot.
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
        var length = 0
        let start = name.unicodeScalars.prefix { scalar in
            length += UTF8.width(scalar)
            return length <= longestName
        }
        return String(start)
    }

    /// Replaces the signs of a name without letters by words, so that `+1` and `-1` become different identifiers. A
    /// name with a comparison at its end, such as `created<`, gets a word for it.
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

    /// `created< before` for `created<`. The sign itself is dropped when the name is split into words.
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

    /// The requirements of `APIRequest` and `PagedRequest`. A property of such a name would implement them by mistake.
    static let requirements: Set<String> = [
        "base", "path", "method", "parameters", "headers", "query", "body", "options", "process", "pageLink", "next",
        "total", "endsAtRepeatedPage", "httpRequest",
    ]

    /// The associated types of the library's protocols. Inside a conforming type, such a name refers to the associated
    /// type, and not to a generated type.
    static let associatedTypes: Set<String> = [
        "AsyncIterator", "BodyEncoder", "Content", "Element", "Failure", "Model", "ModelDecoder", "Response",
    ]

    /// Types of Swift, Foundation and APIKit. A generated type of the same name would hide them from the user's code.
    static let reservedTypes: Set<String> = [
        "APIBase", "APIClient", "APIEngine", "APIError", "APIFailure", "APIReply", "APIRequest", "APIResponse", "Actor",
        "Any", "AnyObject", "Array", "Bool", "Character", "Clock", "Codable", "CodingKey", "CodingKeys", "Collection",
        "Data", "Date", "Decimal", "Decodable", "Decoder", "Dictionary", "Double", "Duration", "Element", "Encodable",
        "Encoder", "Equatable", "Error", "EventModel", "EventRules", "Failure", "FilePart", "Float", "HTTPHeaders",
        "HTTPMethod", "HTTPRequest", "HTTPResponse", "Hashable", "Identifiable", "Indirect", "Int",
        "Int32", "Int64", "JSON", "JSONBody", "JSONEvents", "JSONLines", "JSONRequest", "JSONResponse", "JSONValue",
        "Locale", "MIMEType", "NSURLRequest", "Never", "NilIfNotFound", "NoContent", "Optional", "PagedRequest",
        "ParameterStyle",
        "ParameterValue", "Parameters", "Patch", "Protocol", "RawRepresentable", "Regex", "RequestBody", "Response",
        "Result", "ResumableRequest", "Self", "Sendable", "Sequence", "Set", "String", "Task", "Type", "URL", "URLPath",
        "URLRequest", "UUID", "Void",
    ]

    /// Returns a name that is not taken, with a number if necessary, and adds it to the taken ones. Case is ignored, as
    /// many file systems do.
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

    /// The next number to try.
    ///
    /// Numbers are assigned in ascending order, so if many are taken, it is likely that all up to some number are. The
    /// first free one is then found in steps that double, followed by a binary search. Otherwise thousands of equal
    /// names would take a time that grows with the square of their number.
    private static func nextNumber(for name: String, after number: Int, in taken: Set<String>) -> Int {
        // Almost all names have few others of the same kind, for which counting is enough.
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
