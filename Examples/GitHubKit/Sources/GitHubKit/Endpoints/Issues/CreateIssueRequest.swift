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
    /// The assignees.
    public var assignees: [String]?
    /// The text, in Markdown.
    public var issueBody: String?
    /// The labels.
    public var labels: [String]?
    /// The number of a milestone.
    public var milestone: Int?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        title: String,
        assignees: [String]? = nil,
        issueBody: String? = nil,
        labels: [String]? = nil,
        milestone: Int? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.title = title
        self.assignees = assignees
        self.issueBody = issueBody
        self.labels = labels
        self.milestone = milestone
    }

    /// The method.
    public var method: HTTPMethod { .post }
    /// The path.
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }

    /// The parameters.
    public var parameters: Parameters {
        ["title": title, "assignees": assignees, "body": issueBody, "labels": labels, "milestone": milestone]
    }
}
