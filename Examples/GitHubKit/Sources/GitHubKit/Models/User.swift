import APIKit

/// A user or an organization, as part of other models.
public struct User: GitHubModel {
    public let id: Int
    /// The name in URLs.
    public let login: String
    public let type: AccountType
    public let avatarURL: String?
    /// The page on GitHub.
    public let htmlURL: String
}
