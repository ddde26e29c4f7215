/// An entry type.
public nonisolated struct EntryType: RawRepresentable, Hashable, Decodable, Sendable {
    /// The text in JSON.
    public let rawValue: String

    /// Creates a value.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `dir`
    public static let dir = EntryType(rawValue: "dir")
    /// `file`
    public static let file = EntryType(rawValue: "file")
    /// `submodule`
    public static let submodule = EntryType(rawValue: "submodule")
    /// `symlink`
    public static let symlink = EntryType(rawValue: "symlink")
}
