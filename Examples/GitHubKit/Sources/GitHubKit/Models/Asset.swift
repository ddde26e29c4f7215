import APIKit

/// A file of a release.
public struct Asset: GitHubModel {
    /// The ID.
    public let id: Int
    /// The name.
    public let name: String
    /// The label.
    public let label: String?
    /// The content type.
    public let contentType: String
    /// The number of downloads.
    public let downloadCount: Int
    /// In bytes.
    public let size: Int
    /// The browser download URL.
    public let browserDownloadURL: String
}
