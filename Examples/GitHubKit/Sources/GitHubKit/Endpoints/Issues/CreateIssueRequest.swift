public import APIKit

/// Creates an issue.
public struct CreateIssueRequest: GitHubRequest, JSONRequest {
    public typealias Response = Issue
    /// The login of the owner.
    public var owner: String
    /// The name without the owner.
    public var repo: String
    /// `title`
    public var title: String
    /// `assignees`
    public var assignees: [String]?
    /// The text, in Markdown.
    public var bodyValue: String?
    /// `labels`
    public var labels: [String]?
    /// The number of a milestone.
    public var milestone: Int?

    /// Creates a value.
    public init(
        owner: String,
        repo: String,
        title: String,
        assignees: [String]? = nil,
        bodyValue: String? = nil,
        labels: [String]? = nil,
        milestone: Int? = nil
    ) {
        self.owner = owner
        self.repo = repo
        self.title = title
        self.assignees = assignees
        self.bodyValue = bodyValue
        self.labels = labels
        self.milestone = milestone
    }

    public var method: HTTPMethod { .post }
    public var path: URLPath { "repos/\(owner)/\(repo)/issues" }
    public var parameters: Parameters {
        ["title": title, "assignees": assignees, "body": bodyValue, "labels": labels, "milestone": milestone]
    }
}
