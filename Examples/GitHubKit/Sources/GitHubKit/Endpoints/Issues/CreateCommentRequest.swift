public import APIKit

/// Creates a comment.
public struct CreateCommentRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = Comment
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The issue number.
    public var issueNumber: Int
    /// The text, in Markdown.
    public var commentBody: String

    /// Creates a value.
    public init(owner: String, repo: String, issueNumber: Int, commentBody: String) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
        self.commentBody = commentBody
    }

    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)/comments" }
    /// The parameters.
    public var parameters: Parameters { ["body": commentBody] }
}
