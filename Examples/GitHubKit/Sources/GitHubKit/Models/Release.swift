public import APIKit

/// A release.
public struct Release: JSONResponse {
    /// The ID.
    public let id: Int
    /// The name.
    public let name: String?
    /// The notes, in Markdown.
    public let body: String?
    /// The tag name.
    public let tagName: String
    /// Whether it is a draft.
    public let draft: Bool
    /// Whether it is a version before a release.
    public let prerelease: Bool
    /// The author.
    public let author: User
    /// The assets.
    public let assets: [Asset]
    /// When it was created.
    public let createdAt: Date
    /// When it was published.
    public let publishedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String

    private enum CodingKeys: String, CodingKey {
        case id, name, body, draft, prerelease, author, assets
        case tagName = "tag_name"
        case createdAt = "created_at"
        case publishedAt = "published_at"
        case htmlURL = "html_url"
    }
}
