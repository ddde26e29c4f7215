public import APIKit

public struct Release: GitHubModel {
    public let id: Int
    public let name: String?
    /// The notes, in Markdown.
    public let body: String?
    public let tagName: String
    /// Whether it is a draft.
    public let draft: Bool
    /// Whether it is a version before a release.
    public let prerelease: Bool
    public let author: User
    public let assets: [Asset]
    public let createdAt: Date
    public let publishedAt: Date?
    /// The page on GitHub.
    public let htmlURL: String
}
