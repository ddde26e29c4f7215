public import APIKit

/// A user or an organization, as part of other models.
public struct User: JSONResponse {
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

    private enum CodingKeys: String, CodingKey {
        case id, login, type
        case avatarURL = "avatar_url"
        case htmlURL = "html_url"
    }
}
