/// A value of a description and its place.
///
/// What a value may be is not decided by this type. `APIDescription` checks the structure of the whole description
/// before it reads anything, and rejects it at the first mistake; the generator in `Tools` checks each value when it
/// reads it, and skips the operations that have mistakes.
public struct Element: Sendable {
    /// What all elements of a file share. It is a class, since elements are on the stacks of recursive functions.
    private final class File: Sendable {
        let name: String
        let isReferenced: Bool

        init(name: String, isReferenced: Bool) {
            self.name = name
            self.isReferenced = isReferenced
        }
    }

    /// The value.
    public let node: Node
    /// The place in the file, as a JSON pointer (RFC 6901).
    public let path: String
    private let source: File

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - file: The name of its file, relative to the folder of the description's first file.
    ///   - path: The place in the file, as a JSON pointer; empty for the root.
    ///   - isReferenced: Whether another file refers to this one.
    public init(node: Node, file: String, path: String, isReferenced: Bool = false) {
        self.init(node, path, File(name: file, isReferenced: isReferenced))
    }

    private init(_ node: Node, _ path: String, _ source: File) {
        self.node = node
        self.path = path
        self.source = source
    }

    /// The name of the file, relative to the folder of the description's first file.
    public var file: String { source.name }
    /// Whether the element is in a file that another one refers to.
    public var isReferenced: Bool { source.isReferenced }

    /// A unique identifier of the value in the description.
    public var id: String { "\(file)#\(path)" }

    /// The element for a value within this one: the member with a name, or the element with an index.
    public func inner(_ node: Node, at key: String) -> Element {
        Element(node, Reference.pointer(path, key), source)
    }

    /// The member with a name, or the element with an index; nil if it does not exist.
    public func child(_ key: String) -> Element? {
        switch node.content {
        case .object(let members):
            guard let member = members[key] else { return nil }
            return inner(member, at: key)
        case .list(let elements):
            guard let index = Int(key), elements.indices.contains(index) else { return nil }
            return inner(elements[index], at: key)
        case .null, .boolean, .number, .text:
            return nil
        }
    }

    /// Whether there is a member with a name.
    public func has(_ key: String) -> Bool { hasAny(of: key) }

    /// Whether there is a member with at least one of several names.
    public func hasAny(of keys: String...) -> Bool {
        guard let members = node.members else { return false }
        return keys.contains { members[$0] != nil }
    }
}
