public import APIKit

/// Comments on an issue.
public struct CreateCommentRequest: GitHubRequest, JSONRequest {
    public typealias Response = Comment
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// `issue_number`
    public var issueNumber: Int
    /// The text, in Markdown.
    public var bodyValue: String

    /// Creates a value.
    public init(owner: String, repo: String, issueNumber: Int, bodyValue: String) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
        self.bodyValue = bodyValue
    }

    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)/comments" }
    public var parameters: Parameters { ["body": bodyValue] }
}
