public import APIKit

/// A release.
public struct Release: JSONResponse {
    /// The ID.
    public let id: Int
    /// The assets.
    public let assets: [Asset]
    /// The author.
    public let author: User
    /// The notes, in Markdown.
    public let body: String?
    /// When it was created.
    public let createdAt: Date
    /// Whether it is a draft.
    public let draft: Bool
    /// The page on GitHub.
    public let htmlURL: String
    /// The name.
    public let name: String?
    /// Whether it is a version before a release.
    public let prerelease: Bool
    /// When it was published.
    public let publishedAt: Date?
    /// The tag name.
    public let tagName: String

    private enum CodingKeys: String, CodingKey {
        case id, assets, author, body, draft, name, prerelease
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case publishedAt = "published_at"
        case tagName = "tag_name"
    }
}
