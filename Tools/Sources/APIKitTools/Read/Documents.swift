import Foundation

/// The files of a description, each read once.
final class Documents {
    private let folder: URL
    private var roots: [String: Node] = [:]

    /// The name of the first file, to which the names of all others are relative.
    let main: String

    /// Opens a description.
    ///
    /// - Parameter url: The first file.
    init(_ url: URL) {
        folder = url.deletingLastPathComponent()
        main = url.lastPathComponent
    }

    /// The root of a file, whose name is relative to the folder of the first one.
    ///
    /// - Throws: ``DescriptionError`` if the file is missing or is neither JSON nor YAML.
    func root(of file: String, namedAt place: Place) throws -> Element {
        if let root = roots[file] { return Element(node: root, file: file, path: "") }
        guard let data = try? Data(contentsOf: folder.appending(path: file)) else {
            throw DescriptionError("the file \(file) cannot be read", at: place)
        }
        let node = try Self.parse(data, file: file)
        roots[file] = node
        return Element(node: node, file: file, path: "")
    }

    /// Reads JSON if the text begins as such, and otherwise YAML; what begins like JSON and is named YAML may be both.
    static func parse(_ data: Data, file: String) throws -> Node {
        let start = data.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }.map { Character(Unicode.Scalar($0)) }
        let isYAML = start != "{" && start != "[" || file.hasSuffix(".yaml") || file.hasSuffix(".yml")
        return isYAML
            ? try YAMLParser.parse(String(decoding: data, as: UTF8.self), file: file)
            : try JSONParser.parse(Array(data), file: file)
    }

    /// The value that a reference names: `#/components/schemas/User`, `user.yaml` or `../shared.yaml#/User`.
    ///
    /// - Throws: ``DescriptionError`` if there is no such value.
    func target(of reference: String, in element: Element) throws -> Element {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard !reference.contains("://") else {
            throw DescriptionError("the reference \(reference) leads to another server: download it", at: element.place)
        }
        let file = parts[0].isEmpty ? element.file : Self.resolve(String(parts[0]), relativeTo: element.file)
        var target = try root(of: file, namedAt: element.place)
        for part in (parts.count > 1 ? parts[1] : "").split(separator: "/") {
            let raw = part.removingPercentEncoding ?? String(part)
            let key = raw.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = target.child(key) else {
                throw DescriptionError("the reference \(reference) leads nowhere", at: element.place)
            }
            target = next
        }
        return target
    }

    private static func resolve(_ path: String, relativeTo file: String) -> String {
        var parts = file.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}
