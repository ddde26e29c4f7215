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
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        let haveUsualNames = names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        let hasUsualCharacters = text.unicodeScalars.allSatisfy { !$0.isInvisible && $0 != "\\" && $0 != " " }
        let isShort = text.utf8.count <= Self.maximumLength
        guard haveUsualNames, hasUsualCharacters, isShort, text.hasSuffix(".swift") else { return nil }
        self.text = text
    }

    /// The names of the folders that the file is in: `Endpoints` and `Orders`.
    var folders: [String] { text.split(separator: "/").dropLast().map(String.init) }

    /// The name of the file, such as `Order.swift`.
    var fileName: String { text.split(separator: "/").last.map(String.init) ?? text }
}

extension GeneratedPath: Comparable {
    static func < (first: GeneratedPath, second: GeneratedPath) -> Bool { first.text < second.text }
}
