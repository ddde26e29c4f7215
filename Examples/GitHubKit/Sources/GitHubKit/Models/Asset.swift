public import APIKit

/// A file of a release.
public struct Asset: JSONResponse {
    /// The ID.
    public let id: Int
    /// The browser download URL.
    public let browserDownloadURL: String
    /// The content type.
    public let contentType: String
    /// The number of downloads.
    public let downloadCount: Int
    /// The label.
    public let label: String?
    /// The name.
    public let name: String
    /// In bytes.
    public let size: Int

    private enum CodingKeys: String, CodingKey {
        case id, label, name, size
        case browserDownloadURL = "browser_download_url"
        case contentType = "content_type"
        case downloadCount = "download_count"
    }
}
