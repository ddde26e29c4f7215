/// A file of generated code.
struct SourceFile: Equatable {
    /// The path below the folder of the API, such as `Models/Order.swift`.
    let path: String
    let text: String
}

extension SourceFile {
    /// Creates a file from lines.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a line contains a line break or another invisible character. Comments
    ///   and literals are written without such characters. One that is still there means that, by a bug in the
    ///   generator, a text of the description could end its comment or literal and become code.
    init(path: String, lines: [String]) throws {
        for line in lines where line.unicodeScalars.contains(where: { $0.isInvisible }) {
            throw InvisibleCharacterError(path: path)
        }
        self.init(path: path, text: lines.joined(separator: "\n") + "\n")
    }
}

/// A line of a file contains an invisible character, so the file is not written.
struct InvisibleCharacterError: Error, Equatable, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path.visible) is not written, since a text of the description would have become code: please report this"
    }
}
