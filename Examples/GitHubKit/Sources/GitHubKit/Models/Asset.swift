import APIKit

/// A file of a release.
public struct Asset: GitHubModel {
    public let id: Int
    public let name: String
    public let label: String?
    public let contentType: String
    public let downloadCount: Int
    /// In bytes.
    public let size: Int
    public let browserDownloadURL: String
}
