public import APIKit

/// An issue.
public struct GetIssueRequest: GitHubRequest {
    /// The response.
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The issue number.
    public var issueNumber: Int

    /// Creates a value.
    public init(owner: String, repo: String, issueNumber: Int) {
        self.owner = owner
        self.repo = repo
        self.issueNumber = issueNumber
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(issueNumber)" }
}
