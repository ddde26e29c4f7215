public import APIKit

/// An issue.
public struct IssueRequest: GitHubRequest {
    /// The response.
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The number.
    public var number: Int

    /// Creates a value.
    public init(owner: String, repo: String, number: Int) {
        self.owner = owner
        self.repo = repo
        self.number = number
    }

    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(number)" }
}
