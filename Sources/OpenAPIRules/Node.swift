/// A value of a description, as any parser of JSON or YAML reads it.
///
/// The module does not read texts itself: `APIDescription` reads JSON with the library, and the generator in `Tools`
/// reads JSON and YAML with the lines that its notes name.
public struct Node: Equatable, Sendable {
    /// What the value is.
    public indirect enum Content: Equatable, Sendable {
        /// `null`.
        case null
        /// `true` or `false`.
        case boolean(Bool)
        /// A number as it is written.
        case number(String)
        /// A text.
        case text(String)
        /// A list.
        case list([Node])
        /// An object.
        case object(Members)
    }

    /// What the value is.
    public var content: Content
    /// The line where it begins, from 1; 0 if unknown.
    public var line: Int32

    /// Creates a value.
    public init(_ content: Content, line: Int32 = 0) {
        self.content = content
        self.line = line
    }

    /// Whether the values are the same, regardless of their lines.
    public static func == (left: Node, right: Node) -> Bool { left.content == right.content }
}

// MARK: - Contents

extension Node {
    /// The member of an object; nil if there is none, and for other values.
    public subscript(name: String) -> Node? { members?[name] }

    /// The members of an object; nil for other values.
    public var members: Members? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The elements of a list; nil for other values.
    public var elements: [Node]? {
        if case .list(let elements) = content { elements } else { nil }
    }

    /// The text; nil for other values.
    public var string: String? {
        if case .text(let text) = content { text } else { nil }
    }

    /// The Boolean; nil for other values.
    public var bool: Bool? {
        if case .boolean(let flag) = content { flag } else { nil }
    }

    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = content { true } else { false }
    }
}
