import APIKit

/// A user or an organization, as part of other models.
public struct User: GitHubModel {
    /// The ID.
    public let id: Int
    /// The name in URLs.
    public let login: String
    /// The type.
    public let type: AccountType
    /// The avatar URL.
    public let avatarURL: String?
    /// The page on GitHub.
    public let htmlURL: String
}
