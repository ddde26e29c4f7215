/// The path of a generated file below the folder of its API, such as `Models/Order.swift`.
///
/// A manifest may come from a stranger, so a value cannot name anything that is not such a file: nothing outside of the
/// folder, no hidden file, and no file of another kind. Links are checked when the file is looked up.
struct GeneratedPath: Hashable {
    let text: String

    /// The longest path that the systems accept, in bytes, is at least this long.
    private static let maximumLength = 1000

    /// Checks a path; nil if it is not that of a file below the folder.
    ///
    /// It ends in `.swift`, has at most 1,000 bytes, no spaces, backslashes and invisible characters, and none of its
    /// names is empty or begins with a dot.
    init?(_ text: String) {
        let areNotEmpty = Self.names(in: text).allSatisfy { !$0.isEmpty }
        let hasUsualCharacters = text.unicodeScalars.allSatisfy { !$0.isInvisible && $0 != "\\" && $0 != " " }
        let isShort = text.utf8.count <= Self.maximumLength
        guard areNotEmpty, hasUsualCharacters, isShort else { return nil }
        guard Self.isSwift(text), !Self.isHidden(text) else { return nil }
        self.text = text
    }

    /// Whether a path ends in `.swift`.
    static func isSwift(_ path: String) -> Bool { path.utf8.suffix(6).elementsEqual(".swift".utf8) }

    /// Whether one of the names of a path begins with a dot.
    static func isHidden(_ path: String) -> Bool { names(in: path).contains { $0.unicodeScalars.first == "." } }

    /// The names in a path, as the system finds them. For Swift, a slash and the accent after it are one character.
    private static func names(in path: String) -> [String] {
        path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The names of the folders that the file is in: `Endpoints` and `Orders`.
    var folders: [String] { Self.names(in: text).dropLast() }

    /// The name of the file, such as `Order.swift`.
    var fileName: String { Self.names(in: text).last ?? text }
}

extension GeneratedPath: Comparable {
    static func < (first: GeneratedPath, second: GeneratedPath) -> Bool { first.text < second.text }
}
