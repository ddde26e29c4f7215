import APIKit

/// A file or a folder in a repository, without its content.
public struct Entry: GitHubModel {
    public let sha: String
    public let name: String
    public let type: EntryType
    public let path: String
    /// In bytes.
    public let size: Int
    public let downloadURL: String?
}
