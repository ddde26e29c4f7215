public import APIKit

/// A release.
public struct Release: GitHubModel {
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
}
