import Foundation
import OpenAPIRules

/// The files of a description, each read once.
///
/// A description may come from a stranger, and its references could name any file of the user, such as a private key.
/// By default, references are therefore limited to the folder of the first file. Errors never quote a referenced file.
final class Documents: DescriptionFiles {
    /// The folder of the first file, without symbolic links in its path.
    private let folder: URL
    private let mainURL: URL
    private let allowsOutside: Bool
    private var roots: [String: Element] = [:]

    /// The name of the first file, to which the names of all others are relative.
    let main: String

    /// Opens a description.
    ///
    /// - Parameters:
    ///   - url: The first file.
    ///   - allowsOutside: Whether references may lead outside of its folder.
    init(_ url: URL, allowsOutside: Bool = false) {
        self.allowsOutside = allowsOutside
        folder = url.deletingLastPathComponent().standardizedFileURL.resolvingSymlinksInPath()
        mainURL = url
        main = url.lastPathComponent
    }

    /// The root of the first file.
    ///
    /// - Throws: ``DescriptionError`` if the file is missing or is neither JSON nor YAML.
    func mainRoot() throws -> Element {
        try root(of: main, at: mainURL) { DescriptionError("the file \(main) cannot be read", at: Place(file: main)) }
    }

    /// The roots of the files that have been read, sorted by name.
    var readFiles: [Element] { roots.values.sorted { $0.file < $1.file } }

    /// The root of a file that an element refers to. The file's name is relative to the folder of the first file.
    ///
    /// - Throws: ``DescriptionError`` if the file is missing, is outside of that folder, or is neither JSON nor YAML.
    func root(of file: String, for reference: String, in element: Element) throws -> Element {
        if file == main { return try mainRoot() }
        // Messages quote only the first file, since others may hold private text. A name that another file contains is
        // therefore left out.
        let name = element.isReferenced ? "a file that is named here" : "the file \(file)"
        let url = folder.appending(path: file).standardizedFileURL.resolvingSymlinksInPath()
        guard allowsOutside || isInFolder(url) else {
            let hint = "allow that with --allow-outside if you trust the description"
            throw element.error("\(name) is outside of the description's folder: \(hint)")
        }
        return try root(of: file, at: url) { element.error("\(name) cannot be read") }
    }

    /// Reads a file and keeps its root, or returns the root if the file has been read before. Throws the given error if
    /// the file cannot be read.
    private func root(of file: String, at url: URL, orThrow error: () -> DescriptionError) throws -> Element {
        if let known = roots[file] { return known }
        guard let data = try? Data(contentsOf: url) else { throw error() }
        let isReferenced = file != main
        let node: Node
        if isReferenced {
            // Errors must not quote a referenced file.
            node = try Self.parseReferenced(data, file: file)
        } else {
            node = try Self.parse(data, file: file)
        }
        let root = Element(node: node, file: file, path: "", isReferenced: isReferenced)
        roots[file] = root
        return root
    }

    /// Whether a file is in the folder of the first one or below it. Symbolic links in its path have to be resolved.
    private func isInFolder(_ url: URL) -> Bool {
        let parts = url.pathComponents
        let folderParts = folder.pathComponents
        return parts.count > folderParts.count && parts.starts(with: folderParts)
    }

    /// Reads a referenced file like any other, but with errors that do not quote its text: the file may not be part of
    /// the description at all.
    private static func parseReferenced(_ data: Data, file: String) throws -> Node {
        do {
            return try parse(data, file: file)
        } catch let error as DescriptionError {
            throw DescriptionError("this is neither JSON nor YAML", at: error.place)
        }
    }

    /// The character with which some editors begin a text in UTF-8.
    private static let byteOrderMark = "\u{FEFF}"

    /// Reads JSON or YAML. A text that begins like JSON is read as JSON, unless the file's name says that it is YAML: a
    /// YAML document may also begin with a brace or a bracket.
    static func parse(_ data: Data, file: String) throws -> Node {
        let bytesBeforeContent = " \t\r\n\(byteOrderMark)".utf8
        let start = data.first { !bytesBeforeContent.contains($0) }
        let beginsLikeJSON = start == UInt8(ascii: "{") || start == UInt8(ascii: "[")
        let isNamedYAML = file.hasSuffix(".yaml") || file.hasSuffix(".yml")
        if beginsLikeJSON, !isNamedYAML {
            return try JSONParser.parse(Array(data), file: file)
        }
        return try YAMLParser.parse(String(decoding: data, as: UTF8.self), file: file)
    }

    // MARK: - References

    /// The error for a reference that cannot be followed. One that leads nowhere is marked as broken, so that readers
    /// can go on without its target.
    func error(_ problem: ReferenceProblem, in element: Element) -> any Error {
        switch problem {
        case .notText:
            return (element.child("$ref") ?? element).mismatch("a text")
        case .otherServer(let text):
            return element.error("\(Self.quoted(text, in: element)) leads to another server: download it")
        case .missing(let text):
            var error = element.error("\(Self.quoted(text, in: element)) leads nowhere")
            error.isBrokenReference = true
            return error
        case .cycle:
            return element.error("the reference leads back to itself")
        }
    }

    /// A reference as messages name it. They quote only the first file, since others may hold private text.
    private static func quoted(_ reference: String, in element: Element) -> String {
        element.isReferenced ? "a reference" : "the reference \(reference)"
    }
}
