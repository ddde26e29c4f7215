import Foundation
import OpenAPIRules

/// A file beside a description that says how its operations behave, as the SDKs of Basecamp and HEY have one:
///
///     {"operations": {"CreateTodo": {"idempotent": true, "retry": {"max": 3, "retry_on": [429, 503]}}}}
struct BehaviorModel {
    /// The members of each operation, by the operation's name.
    let operations: [(name: String, value: Element)]
    /// The members of the file that are about something else, such as which values are secret.
    let otherMembers: [(name: String, value: Element)]

    /// The members that describe the file itself.
    private static let ownMembers: Set = ["$schema", "version", "generated", "operations"]

    /// Reads a file in JSON or YAML.
    ///
    /// - Throws: ``DescriptionError`` if the file cannot be read, or has no operations.
    init(_ url: URL) throws {
        let file = url.lastPathComponent
        guard let data = try? Data(contentsOf: url) else {
            throw DescriptionError("the file \(file) cannot be read", at: Place(file: file))
        }
        let root = Element(node: try Documents.parse(data, file: file), file: file, path: "")
        guard root.has("operations") else { throw root.error("the behavior model has no operations") }
        operations = try root.members("operations")
        otherMembers = try root.members().filter { !Self.ownMembers.contains($0.name) }
    }
}
