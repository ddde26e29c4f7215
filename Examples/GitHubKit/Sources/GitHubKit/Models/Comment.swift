public import APIKit

public struct Comment: GitHubModel {
    public let id: Int64
    /// The text, in Markdown.
    public let body: String?
    public let user: User?
    public let createdAt: Date
    /// The page on GitHub.
    public let htmlURL: String
}
