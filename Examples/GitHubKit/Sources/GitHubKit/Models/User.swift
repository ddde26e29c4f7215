public import APIKit

/// A user or an organization, as part of other models.
public struct User: JSONResponse {
    /// `id`
    public let id: Int
    /// `avatar_url`
    public let avatarURL: String?
    /// `html_url`
    public let htmlURL: String
    /// The name in URLs.
    public let login: String
    /// `type`
    public let type: AccountType

    private enum CodingKeys: String, CodingKey {
        case id, login, type
        case avatarURL = "avatar_url"
        case htmlURL = "html_url"
    }
}
