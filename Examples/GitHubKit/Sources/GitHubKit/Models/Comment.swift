public import APIKit

/// Comment.
public struct Comment: JSONResponse {
    /// `id`
    public let id: Int64
    /// The text, in Markdown.
    public let body: String?
    /// `created_at`
    public let createdAt: Date
    /// `html_url`
    public let htmlURL: String
    /// `user`
    public let user: User?

    private enum CodingKeys: String, CodingKey {
        case id, body, user
        case createdAt = "created_at"
        case htmlURL = "html_url"
    }
}
