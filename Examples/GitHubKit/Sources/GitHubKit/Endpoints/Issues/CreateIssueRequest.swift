public import APIKit

/// Creates an issue.
public struct CreateIssueRequest: GitHubRequest, JSONRequest {
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    public var title: String
    /// The text, in Markdown.
    public var issueBody: String?
    /// The number of a milestone.
    public var milestone: Int?
    public var assignees: [String]?
    public var labels: [String]?

    public init(
        owner: String,
        repo: String,
        title: String,
        issueBody: String? = nil,
        milestone: Int? = nil,
        assignees: [String]? = nil,
        labels: [String]? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.title = title
        self.issueBody = issueBody
        self.milestone = milestone
        self.assignees = assignees
        self.labels = labels
    }

    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }
    public var parameters: Parameters {
        ["title": title, "body": issueBody, "milestone": milestone, "assignees": assignees, "labels": labels]
    }
}
