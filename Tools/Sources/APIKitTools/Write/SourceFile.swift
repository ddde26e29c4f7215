/// A file of generated code.
struct SourceFile: Equatable {
    /// The path below the folder of the API.
    let path: String
    let text: String
}

extension SourceFile {
    /// Creates a file of lines.
    ///
    /// - Throws: ``InvisibleCharacterError`` if one of the lines is several, or does not show what it is: a text of the
    ///   description has left its comment or literal, which is a mistake of the generator.
    init(path: String, lines: [String]) throws {
        for line in lines where line.unicodeScalars.contains(where: \.isInvisible) {
            throw InvisibleCharacterError(path: path)
        }
        self.init(path: path, text: lines.joined(separator: "\n") + "\n")
    }
}

/// Why a file is not written.
struct InvisibleCharacterError: Error, Equatable, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path.visible) is not written, since a text of the description would have become code: please report this"
    }
}
