public import APIKit

/// A file of a release.
public struct Asset: JSONResponse {
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

    private enum CodingKeys: String, CodingKey {
        case id, name, label, size
        case contentType = "content_type"
        case downloadCount = "download_count"
        case browserDownloadURL = "browser_download_url"
    }
}
