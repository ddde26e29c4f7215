/// A file or a folder in a repository, without its content.
public struct Entry: Decodable, Sendable {
    /// `download_url`
    public let downloadURL: String?
    /// `name`
    public let name: String
    /// `path`
    public let path: String
    /// `sha`
    public let sha: String
    /// In bytes.
    public let size: Int
    /// `type`
    public let type: EntryType

    private enum CodingKeys: String, CodingKey {
        case name, path, sha, size, type
        case downloadURL = "download_url"
    }
}
