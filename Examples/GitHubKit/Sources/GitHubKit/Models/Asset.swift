public import APIKit

/// A file of a release.
public struct Asset: JSONResponse {
    /// `id`
    public let id: Int
    /// `browser_download_url`
    public let browserDownloadURL: String
    /// `content_type`
    public let contentType: String
    /// `download_count`
    public let downloadCount: Int
    /// `label`
    public let label: String?
    /// `name`
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
