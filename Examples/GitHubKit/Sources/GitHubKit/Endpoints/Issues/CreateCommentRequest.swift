public import APIKit

public struct CreateCommentRequest: GitHubRequest, JSONRequest {
    public typealias Response = Comment
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var issueNumber: Int
    /// The text, in Markdown.
    public var commentBody: String

    public init(owner: String, repo: String, issueNumber: Int, commentBody: String) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
        self.commentBody = commentBody
    }

    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)/comments" }
    public var parameters: Parameters { ["body": commentBody] }
}
