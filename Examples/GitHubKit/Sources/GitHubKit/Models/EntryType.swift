/// An entry type.
public nonisolated struct EntryType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Dir.
    public static let dir = EntryType(rawValue: "dir")
    /// File.
    public static let file = EntryType(rawValue: "file")
    /// Submodule.
    public static let submodule = EntryType(rawValue: "submodule")
    /// Symlink.
    public static let symlink = EntryType(rawValue: "symlink")
}
