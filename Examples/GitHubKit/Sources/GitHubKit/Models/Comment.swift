public import APIKit

/// A comment.
public struct Comment: JSONResponse {
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

    private enum CodingKeys: String, CodingKey {
        case id, body, user
        case createdAt = "created_at"
        case htmlURL = "html_url"
    }
}
