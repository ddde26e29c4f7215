import Foundation
import OpenAPIRules

/// The files of a description, each read once.
///
/// A description may come from a stranger, and its references could name any file of the user, such as a private key.
/// By default, references are therefore limited to the folder of the first file. Errors never quote a referenced file.
final class Documents {
    /// The folder of the first file, without symbolic links in its path.
    private let folder: URL
    private let mainURL: URL
    private let allowsOutside: Bool
    private var roots: [String: Node] = [:]

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

    /// The root of a file that an element refers to. The file's name is relative to the folder of the first file.
    ///
    /// - Throws: ``DescriptionError`` if the file is missing, is outside of that folder, or is neither JSON nor YAML.
    private func root(of file: String, referencedBy element: Element) throws -> Element {
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
        let isReferenced = file != main
        let node: Node
        if let known = roots[file] {
            node = known
        } else {
            guard let data = try? Data(contentsOf: url) else { throw error() }
            if isReferenced {
                // Errors must not quote a referenced file.
                node = try Self.parseReferenced(data, file: file)
            } else {
                node = try Self.parse(data, file: file)
            }
            roots[file] = node
        }
        return Element(node: node, file: file, path: "", isReferenced: isReferenced)
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

    /// Finds the value that a reference names: `#/components/schemas/User`, `user.yaml` or `../shared.yaml#/User`.
    ///
    /// - Parameters:
    ///   - text: The reference.
    ///   - element: The value that contains it. A name of a file is relative to this value's file.
    /// - Returns: The value.
    /// - Throws: ``DescriptionError`` if there is no such value.
    func target(of text: String, in element: Element) throws -> Element {
        // Messages quote only the first file, since others may hold private text.
        let quotedReference = element.isReferenced ? "a reference" : "the reference \(text)"
        guard !text.contains("://") else {
            throw element.error("\(quotedReference) leads to another server: download it")
        }
        let reference = Reference(text)
        var file = element.file
        if !reference.file.isEmpty { file = Self.resolve(reference.file, relativeTo: element.file) }
        var target = try root(of: file, referencedBy: element)
        for key in reference.keys {
            guard let next = target.child(key) else {
                var error = element.error("\(quotedReference) leads nowhere")
                error.isBrokenReference = true
                throw error
            }
            target = next
        }
        return target
    }

    /// The path of a file that another file refers to: `../shared.yaml` in `paths/users.yaml` is `shared.yaml`.
    private static func resolve(_ path: String, relativeTo file: String) -> String {
        var parts = file.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            // `..` leaves the folder before it. Without such a folder, it stays in the path.
            if part == "..", let folder = parts.last, folder != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }
}
