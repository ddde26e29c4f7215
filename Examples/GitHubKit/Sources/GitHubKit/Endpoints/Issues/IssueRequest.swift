public import APIKit

/// An issue.
public struct IssueRequest: GitHubRequest {
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var number: Int

    public init(owner: String, repo: String, number: Int) {
        self.owner = owner
        self.repo = repo
        self.number = number
    }

    public var path: URLPath { "repos/\(owner)/\(repo)/issues/\(number)" }
}
