/// An entry type.
public nonisolated struct EntryType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// File.
    public static let file = Self(rawValue: "file")
    /// Dir.
    public static let dir = Self(rawValue: "dir")
    /// Symlink.
    public static let symlink = Self(rawValue: "symlink")
    /// Submodule.
    public static let submodule = Self(rawValue: "submodule")
}
