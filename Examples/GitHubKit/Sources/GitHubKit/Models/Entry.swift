public import APIKit

/// A file or a folder in a repository, without its content.
public struct Entry: JSONResponse {
    /// The download URL.
    public let downloadURL: String?
    /// The name.
    public let name: String
    /// The path.
    public let path: String
    /// The SHA.
    public let sha: String
    /// In bytes.
    public let size: Int
    /// The type.
    public let type: EntryType

    private enum CodingKeys: String, CodingKey {
        case name, path, sha, size, type
        case downloadURL = "download_url"
    }
}
