public import APIKit

/// A comment.
public struct Comment: GitHubModel {
    /// The ID.
    public let id: Int64
    /// The text, in Markdown.
    public let body: String?
    /// The user.
    public let user: User?
    /// When it was created.
    public let createdAt: Date
    /// The page on GitHub.
    public let htmlURL: String
}
