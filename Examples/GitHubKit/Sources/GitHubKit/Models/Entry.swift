import APIKit

/// A file or a folder in a repository, without its content.
public struct Entry: GitHubModel {
    /// The SHA.
    public let sha: String
    /// The name.
    public let name: String
    /// The type.
    public let type: EntryType
    /// The path.
    public let path: String
    /// In bytes.
    public let size: Int
    /// The download URL.
    public let downloadURL: String?
}
