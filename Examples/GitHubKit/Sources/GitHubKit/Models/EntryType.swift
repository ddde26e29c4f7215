public nonisolated struct EntryType: RawRepresentable, Hashable, Decodable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let file = Self(rawValue: "file")
    public static let dir = Self(rawValue: "dir")
    public static let symlink = Self(rawValue: "symlink")
    public static let submodule = Self(rawValue: "submodule")
}
