public import APIKit

/// Release.
public struct Release: JSONResponse {
    /// `id`
    public let id: Int
    /// `assets`
    public let assets: [Asset]
    /// `author`
    public let author: User
    /// The notes, in Markdown.
    public let body: String?
    /// `created_at`
    public let createdAt: Date
    /// `draft`
    public let draft: Bool
    /// `html_url`
    public let htmlURL: String
    /// `name`
    public let name: String?
    /// `prerelease`
    public let prerelease: Bool
    /// `published_at`
    public let publishedAt: Date?
    /// `tag_name`
    public let tagName: String

    private enum CodingKeys: String, CodingKey {
        case id, assets, author, body, draft, name, prerelease
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case publishedAt = "published_at"
        case tagName = "tag_name"
    }
}
