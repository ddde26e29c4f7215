public import APIKit

/// Creates an issue.
public struct CreateIssueRequest: GitHubRequest, JSONRequest {
    /// The response.
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// The title.
    public var title: String
    /// The text, in Markdown.
    public var issueBody: String?
    /// The number of a milestone.
    public var milestone: Int?
    /// The assignees.
    public var assignees: [String]?
    /// The labels.
    public var labels: [String]?

    /// Creates a value.
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

    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }
    /// The parameters.
    public var parameters: Parameters {
        ["title": title, "body": issueBody, "milestone": milestone, "assignees": assignees, "labels": labels]
    }
}
